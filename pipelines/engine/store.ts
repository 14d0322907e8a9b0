import { mkdirSync } from "node:fs";
import { dirname } from "node:path";
import Database from "better-sqlite3";
import type { FileRef } from "./files.js";
import type { Outcome } from "./stage.js";

/** A finished outcome and the files it made; worthless when one of the files is gone. */
export interface StoredOutcome {
  outcome: Outcome<unknown>;
  files: FileRef[];
}

/**
 * Finished stage outcomes by key, in one SQLite database in WAL mode. Writes are batched in the main process: a killed
 * build loses at most the last batch, which the next one computes again to the same bytes. Two builds may share it.
 */
export class StageStore {
  readonly #db: Database.Database;
  readonly #read: Database.Statement<[string], { value: string }>;
  readonly #write: Database.Statement<[string, string, string]>;
  readonly #pending = new Map<string, { stage: string; value: string }>();
  #timer: NodeJS.Timeout | undefined;
  #lastFlush = Date.now();

  constructor(path: string) {
    mkdirSync(dirname(path), { recursive: true });
    this.#db = new Database(path, { timeout: 30_000 });
    this.#db.pragma("journal_mode = WAL");
    this.#db.pragma("synchronous = NORMAL");
    this.#db.exec(
      "CREATE TABLE IF NOT EXISTS outcomes (key TEXT PRIMARY KEY, stage TEXT NOT NULL, value TEXT NOT NULL) WITHOUT ROWID",
    );
    this.#read = this.#db.prepare("SELECT value FROM outcomes WHERE key = ?");
    this.#write = this.#db.prepare("INSERT OR REPLACE INTO outcomes (key, stage, value) VALUES (?, ?, ?)");
  }

  get(key: string): StoredOutcome | undefined {
    const value = this.#pending.get(key)?.value ?? this.#read.get(key)?.value;
    return value === undefined ? undefined : (JSON.parse(value) as StoredOutcome);
  }

  put(key: string, stage: string, stored: StoredOutcome): void {
    this.#pending.set(key, { stage, value: JSON.stringify(stored) });
    if (this.#pending.size >= 256 || Date.now() - this.#lastFlush > 500) this.flush();
    else this.#timer ??= setTimeout(() => this.flush(), 500).unref();
  }

  /** Writes what is pending in one transaction. */
  flush(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#lastFlush = Date.now();
    if (this.#pending.size === 0) return;
    const batch = [...this.#pending];
    this.#db.transaction(() => {
      for (const [key, { stage, value }] of batch) this.#write.run(key, stage, value);
    })();
    this.#pending.clear();
  }

  close(): void {
    this.flush();
    this.#db.close();
  }
}
