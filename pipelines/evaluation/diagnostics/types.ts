import type { Estimate } from "../bootstrap/index.js";

/** The four diagnostics of spec 5 (paper Definitions 5 to 7), by the names that published numbers go by. */
export const DIAGNOSTICS = ["dj_resp", "drec_spec_q", "dj_full", "drec_none"] as const;
export type DiagnosticName = (typeof DIAGNOSTICS)[number];

/** What a diagnostic is called in print. */
export const SYMBOLS: Readonly<Record<DiagnosticName, string>> = {
  dj_resp: "ΔJ_resp",
  drec_spec_q: "ΔRec_spec^Q",
  dj_full: "ΔJ_full",
  drec_none: "ΔRec_none",
};

/** A diagnostic's value as a fraction of 1, with its interval over AVTs or over components of AVTs. */
export interface Diagnostic extends Estimate {
  /** Mean of the run that leads, and of the run that is taken from it; null where nothing is taken (ΔRec_spec^Q). */
  readonly levels: { readonly minuend: number | null; readonly subtrahend: number | null };
  /** Episodes that only one of the two runs has a value for; they are in neither mean. */
  readonly alone: { readonly minuend: number; readonly subtrahend: number };
  /**
   * ΔRec_none: how much of it only the responses earned. The offline scorer credits a term that a response volunteers, so
   * that a run under O holds the responder's leakage too, which Definition 7 means to leave out; 0 for the others.
   */
  readonly volunteered: number;
  /** One run compared with itself: zero by definition, as under the reference oracle. */
  readonly by_definition: boolean;
  /** Why the value must not be used: the preconditions that its reference run breaks. Empty when it may be. */
  readonly invalid: readonly string[];
}

/** A condition of paper Definition 7 on a reference run, and the records that break it. */
export interface Precondition {
  readonly asker: string;
  readonly metric: "recall" | "precision";
  readonly wanted: 0 | 1;
  readonly episodes: number;
  /** Records that break it under some seed, with the smallest (wanted 1) or largest (wanted 0) value seen. */
  readonly broken: readonly { readonly record: string; readonly value: number }[];
}

/** The diagnostics of one asker under one oracle on one dataset. */
export interface DatasetDiagnostics {
  readonly dataset: string;
  /** Records in the runs, and how many of them have a counted ambiguity. */
  readonly records: number;
  readonly with_ambiguities: number;
  readonly seeds: readonly number[];
  readonly oracle: string;
  readonly sql: "shown" | "hidden" | null;
  readonly diagnostics: Readonly<Record<DiagnosticName, Diagnostic | null>>;
  readonly preconditions: readonly Precondition[];
}

/** Reference SQL shown minus hidden to the responder, one asker under one oracle (paper E.1). */
export interface SqlAccess {
  readonly dataset: string;
  readonly oracle: string;
  readonly differences: Readonly<Record<"dj_resp" | "dj_full" | "drec_none", Diagnostic | null>>;
}

/** What a campaign's runs come to. */
export interface CampaignResult {
  readonly campaign: string;
  readonly synthetic: boolean;
  readonly suite_hash: string;
  readonly asker: string;
  /** The asker's model, where it has one. */
  readonly asker_model: string | null;
  readonly solver: string;
  readonly limit: number | null;
  /** Dataset → which of its records the runs are on. */
  readonly scopes: Readonly<Record<string, { readonly split: string | null; readonly slice: string | null }>>;
  readonly datasets: readonly DatasetDiagnostics[];
  readonly sql_access: readonly SqlAccess[];
}
