/** The holder's own log of what was asked and answered: what a budget is counted by, and what scoring trusts. */
import { existsSync, mkdirSync } from "node:fs";
import { dirname } from "node:path";
import Database from "better-sqlite3";
import type { LoggedAnswer } from "../../../schemas/types/answer.js";
import type { RunSettings } from "../../../schemas/types/run.js";
import { UserError } from "../../errors.js";
import { canonicalLine } from "../../record/schema-order.js";

/** What decides the answers in a log: it is begun and continued under one and the same. */
export type AnswerSettings = Pick<RunSettings, "suite" | "oracle" | "oracle_sql" | "models">;

/** Which episode of which run. */
export type EpisodeKey = Pick<LoggedAnswer, "run" | "record_id" | "condition" | "seed">;

const TABLES = `
CREATE TABLE IF NOT EXISTS settings (one INTEGER PRIMARY KEY CHECK (one = 1), line TEXT NOT NULL);
CREATE TABLE IF NOT EXISTS answers (
  run TEXT NOT NULL, record_id TEXT NOT NULL, condition TEXT NOT NULL, seed INTEGER NOT NULL, turn INTEGER NOT NULL,
  line TEXT NOT NULL, PRIMARY KEY (run, record_id, condition, seed, turn)
)`;

/** How long a reader waits for the writer: its transactions take milliseconds. */
const WAIT_MS = 30_000;

function noLog(path: string, cause: unknown): UserError {
  return new UserError(`${path} is no log of ambitab answer, or it is damaged`, {
    remedy: "name the file that ambitab answer --log has written",
    cause,
  });
}

/** Opens the file and does the first thing with it, which is where one that is no database is noticed. */
function opened<T>(path: string, readonly: boolean, first: (db: Database.Database) => T): T {
  let db: Database.Database | undefined;
  try {
    db = new Database(path, { timeout: WAIT_MS, readonly, fileMustExist: readonly });
    return first(db);
  } catch (cause) {
    db?.close();
    const code = String((cause as { code?: unknown }).code);
    if (code === "SQLITE_NOTADB" || code.startsWith("SQLITE_CORRUPT")) throw noLog(path, cause);
    if (code === "SQLITE_ERROR" && readonly) throw noLog(path, cause);
    throw cause;
  }
}

/** An object with its keys in one order, however deep. */
function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (value === null || typeof value !== "object") return value;
  const entries = Object.entries(value).filter(([, one]) => one !== undefined);
  return Object.fromEntries(
    entries.sort(([a], [b]) => (a < b ? -1 : 1)).map(([key, one]) => [key, sorted(one)]),
  );
}

/** The settings as they are compared: prices and a suite's place decide no answer. */
function deciding({ suite, oracle, oracle_sql, models }: AnswerSettings): string {
  const decoding = Object.entries(models ?? {}).map(([role, { price: _, ...one }]) => [role, one]);
  return JSON.stringify(
    sorted({ hash: suite.hash, oracle, oracle_sql, models: Object.fromEntries(decoding) }),
  );
}

/** Reads a log: for a service that goes on with it, and for scoring. */
export class AnswerLog {
  readonly path: string;
  readonly settings: AnswerSettings;
  readonly #db: Database.Database;
  readonly #of: Database.Statement<unknown[], { line: string }>;

  protected constructor(path: string, db: Database.Database) {
    this.path = path;
    this.#db = db;
    const found = db.prepare<[], { line: string }>("SELECT line FROM settings").get();
    if (found === undefined) throw noLog(path, undefined);
    this.settings = JSON.parse(found.line) as AnswerSettings;
    this.#of = db.prepare(
      "SELECT line FROM answers WHERE run = ? AND record_id = ? AND condition = ? AND seed = ? ORDER BY turn",
    );
  }

  /**
   * Opens a log for reading; a service may be writing it.
   *
   * @throws UserError where there is none
   */
  static read(path: string): AnswerLog {
    if (!existsSync(path)) {
      throw new UserError(`there is no log ${path}`, {
        remedy: "name the file that ambitab answer --log has written",
      });
    }
    return opened(path, true, (db) => new AnswerLog(path, db));
  }

  /** What one episode was answered, by turn. */
  of({ run, record_id, condition, seed }: EpisodeKey): LoggedAnswer[] {
    return this.#of.all(run, record_id, condition, seed).map(({ line }) => JSON.parse(line) as LoggedAnswer);
  }

  /** How many questions of how many runs it holds. */
  counts(): { questions: number; runs: number } {
    const sql = "SELECT count(*) AS questions, count(DISTINCT run) AS runs FROM answers";
    return this.#db.prepare<[], { questions: number; runs: number }>(sql).get() ?? { questions: 0, runs: 0 };
  }

  close(): void {
    this.#db.close();
  }
}

interface Waiting {
  readonly answer: LoggedAnswer;
  resolve(): void;
  reject(error: unknown): void;
}

/**
 * A log that grows. An answer is on the disk before anybody hears it; answers that come in one turn of the event loop are
 * committed together, because a disk takes as long for many as for one.
 */
export class GrowingAnswerLog extends AnswerLog {
  readonly #put: (waiting: readonly Waiting[]) => void;
  #waiting: Waiting[] = [];

  private constructor(path: string, db: Database.Database) {
    super(path, db);
    const insert = db.prepare("INSERT OR REPLACE INTO answers VALUES (?, ?, ?, ?, ?, ?)");
    this.#put = db.transaction((waiting: readonly Waiting[]) => {
      for (const { answer } of waiting) {
        const { run, record_id, condition, seed, turn } = answer;
        insert.run(run, record_id, condition, seed, turn, canonicalLine("answer", answer));
      }
    });
  }

  /**
   * Begins a log, or goes on with one.
   *
   * @throws UserError where what is there was begun under other settings, or is no log
   */
  static open(path: string, settings: AnswerSettings): GrowingAnswerLog {
    mkdirSync(dirname(path), { recursive: true });
    const log = opened(path, false, (db) => {
      db.pragma("journal_mode = WAL");
      // A budget that a power cut gives back would be spent twice.
      db.pragma("synchronous = FULL");
      const line = JSON.stringify(settings);
      db.transaction(() => {
        db.exec(TABLES);
        db.prepare("INSERT OR IGNORE INTO settings VALUES (1, ?)").run(line);
      }).immediate();
      return new GrowingAnswerLog(path, db);
    });
    if (deciding(log.settings) === deciding(settings)) return log;
    log.close();
    throw new UserError(`the log ${path} was begun with another release, oracle or model`, {
      remedy: "name another file with --log",
    });
  }

  /** Keeps an answer, in place of a failure where the model had failed the question before; ends when it is kept. */
  put(answer: LoggedAnswer): Promise<void> {
    return new Promise((resolve, reject) => {
      if (this.#waiting.push({ answer, resolve, reject }) === 1) setImmediate(() => this.#commit());
    });
  }

  #commit(): void {
    const waiting = this.#waiting;
    this.#waiting = [];
    if (waiting.length === 0) return;
    try {
      this.#put(waiting);
    } catch (error) {
      for (const { reject } of waiting) reject(error);
      return;
    }
    for (const { resolve } of waiting) resolve();
  }

  override close(): void {
    this.#commit();
    super.close();
  }
}
