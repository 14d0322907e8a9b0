import type { Row } from "../cell.js";
import type { Failure, Limits, ResultDigest, Rewrite } from "../execution.js";

/** One statement against one database file, with its limits filled in: what crosses to a child process. */
export interface SqliteJob {
  database: string;
  sql: string;
  want: "rows" | "digest";
  limits: Limits;
  /** Every table is read in the reverse of its own order (reversed-scans.ts). */
  reversed?: true;
}

interface Ended {
  outcome: "rows";
  columns: string[];
  row_count: number;
  /** The rows that have not gone ahead. */
  rows?: Row[];
  digest?: ResultDigest;
  duration_ms: number;
  rewrites: Rewrite[];
}

/** How a job ended: what crosses back. */
export type JobEnd = (Ended | Failure) & {
  /** Resident bytes of the child, measured after jobs long enough to have changed it. */
  resident?: number;
};
