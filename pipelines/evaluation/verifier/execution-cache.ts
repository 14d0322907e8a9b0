import { stat } from "node:fs/promises";
import type { Execution, SqliteSandbox } from "../../sql/index.js";

/** About how much memory an execution's rows take, in bytes. */
function weigh(execution: Execution): number {
  if (execution.outcome !== "rows") return 200;
  let bytes = 200;
  for (const row of execution.rows) for (const cell of row) bytes += 24 + (cell === null ? 0 : cell.length);
  return bytes;
}

/**
 * Runs statements and keeps recent results, so that a reference is not run again for every episode of its record. The
 * store is bounded by bytes, not by count, and forgets what was used longest ago. Only finished results and errors are
 * kept: a time-out may be the machine's, and is tried again.
 */
export class ExecutionCache {
  readonly #sandbox: SqliteSandbox;
  readonly #limit: number;
  readonly #kept = new Map<string, { execution: Execution; bytes: number }>();
  readonly #underway = new Map<string, Promise<Execution>>();
  #bytes = 0;

  /** @param limit bytes of results to keep */
  constructor(sandbox: SqliteSandbox, limit = 64 * 1024 * 1024) {
    this.#sandbox = sandbox;
    this.#limit = limit;
  }

  async run(database: string, sql: string): Promise<Execution> {
    const key = `${database}\u0000${sql}`;
    const known = this.#kept.get(key);
    if (known !== undefined) {
      this.#kept.delete(key);
      this.#kept.set(key, known);
      return known.execution;
    }
    const running = this.#underway.get(key);
    if (running !== undefined) return running;
    const work = this.#sandbox.run({ database, sql });
    this.#underway.set(key, work);
    try {
      const execution = await work;
      if (execution.outcome === "rows" || execution.outcome === "error" || execution.outcome === "refused") {
        this.#keep(key, execution);
      }
      return execution;
    } finally {
      this.#underway.delete(key);
    }
  }

  #keep(key: string, execution: Execution): void {
    const bytes = weigh(execution) + key.length * 2;
    if (bytes > this.#limit / 4) return;
    this.#kept.set(key, { execution, bytes });
    this.#bytes += bytes;
    for (const [oldest, { bytes: size }] of this.#kept) {
      if (this.#bytes <= this.#limit) break;
      this.#kept.delete(oldest);
      this.#bytes -= size;
    }
  }
}

/** Whether a database file is there, so that a missing one is told apart from gold that fails. */
export async function databaseExists(path: string): Promise<boolean> {
  try {
    return (await stat(path)).isFile();
  } catch (error) {
    if ((error as { code?: unknown }).code === "ENOENT") return false;
    throw error;
  }
}
