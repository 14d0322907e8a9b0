import type { Question } from "./question.js";
import type { ReadingSchema } from "./schema.js";
import type { Path, Place, Query, Scope } from "./tree/index.js";

/** The operators of spec 2 (bird, step 1). */
export const OPERATOR_NAMES = [
  "other-column",
  "other-aggregate",
  "inclusive-bound",
  "top-k-or-direction",
  "ties",
  "other-literal",
  "distinct-or-all",
  "date-granularity",
  "null-treatment",
  "ratio-or-percentage",
  "scope",
] as const;
export type OperatorName = (typeof OPERATOR_NAMES)[number];

/** What makes a person doubt, or not: the evidence that the ranking weighs (rank.ts). */
export interface Signals {
  /** The question has a word that leaves the point open ("between", "top", "oldest"). */
  open?: boolean;
  /** The question itself says the reference's reading. */
  settled?: boolean;
  /** The question says something that only the other reading would. */
  contradicted?: boolean;
  /** How alike the two readings sound, from 0 to 1. */
  alike?: number;
}

/** One other way to read the question. */
export interface Edit {
  operator: OperatorName;
  /** The operator's own form of it: `between`, `oldest first`. */
  form: string;
  /** The places that it changes; edits whose places overlap do not go together. */
  touches: readonly Path[];
  apply: (query: Query) => Query;
  /** Built from other parts of the statement, so it is applied after the edits that change those. */
  structural?: true;
  /** What the reference means, and what the edited statement means, as a person would say it. */
  reference: string;
  alternative: string;
  /** The words of the question that leave it open, exactly as they stand there. */
  anchor: string | null;
  signals: Signals;
  /**
   * Words that only the one reading has, where the readings differ by such words (eye, hair): a request that says them
   * has decided the point.
   */
  telling?: { reference: string; alternative: string };
}

/** Values of a text column, in their own order; undefined where they are not known. */
export type ColumnValues = (table: string, column: string) => readonly string[] | undefined;

export interface OperatorInput {
  query: Query;
  places: readonly Place[];
  scopes: readonly Scope[];
  schema: ReadingSchema;
  question: Question;
  values: ColumnValues;
}

export interface Operator {
  name: OperatorName;
  /** Bare proposals: whether they run, and to what, is found out later. */
  edits: (input: OperatorInput) => Edit[];
}
