import { stat } from "node:fs/promises";
import type { SqlEngines } from "../../sql/engines.js";
import type { Execution, TaskRun } from "../../sql/index.js";

/** About how much memory a run's rows take, in bytes. */
function weigh({ execution }: TaskRun): number {
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
  readonly engines: SqlEngines;
  readonly #limit: number;
  readonly #kept = new Map<string, { run: TaskRun; bytes: number }>();
  readonly #underway = new Map<string, Promise<TaskRun>>();
  #bytes = 0;

  /** @param limit bytes of results to keep */
  constructor(engines: SqlEngines, limit = 64 * 1024 * 1024) {
    this.engines = engines;
    this.#limit = limit;
  }

  /** One statement on a SQLite file. */
  async run(database: string, sql: string): Promise<Execution> {
    const work = async () => ({ execution: await this.engines.run({ database, sql }) });
    return (await this.keep(`${database}\u0000${sql}`, work)).execution;
  }

  /** Whatever is run, kept under the name of all that decides its result. */
  async keep(key: string, run: () => Promise<TaskRun>): Promise<TaskRun> {
    const known = this.#kept.get(key);
    if (known !== undefined) {
      this.#kept.delete(key);
      this.#kept.set(key, known);
      return known.run;
    }
    const running = this.#underway.get(key);
    if (running !== undefined) return running;
    const work = run();
    this.#underway.set(key, work);
    try {
      const ended = await work;
      if (["rows", "error", "refused"].includes(ended.execution.outcome)) this.#keep(key, ended);
      return ended;
    } finally {
      this.#underway.delete(key);
    }
  }

  #keep(key: string, run: TaskRun): void {
    const bytes = weigh(run) + key.length * 2;
    if (bytes > this.#limit / 4) return;
    this.#kept.set(key, { run, bytes });
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
