/** What a BIRD row is on its way to an EW-Bird record, beyond what both BIRD datasets share. */
import type { Evidence } from "../../engine/stage.js";
import type { BirdRow, ReferencedRow } from "../bird-rows/index.js";

/** A prediction that stands in for a probe's answer; null where the file says nothing to the question. */
export interface ReplayedAnswers {
  without: { sql: string | null } | null;
  with: { sql: string | null } | null;
}

export interface EvidenceRow extends BirdRow {
  /** null where probe models are asked. */
  replayed: ReplayedAnswers | null;
}

export type ProvedRow = ReferencedRow<EvidenceRow>;

/** A probe's SQL, or null where it gave none, with what the ledger keeps of the call. */
export interface ProbeAnswer {
  sql: string | null;
  evidence: Evidence;
}

/** A model, or what stands in for one, that answers a row without and with the withheld evidence. */
export interface Probe {
  readonly name: string;
  answer(given: "without" | "with"): Promise<ProbeAnswer>;
}
