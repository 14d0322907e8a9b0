import { mkdirSync, rmSync } from "node:fs";
import { dirname } from "node:path";
import Database from "better-sqlite3";
import { UserError } from "../errors.js";
import type { FileRef } from "./files.js";
import type { Outcome } from "./stage.js";

/** A finished outcome and the files it made; worthless when one of the files is gone. */
export interface StoredOutcome {
  outcome: Outcome<unknown>;
  files: FileRef[];
}

// Rows with a rowid: keys are hashes, and large values in the order of their hashes would split page after page.
const TABLE =
  "CREATE TABLE IF NOT EXISTS outcomes (key TEXT PRIMARY KEY, stage TEXT NOT NULL, value TEXT NOT NULL)";

function openStore(path: string): Database.Database {
  const db = new Database(path, { timeout: 30_000 });
  try {
    db.pragma("journal_mode = WAL");
    // A killed process loses nothing that was committed; what a crash of the whole machine may damage is made again.
    db.pragma("synchronous = OFF");
    db.exec(TABLE);
    return db;
  } catch (error) {
    db.close();
    throw error;
  }
}

const isDamage = (error: unknown): boolean => {
  const code = String((error as { code?: unknown }).code);
  return code === "SQLITE_NOTADB" || code.startsWith("SQLITE_CORRUPT");
};

/** What a stored text holds; undefined where it is no outcome, which is then computed again. */
function parseOutcome(value: string): StoredOutcome | undefined {
  try {
    const stored = JSON.parse(value) as Partial<StoredOutcome> | null;
    if (stored === null || typeof stored.outcome !== "object" || !Array.isArray(stored.files))
      return undefined;
    return stored as StoredOutcome;
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

/**
 * Finished stage outcomes by key, in one SQLite database in WAL mode. Writes are batched in the main process: a killed
 * build loses at most the last batch, which the next one computes again to the same bytes. Two builds may share it.
 */
export class StageStore {
  readonly #path: string;
  readonly #db: Database.Database;
  readonly #read: Database.Statement<[string], { value: string }>;
  readonly #write: Database.Statement<[string, string, string]>;
  readonly #pending = new Map<string, { stage: string; value: string }>();
  #timer: NodeJS.Timeout | undefined;
  #lastFlush = Date.now();

  constructor(path: string) {
    mkdirSync(dirname(path), { recursive: true });
    this.#path = path;
    try {
      this.#db = openStore(path);
    } catch (error) {
      if (!isDamage(error)) throw error;
      // It is a cache: what is no database any more holds nothing that could not be computed again.
      for (const suffix of ["", "-wal", "-shm"]) rmSync(path + suffix, { force: true });
      this.#db = openStore(path);
    }
    this.#read = this.#db.prepare("SELECT value FROM outcomes WHERE key = ?");
    this.#write = this.#db.prepare("INSERT OR REPLACE INTO outcomes (key, stage, value) VALUES (?, ?, ?)");
  }

  get(key: string): StoredOutcome | undefined {
    const value = this.#pending.get(key)?.value ?? this.#whole(() => this.#read.get(key))?.value;
    return value === undefined ? undefined : parseOutcome(value);
  }

  /** Keeps an outcome and gives it back as a later build would read it, so that a value that JSON changes shows at once. */
  put(key: string, stage: string, outcome: StoredOutcome): StoredOutcome {
    const value = JSON.stringify(outcome);
    this.#pending.set(key, { stage, value });
    if (this.#pending.size >= 256 || Date.now() - this.#lastFlush > 500) this.flush();
    else this.#timer ??= setTimeout(() => this.flush(), 500).unref();
    return JSON.parse(value) as StoredOutcome;
  }

  /** Damage inside the file shows only when a page is read; the file is in use then and cannot be replaced. */
  #whole<T>(work: () => T): T {
    try {
      return work();
    } catch (cause) {
      if (!isDamage(cause)) throw cause;
      throw new UserError(`the stage store ${this.#path} is damaged`, {
        remedy: "ambitab doctor --clean empties the caches; the next build computes them again",
        cause,
      });
    }
  }

  /** Writes what is pending in one transaction. */
  flush(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#lastFlush = Date.now();
    if (this.#pending.size === 0) return;
    const batch = [...this.#pending];
    this.#whole(
      this.#db.transaction(() => {
        for (const [key, { stage, value }] of batch) this.#write.run(key, stage, value);
      }),
    );
    this.#pending.clear();
  }

  close(): void {
    this.flush();
    this.#db.close();
  }
}
