import { randomUUID } from "node:crypto";
import { rmSync } from "node:fs";
import { availableParallelism, tmpdir } from "node:os";
import { isAbsolute, join } from "node:path";
import { Interrupted, SqlError } from "../../errors.js";
import { DEFAULT_LIMITS, type DigestExecution, type Execution, type Limits } from "../execution.js";
import { SqlChild } from "./child-process.js";
import type { SqliteJob } from "./job.js";

/** One statement to run. `database` is an absolute path; `limits` not named are DEFAULT_LIMITS. */
export interface RunRequest {
  database: string;
  sql: string;
  limits?: Partial<Limits>;
  /** Reads every table in the reverse of its own order, to see whether the result depends on it (reversed-scans.ts). */
  reversed?: true;
}

export interface SqliteSandbox {
  /**
   * Runs one untrusted statement and says how it ended. Whatever SQL or a database file does is an outcome; the promise
   * rejects only when the sandbox itself cannot work (SqlError) or is closed meanwhile (Interrupted).
   */
  run(request: RunRequest & { want?: "rows" }): Promise<Execution>;
  /** The same, with digests in place of the rows. */
  run(request: RunRequest & { want: "digest" }): Promise<DigestExecution>;
  /** Ends the processes. Jobs that have not ended reject with Interrupted. */
  close(): Promise<void>;
}

export interface SandboxOptions {
  /** Processes at most; started when there is work for them. Default: the machine's cores, four at most. */
  children?: number;
  /** Limits for jobs that do not name their own. */
  limits?: Partial<Limits>;
}

interface Waiting {
  job: SqliteJob;
  /** Processes that have ended under it. */
  deaths: number;
  resolve(execution: Execution | DigestExecution): void;
  reject(error: Error): void;
}

const WATCH_EVERY_MS = 50;
/** A statement under which the process has died this often is taken to be the cause. */
const DEATHS = 2;
const BOOT_FAILURES = 3;

class Pool {
  readonly #size: number;
  readonly #children = new Set<SqlChild>();
  readonly #ready = new Set<SqlChild>();
  readonly #queue: Waiting[] = [];
  readonly #running = new Set<Waiting>();
  #booting = 0;
  #bootFailures = 0;
  /** Made only when a database needs it (openReadOnly), so that a killed program leaves no empty folder. */
  readonly #scratch = join(tmpdir(), `ambitab-sql-${randomUUID()}`);
  #watch: NodeJS.Timeout | undefined;
  #closed = false;

  constructor(size: number) {
    this.#size = size;
  }

  run(job: SqliteJob): Promise<Execution | DigestExecution> {
    return new Promise((resolve, reject) => {
      if (this.#closed) throw new SqlError("the SQL sandbox is closed");
      this.#queue.push({ job, deaths: 0, resolve, reject });
      this.#dispatch();
    });
  }

  async close(): Promise<void> {
    this.#closed = true;
    clearInterval(this.#watch);
    for (const waiting of [...this.#queue.splice(0), ...this.#running]) waiting.reject(new Interrupted());
    for (const child of this.#children) child.kill();
    await Promise.all([...this.#children].map((child) => child.closed));
    rmSync(this.#scratch, { recursive: true, force: true });
  }

  #dispatch(): void {
    while (this.#queue.length > 0) {
      const child = this.#leastLoaded();
      if (child === undefined) break;
      void this.#give(child, this.#queue.shift() as Waiting);
    }
    while (this.#booting < this.#queue.length && this.#children.size < this.#size) void this.#start();
    this.#rescueLinedUp();
  }

  /** An idle child, or else the one with the shortest line that still has room. */
  #leastLoaded(): SqlChild | undefined {
    let best: SqlChild | undefined;
    for (const child of this.#ready) {
      if (child.hasRoom && (best === undefined || child.load < best.load)) best = child;
    }
    return best;
  }

  /** A child without work takes what is stuck behind a long job of another. */
  #rescueLinedUp(): void {
    if (this.#queue.length > 0) return;
    let free = this.#size - this.#children.size;
    for (const child of this.#ready) if (child.load === 0) free++;
    for (const child of this.#ready) while (free > 0 && child.giveBack()) free--;
  }

  async #give(child: SqlChild, waiting: Waiting): Promise<void> {
    this.#running.add(waiting);
    this.#watchWhileBusy();
    const result = await child.run(waiting.job);
    this.#running.delete(waiting);
    if (child.gone) this.#forget(child);
    if (this.#closed) return;
    if (result.kind === "ended") waiting.resolve(result.execution);
    else if (result.kind === "died" && ++waiting.deaths >= DEATHS) waiting.resolve(diedOutcome(result.how));
    else this.#queue.unshift(waiting);
    this.#dispatch();
  }

  #forget(child: SqlChild): void {
    this.#children.delete(child);
    this.#ready.delete(child);
  }

  async #start(): Promise<void> {
    const child = new SqlChild(this.#scratch);
    this.#children.add(child);
    this.#booting++;
    void child.closed.then(() => this.#forget(child));
    try {
      await child.ready;
      this.#bootFailures = 0;
      this.#ready.add(child);
    } catch (error) {
      this.#forget(child);
      if (++this.#bootFailures >= BOOT_FAILURES) {
        for (const waiting of this.#queue.splice(0)) waiting.reject(error as Error);
      }
    } finally {
      this.#booting--;
    }
    if (!this.#closed) this.#dispatch();
  }

  #watchWhileBusy(): void {
    this.#watch ??= setInterval(() => {
      for (const child of this.#ready) void child.watchMemory();
      this.#rescueLinedUp();
      if (this.#running.size > 0) return;
      clearInterval(this.#watch);
      this.#watch = undefined;
    }, WATCH_EVERY_MS);
  }
}

function diedOutcome(how: string): Execution {
  const message = `the process that ran this statement ended (${how}), ${DEATHS} times`;
  return { outcome: "error", message, duration_ms: 0, rewrites: [] };
}

/**
 * Opens a sandbox: a pool of child processes that run untrusted SQL on SQLite files, one statement at a time each, on
 * warm read-only connections, and that are killed and replaced at a deadline or memory limit (spec 9).
 *
 * @example
 * const sandbox = openSqliteSandbox({ children: 2 });
 * const execution = await sandbox.run({ database: "/data/world_1.sqlite", sql: "SELECT count(*) FROM city" });
 * if (execution.outcome === "rows") console.log(execution.rows); // [["i4079"]]
 * await sandbox.close();
 */
export function openSqliteSandbox(options: SandboxOptions = {}): SqliteSandbox {
  const size = options.children ?? Math.min(4, availableParallelism());
  if (!Number.isInteger(size) || size < 1)
    throw new SqlError(`children must be a positive number, not ${size}`);
  const pool = new Pool(size);

  function run(request: RunRequest & { want?: "rows" }): Promise<Execution>;
  function run(request: RunRequest & { want: "digest" }): Promise<DigestExecution>;
  async function run(
    request: RunRequest & { want?: "rows" | "digest" },
  ): Promise<Execution | DigestExecution> {
    const { database, sql, want = "rows" } = request;
    if (!isAbsolute(database)) throw new SqlError(`a database path must be absolute: ${database}`, { sql });
    const limits = { ...DEFAULT_LIMITS, ...options.limits, ...request.limits };
    const scans = request.reversed === true ? { reversed: true as const } : {};
    return pool.run({ database, sql, want, limits, ...scans });
  }
  return { run, close: () => pool.close() };
}
