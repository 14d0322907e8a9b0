import type { ComparisonPolicy } from "../../../schemas/types/record.js";
import type { Row } from "../cell.js";

/** What two executions can come to; the rest of spec 9's closed list of verdicts is about models, not about SQL. */
export type SqlVerdict =
  | "match"
  | "mismatch"
  | "prediction_error"
  | "prediction_timeout"
  | "prediction_too_large"
  | "prediction_refused"
  | "gold_error"
  | "gold_timeout";

/** Facts about a comparison that a reader of the verdict should know. */
export interface ComparisonFlags {
  /** Neither side has a row. */
  both_empty?: true;
  /** So many nearly equal rows that rows were paired in sorted order instead of by an exact matching. */
  approximate_matching?: true;
}

export interface ComparisonResult {
  verdict: SqlVerdict;
  policy: ComparisonPolicy;
  ordered: boolean;
  flags: ComparisonFlags;
  /** One sentence: why not a match, or the message of the side that failed. */
  detail?: string;
}

/** One side of a comparison: column names never matter, their number and order do. */
export interface ResultSide {
  columns: readonly string[];
  rows: readonly Row[];
}

/** What a policy decides about two results. */
export interface PolicyAnswer {
  equal: boolean;
  detail?: string;
  approximate?: true;
}

export type Policy = (prediction: ResultSide, gold: ResultSide, ordered: boolean) => PolicyAnswer;
