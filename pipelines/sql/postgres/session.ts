import type pg from "pg";
import { DEFAULT_LIMITS, type DigestExecution, type Execution, type Limits } from "../execution.js";
import { type Address, openClient } from "./connection.js";
import { countStatements } from "./dump/split.js";
import { endOfError, isCancelled, isLostConnection } from "./failure.js";
import { type Collected, Statement } from "./statement.js";
import { resolveTypes } from "./type-lookup.js";

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

/** The connection went away under a statement through no deed of ours: the server was restarted, or the SQL ended it. */
export class LostConnection extends Error {
  override readonly name = "LostConnection";
}

/** What a session may ask of those who administer the server. */
export interface Steward {
  /** Asks the server to stop what a backend runs; the session stays. */
  cancel(backend: number): Promise<void>;
  /** Ends a backend for good. */
  terminate(backend: number): Promise<void>;
  /** Bytes on disk of a database. */
  size(database: string): Promise<number>;
  /** How much a session's database may grow, in bytes. */
  readonly growth: number;
}

/** The server's own time-out is on time; when it has not ended a statement by then, it is ended from outside. */
const GRACE_MS = 400;
const LONGEST_TIMER_MS = 2 ** 31 - 1;
const WATCH_DISK_EVERY_MS = 250;
/** A message may hold more than its cells: lengths, and names. */
const MESSAGE_SLACK = 1024 * 1024;

type Stop = { outcome: "timeout" } | { outcome: "too_large"; what: "rows" | "bytes" | "disk" };

export class Session implements PostgresSession {
  readonly database: string;
  readonly isolation: Isolation;
  /** Whether a lost connection ends statements in an error, instead of a LostConnection that asks for another try. */
  losesQuietly = false;
  readonly #client: pg.Client;
  readonly #backend: number;
  readonly #steward: Steward;
  readonly #limits: Partial<Limits>;
  readonly #bound: { bytes: number; passed(): void };
  #baseSize: number | undefined;
  #dead: string | undefined;

  private constructor(
    address: Address,
    client: pg.Client,
    backend: number,
    isolation: Isolation,
    steward: Steward,
    limits: Partial<Limits>,
    bound: { bytes: number; passed(): void },
  ) {
    this.database = address.database;
    this.isolation = isolation;
    this.#client = client;
    this.#backend = backend;
    this.#steward = steward;
    this.#limits = limits;
    this.#bound = bound;
    client.on("end", () => {
      this.#dead ??= "the server ended the session";
    });
  }

  static async open(
    address: Address,
    name: string,
    isolation: Isolation,
    steward: Steward,
    limits: Partial<Limits>,
  ): Promise<Session> {
    const bound = { bytes: Number.POSITIVE_INFINITY, passed: (): void => undefined };
    const client = await openClient(address, { name, bound });
    const { rows } = await client.query<{ pid: number }>("SELECT pg_catalog.pg_backend_pid() AS pid");
    return new Session(address, client, rows[0]?.pid ?? 0, isolation, steward, limits, bound);
  }

  /** Whether it can run nothing more. */
  get dead(): boolean {
    return this.#dead !== undefined;
  }

  exec(sql: string, options?: ExecOptions & { want?: "rows" }): Promise<Execution>;
  exec(sql: string, options: ExecOptions & { want: "digest" }): Promise<DigestExecution>;
  async exec(
    sql: string,
    options: ExecOptions & { want?: "rows" | "digest" } = {},
  ): Promise<Execution | DigestExecution> {
    const started = performance.now();
    const end = <Outcome extends object>(outcome: Outcome) => ({
      ...outcome,
      duration_ms: Math.round((performance.now() - started) * 1000) / 1000,
      rewrites: [],
    });
    if (this.#dead !== undefined) return end({ outcome: "error", message: this.#dead });
    if (sql.includes("\0")) {
      const message = "PostgreSQL's text holds no NUL character";
      return end({ outcome: "refused", reason: "nul_character", message });
    }
    const several = this.isolation === "rollback" && countStatements(sql) > 1;
    if (several) {
      const message = "several statements in one string need a database of their own";
      return end({ outcome: "refused", reason: "several_statements", message });
    }
    const limits = { ...DEFAULT_LIMITS, ...this.#limits, ...options.limits };
    return end(await this.#transact(sql, limits, options));
  }

  /** Brings the session back to how it began, for the next task. */
  async reset(): Promise<void> {
    if (this.#dead === undefined) await this.#client.query("DISCARD ALL");
  }

  async close(): Promise<void> {
    const before = this.#dead;
    this.#dead ??= "the session is closed";
    if (before === undefined) await this.#client.end().catch(() => undefined);
  }

  async #transact(
    sql: string,
    limits: Limits,
    options: ExecOptions & { want?: "rows" | "digest" },
  ): Promise<Pretimed> {
    const reading = this.isolation === "rollback";
    try {
      // The query after BEGIN fixes the transaction's mode: SQL can no longer make it writable. It also makes random()
      // the same each time.
      await this.#client.query(
        `BEGIN${reading ? " READ ONLY" : ""}; SET LOCAL statement_timeout = ${Math.ceil(limits.timeoutMs)};
         SELECT pg_catalog.setseed(0)`,
      );
      const ended = await this.#run(sql, limits, options);
      if (this.#dead === undefined)
        await this.#leave(reading || ended.outcome !== "rows" ? "ROLLBACK" : "COMMIT");
      return ended;
    } catch (error) {
      // A constraint that is checked at the end, or the loss of the connection.
      return this.#failed(error as Error);
    }
  }

  /** Ends the transaction. A cancellation that came too late for its statement may hit this one instead. */
  async #leave(how: "ROLLBACK" | "COMMIT"): Promise<void> {
    try {
      await this.#client.query(how);
    } catch (error) {
      if (how === "COMMIT" || isLostConnection(error as Error)) throw error;
      await this.#client.query(how);
    }
  }

  #failed(error: Error): Pretimed {
    if (!isLostConnection(error)) return endOfError(error);
    this.#dead ??= "the server ended the session";
    if (this.losesQuietly)
      return { outcome: "error", message: `the server ended the session: ${error.message}` };
    throw new LostConnection(error.message, { cause: error });
  }

  /** Sends the string and waits for its end, or makes it end. */
  async #run(
    sql: string,
    limits: Limits,
    options: ExecOptions & { want?: "rows" | "digest" },
  ): Promise<Pretimed> {
    const started = performance.now();
    let stop: Stop | undefined;
    let cancelled: Promise<void> | undefined;
    const endSession = (why: Stop) => {
      stop ??= why;
      this.#dead ??= "the session was ended at a limit";
      this.#client.connection.stream.destroy();
      void this.#steward.terminate(this.#backend).catch(() => undefined);
    };
    const statement = new Statement(sql, this.isolation === "rollback" ? "extended" : "simple", {
      limits,
      want: options.want ?? "rows",
      take: options.take,
      overflow: (what) => {
        stop = { outcome: "too_large", what };
        cancelled = this.#steward.cancel(this.#backend).catch(() => undefined);
      },
    });
    this.#bound.bytes = limits.maxBytes + MESSAGE_SLACK;
    this.#bound.passed = () => endSession({ outcome: "too_large", what: "bytes" });
    const deadline = setTimeout(
      () => setImmediate(() => endSession({ outcome: "timeout" })),
      Math.min(limits.timeoutMs + GRACE_MS, LONGEST_TIMER_MS),
    );
    const watch = this.#watchDisk(endSession);
    try {
      this.#client.query(statement);
      const ended = await statement.ended;
      await cancelled;
      if (stop !== undefined) return stop;
      if (ended.kind === "failed") {
        // SQL can have itself cancelled, or lower its own limit: that is an error of its, and no time limit of ours.
        const late = performance.now() - started >= limits.timeoutMs;
        return isCancelled(ended.error) && late ? { outcome: "timeout" } : this.#failed(ended.error);
      }
      if (ended.kind === "empty") {
        return { outcome: "refused", reason: "empty", message: "there is no statement" };
      }
      if (ended.kind === "copy") {
        const message = "COPY talks to a client, which takes no lines and has none to give";
        return { outcome: "error", message };
      }
      return await this.#result(ended.result);
    } finally {
      clearTimeout(deadline);
      clearInterval(watch);
      this.#bound.bytes = Number.POSITIVE_INFINITY;
    }
  }

  async #result(collected: Collected): Promise<Pretimed> {
    const { columns, rowCount, digest } = collected;
    if (digest !== undefined) return { outcome: "rows", columns, row_count: rowCount, digest };
    const rows = await resolveTypes(this.#client, collected);
    return { outcome: "rows", columns, rows, row_count: rowCount };
  }

  /** Ends a statement under which the database grows out of all proportion; it must not fill the disk. */
  #watchDisk(end: (stop: Stop) => void): NodeJS.Timeout {
    let asking = false;
    return setInterval(async () => {
      if (asking) return;
      asking = true;
      try {
        const size = await this.#steward.size(this.database);
        this.#baseSize ??= size;
        if (size - this.#baseSize > this.#steward.growth) end({ outcome: "too_large", what: "disk" });
      } catch {
        // The server is going down; the statement will be told.
      } finally {
        asking = false;
      }
    }, WATCH_DISK_EVERY_MS);
  }
}

/** An execution before its time is known. */
type Pretimed = DistributiveOmit<Execution | DigestExecution, "duration_ms" | "rewrites">;
type DistributiveOmit<T, Keys extends PropertyKey> = T extends unknown ? Omit<T, Keys> : never;
