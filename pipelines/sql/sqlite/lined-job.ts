import type { Row } from "../cell.js";
import type { DigestExecution, Execution } from "../execution.js";
import type { JobEnd, SqliteJob } from "./job.js";

/** What becomes of a job that was given to a process. */
export type JobResult =
  | { kind: "ended"; execution: Execution | DigestExecution }
  /** The process ended under the job for no reason of ours; `how` says with which signal or code. */
  | { kind: "died"; how: string }
  /** The job was lined up and never begun here: it must go to another process. */
  | { kind: "not_begun" };

/** A job that waits in a process's line. */
export interface Lined {
  job: SqliteJob;
  settle(result: JobResult): void;
  /** Given back already: what comes of it here is dropped. */
  abandoned: boolean;
}

/** The job at the head of the line: the one that runs. */
export interface Running extends Lined {
  started: number;
  ahead: Row[][];
  deadline: NodeJS.Timeout;
}

/** What the caller gets: the end, with all rows in one list. */
export function executionOf({ resident: _, ...end }: JobEnd, ahead: Row[][]): Execution | DigestExecution {
  if (end.outcome !== "rows") return end;
  if (end.digest !== undefined) return { ...end, digest: end.digest };
  const last = end.rows ?? [];
  return { ...end, rows: ahead.length === 0 ? last : [...ahead, last].flat() };
}
