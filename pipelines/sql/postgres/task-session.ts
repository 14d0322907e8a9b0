import type { DigestExecution, Execution, Limits } from "../execution.js";
import type { Address } from "./connection.js";
import type { DatabaseState } from "./state.js";

/**
 * How statements of a session leave their database:
 * - `rollback`: each runs in a read-only transaction that is rolled back; what needs more is `refused` (`write`,
 *   `several_statements`), as the server itself says it, and nothing stays.
 * - `clone`: the database is the session's own; each is committed when it succeeds and rolled back when it fails, as a
 *   client without autocommit does it (spec 13.2).
 */
export type Isolation = "rollback" | "clone";

export interface ExecOptions {
  /** Those not named are the server's (DEFAULT_LIMITS). `maxMemoryBytes` is fixed when the server starts. */
  limits?: Partial<Limits>;
  /** Keep this many rows and let the others go by, where a caller's rule says so (spec 13.3). */
  take?: number;
}

/** One session on one database: temporary tables, settings and prepared statements live as long as it does. */
export interface PostgresSession {
  /** The database's name on the server. */
  readonly database: string;
  readonly isolation: Isolation;
  /**
   * Runs one string of SQL, sent as it is; it may hold several statements in a `clone`, of which the last one's result
   * counts. A statement without a result set gives no columns and no rows. Never throws for what SQL can do.
   */
  exec(sql: string, options?: ExecOptions & { want?: "rows" }): Promise<Execution>;
  exec(sql: string, options: ExecOptions & { want: "digest" }): Promise<DigestExecution>;
}

/** A session of a task, and what its statements have made of the database. */
export interface TaskSession extends PostgresSession {
  /** The state of the task's database now, read in a session of its own. */
  state(limits?: Partial<Limits>): Promise<DatabaseState>;
  /** How another program enters this database, with a task's rights and no more. */
  readonly address: Address;
}

/** A task's statements in the order in which they are run. */
export interface PostgresRun {
  template: string;
  /** Run in order; the first that does not end in rows ends the run, and the last one's end is the run's. */
  statements: readonly string[];
  /** Run before; errors are ignored, as the official evaluator ignores them (spec 13.4). */
  setup?: readonly string[];
  cleanup?: readonly string[];
  limits?: Partial<Limits>;
  isolation?: Isolation;
  /** See ExecOptions. */
  take?: number;
}
