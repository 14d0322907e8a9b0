/**
 * What the two halves of a model oracle may read (spec 3, the table; paper Table 6). `views.ts` makes these views.
 *
 * A *scoped* oracle (BIRD-Interact, Ambrosia, AmbiQT, TACO) knows the annotations alone: its matcher what they are called,
 * its responder what they say, and the SQL with the schema only where it is grounded. An *unfiltered* one (Bird, EW-Bird)
 * knows the task as well, and what was withheld from it.
 */
import type { Ambiguity, Knowledge } from "../../schemas/types/record.js";
import type { SchemaTable } from "./views.js";

export type OracleScope = "scoped" | "unfiltered";

/** Whether a model responder is shown the reference SQL; the matcher's view does not depend on it (paper E.1). */
export type OracleSql = "shown" | "hidden";

/** What an ambiguity is called, which is all that routing needs. */
export interface RoutingAmbiguity {
  readonly ambiguity_id: string;
  readonly term: string;
  readonly kind: Ambiguity["kind"];
  readonly aliases: readonly string[];
}

/** An ambiguity with what the hidden reading decides for it. */
export interface AnnotatedAmbiguity extends RoutingAmbiguity {
  readonly resolution: string;
  readonly response: string;
}

/** What a model matcher reads besides the current question: never the dialogue. */
export type MatcherView =
  | { readonly scope: "scoped"; readonly ambiguities: readonly RoutingAmbiguity[] }
  | {
      readonly scope: "unfiltered";
      readonly ambiguities: readonly AnnotatedAmbiguity[];
      readonly request: string;
      readonly external_knowledge: readonly Readonly<Knowledge>[];
      readonly withheld_evidence: string | undefined;
      readonly reference_sql: readonly string[];
    };

/** The reference and what grounds the annotations in it. */
export interface SqlGrounding {
  readonly reference_sql: readonly string[];
  /** Pieces of SQL that the annotations name, by ambiguity. */
  readonly snippets: readonly { readonly term: string; readonly sql: string }[];
}

/** A database as a model reads of it. */
export interface DatabaseContext {
  readonly engine: "sqlite" | "postgres";
  readonly database_id: string;
  readonly schema: readonly SchemaTable[];
}

/** What a model responder reads besides the question and the action that was chosen for it. */
export type ResponderView =
  | {
      readonly scope: "scoped";
      readonly ambiguities: readonly AnnotatedAmbiguity[];
      readonly sql: SqlGrounding | undefined;
      /** Only together with the SQL. */
      readonly database: DatabaseContext | undefined;
    }
  | {
      readonly scope: "unfiltered";
      readonly ambiguities: readonly AnnotatedAmbiguity[];
      readonly sql: SqlGrounding | undefined;
      readonly database: DatabaseContext;
      readonly request: string;
      readonly column_meanings: Readonly<Record<string, string>>;
      readonly external_knowledge: readonly Readonly<Knowledge>[];
      readonly clear_request: string | undefined;
      readonly withheld_evidence: string | undefined;
    };
