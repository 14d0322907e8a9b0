import type { DigestedRows, Failure, Limits, ResultRows } from "../execution.js";

/** One statement against one database file, with its limits filled in: what crosses to a child process. */
export interface SqliteJob {
  database: string;
  sql: string;
  want: "rows" | "digest";
  limits: Limits;
}

/** What crosses back at the end of a job; rows that went ahead in earlier frames are not repeated. */
export type JobEnd = (ResultRows | DigestedRows | Failure) & {
  /** Resident bytes of the child, measured after jobs long or large enough to have changed it. */
  resident?: number;
};
