import type pg from "pg";
import { DEFAULT_LIMITS, type DigestExecution, type Execution, type Limits } from "../execution.js";
import { type Address, keepAwake, openClient } from "./connection.js";
import { countStatements } from "./dump/split.js";
import { endOfError, isCancelled, isLostConnection } from "./failure.js";
import { Guard, type Stop } from "./guard.js";
import { type Collected, Statement } from "./statement.js";
import type { Steward } from "./steward.js";
import type { ExecOptions, Isolation, PostgresSession } from "./task-session.js";
import { resolveTypes } from "./type-lookup.js";

/** The connection went away under a statement through no deed of ours: the server was restarted, or the SQL ended it. */
export class LostConnection extends Error {
  override readonly name = "LostConnection";
}

/** A message may hold more than its cells: lengths, and names. */
const MESSAGE_SLACK = 1024 * 1024;

/** An execution before its time is known. */
type Pretimed = DistributiveOmit<Execution | DigestExecution, "duration_ms" | "rewrites">;
type DistributiveOmit<T, Keys extends PropertyKey> = T extends unknown ? Omit<T, Keys> : never;

type RunOptions = ExecOptions & { want?: "rows" | "digest" };

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
  readonly #guard: Guard;
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
    this.#guard = new Guard(steward);
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
    keepAwake(client, false);
    return new Session(address, client, rows[0]?.pid ?? 0, isolation, steward, limits, bound);
  }

  /** Whether it can run nothing more. */
  get dead(): boolean {
    return this.#dead !== undefined;
  }

  exec(sql: string, options?: ExecOptions & { want?: "rows" }): Promise<Execution>;
  exec(sql: string, options: ExecOptions & { want: "digest" }): Promise<DigestExecution>;
  async exec(sql: string, options: RunOptions = {}): Promise<Execution | DigestExecution> {
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
    return end(await this.#awake(() => this.#transact(sql, limits, options)));
  }

  /** Brings the session back to how it began, for the next task. */
  async reset(): Promise<void> {
    if (this.#dead === undefined) await this.#awake(() => this.#client.query("DISCARD ALL"));
  }

  async close(): Promise<void> {
    const before = this.#dead;
    this.#dead ??= "the session is closed";
    if (before === undefined) await this.#awake(() => this.#client.end().catch(() => undefined));
  }

  async #awake<Result>(use: () => Promise<Result>): Promise<Result> {
    keepAwake(this.#client, true);
    try {
      return await use();
    } finally {
      keepAwake(this.#client, false);
    }
  }

  /** The whole transaction is watched: what is checked at its end may run the task's own code too. */
  async #transact(sql: string, limits: Limits, options: RunOptions): Promise<Pretimed> {
    const started = performance.now();
    const { timeoutMs } = limits;
    let stop: Stop | undefined;
    const end = (why: Stop) => {
      stop ??= why;
      this.#dead ??= "the session was ended at a limit";
      this.#client.connection.stream.destroy();
      void this.#steward.terminate(this.#backend).catch(() => undefined);
    };
    this.#bound.bytes = limits.maxBytes + MESSAGE_SLACK;
    this.#bound.passed = () => end({ outcome: "too_large", what: "bytes" });
    const unwatch = this.#guard.watch({ database: this.database, timeoutMs, end });
    // SQL can have itself cancelled, or lower its own limit: that is an error of its, and no time limit of ours.
    const endOf = (error: Error): Pretimed =>
      stop ??
      (isCancelled(error) && performance.now() - started >= timeoutMs
        ? { outcome: "timeout" }
        : this.#failed(error));
    const reading = this.isolation === "rollback";
    try {
      // The query after BEGIN fixes the transaction's mode: SQL can no longer make it writable. It also makes random()
      // the same each time.
      await this.#client.query(
        `BEGIN${reading ? " READ ONLY" : ""}; SET LOCAL statement_timeout = ${Math.ceil(timeoutMs)};
         SELECT pg_catalog.setseed(0)`,
      );
      const ended = await this.#run(sql, limits, options, endOf);
      if (this.#dead === undefined) {
        await this.#leave(reading || ended.outcome !== "rows" ? "ROLLBACK" : "COMMIT");
      }
      return ended;
    } catch (error) {
      if (error instanceof LostConnection) throw error;
      // A constraint that is checked at the end, or the loss of the connection.
      return endOf(error as Error);
    } finally {
      unwatch();
      this.#bound.bytes = Number.POSITIVE_INFINITY;
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

  /** Sends the string and waits for its end. */
  async #run(
    sql: string,
    limits: Limits,
    options: RunOptions,
    endOf: (error: Error) => Pretimed,
  ): Promise<Pretimed> {
    let over: Stop | undefined;
    let cancelled: Promise<void> | undefined;
    const statement = new Statement(sql, this.isolation === "rollback" ? "extended" : "simple", {
      limits,
      want: options.want ?? "rows",
      take: options.take,
      overflow: (what) => {
        over = { outcome: "too_large", what };
        cancelled = this.#steward.cancel(this.#backend).catch(() => undefined);
      },
    });
    this.#client.query(statement);
    const ended = await statement.ended;
    await cancelled;
    if (over !== undefined) return over;
    switch (ended.kind) {
      case "failed":
        return endOf(ended.error);
      case "empty":
        return { outcome: "refused", reason: "empty", message: "there is no statement" };
      case "copy": {
        const message = "COPY talks to a client, which takes no lines and has none to give";
        return { outcome: "error", message };
      }
      case "complete":
        return this.#result(ended.result);
    }
  }

  async #result(collected: Collected): Promise<Pretimed> {
    const { columns, rowCount, digest } = collected;
    if (digest !== undefined) return { outcome: "rows", columns, row_count: rowCount, digest };
    const rows = await resolveTypes(this.#client, collected);
    return { outcome: "rows", columns, rows, row_count: rowCount };
  }
}
