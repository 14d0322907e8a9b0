import type { Row } from "./cell.js";

/** What one statement may use. */
export interface Limits {
  /** Wall time from the moment the job starts in its process, in milliseconds. */
  timeoutMs: number;
  maxRows: number;
  /** Bytes of encoded cells (cell.ts, as UTF-8). */
  maxBytes: number;
  /** Resident size of the process that runs the statement, in bytes; an idle one takes some 60 MiB of it. */
  maxMemoryBytes: number;
}

export const DEFAULT_LIMITS: Readonly<Limits> = {
  timeoutMs: 30_000,
  maxRows: 1_000_000,
  maxBytes: 64 * 1024 * 1024,
  maxMemoryBytes: 512 * 1024 * 1024,
};

/** Why a statement was not run at all. */
export type RefusalReason =
  | "empty"
  | "several_statements"
  | "nul_character"
  | "pragma"
  | "attach"
  | "detach"
  | "vacuum"
  | "transaction"
  | "temporary_object"
  | "write"
  | "not_a_reader"
  | "quoted_qualified_name";

/** A change made to the statement before it ran: the double-quoted token at `offset` became a string literal. */
export interface Rewrite {
  kind: "quoted_literal";
  /** As written, quotes included. */
  token: string;
  /** In UTF-16 units from the start of the statement as given. */
  offset: number;
}

interface Ran {
  duration_ms: number;
  rewrites: Rewrite[];
}

/** Each way a statement can end without a result. */
export type Failure = Ran &
  (
    | { outcome: "error"; message: string }
    | { outcome: "timeout" }
    | { outcome: "too_large"; what: "rows" | "bytes" | "memory" | "disk" }
    | { outcome: "refused"; reason: RefusalReason; message: string }
  );

export type ResultRows = Ran & { outcome: "rows"; columns: string[]; rows: Row[]; row_count: number };

/**
 * Instead of rows. A row counts as its JSON and a line feed: `ordered` is the sha256 of all of them in order,
 * `unordered` that of their sorted sha256 hashes. Two results are the same list (the same multiset) of encoded rows
 * exactly when `ordered` (`unordered`) is the same.
 */
export interface ResultDigest {
  ordered: string;
  unordered: string;
}
export type DigestedRows = Ran & {
  outcome: "rows";
  columns: string[];
  row_count: number;
  digest: ResultDigest;
};

/** How a statement ended (spec 9): one closed outcome, never an exception. */
export type Execution = ResultRows | Failure;
export type DigestExecution = DigestedRows | Failure;
