import { mkdirSync } from "node:fs";
import { dirname } from "node:path";
import Database from "better-sqlite3";
import type { ModelResponse } from "../../schemas/types/model-response.js";
import { UserError } from "../errors.js";
import { canonicalLine } from "../record/schema-order.js";

// Rows with a rowid: keys are hashes, and large values in the order of their hashes would split page after page.
const TABLES = `
CREATE TABLE IF NOT EXISTS responses (key TEXT PRIMARY KEY, role TEXT NOT NULL, model TEXT NOT NULL, response TEXT NOT NULL);
CREATE TABLE IF NOT EXISTS archives (sha256 TEXT PRIMARY KEY)`;

/** Answers that are not kept waiting for others of their turn: each one's slot is idle until it is committed. */
const TOGETHER = 4;

/** How long a writer waits for another process that is writing: its transactions take milliseconds. */
const WAIT_MS = 30_000;

function openDatabase(path: string): Database.Database {
  mkdirSync(dirname(path), { recursive: true });
  const db = new Database(path, { timeout: WAIT_MS });
  try {
    db.pragma("journal_mode = WAL");
    // Survives a killed process whole; a power cut may take the last answers and damages nothing.
    db.pragma("synchronous = NORMAL");
    db.transaction(() => db.exec(TABLES)).immediate();
    return db;
  } catch (cause) {
    db.close();
    const code = String((cause as { code?: unknown }).code);
    if (code !== "SQLITE_NOTADB" && !code.startsWith("SQLITE_CORRUPT")) throw cause;
    // Unlike a stage's outcomes these cannot be computed again for nothing, so nothing is thrown away.
    throw new UserError(`the store of model answers ${path} is damaged`, {
      remedy: "move it away (a response archive can fill a new one), and run again",
      cause,
    });
  }
}

interface Waiting {
  response: ModelResponse;
  resolve(stored: ModelResponse): void;
  reject(error: unknown): void;
}

const sameAnswer = (a: ModelResponse, b: ModelResponse): boolean =>
  a.outcome === b.outcome && a.text === b.text;

/** An answer in the way of one that is to be stored; which of the two is right nobody can say. */
export interface Conflict {
  readonly stored: ModelResponse;
  readonly given: ModelResponse;
}

/**
 * Every answer that was paid for, by the request's key, in one SQLite database in WAL mode; several processes may share
 * it. An answer is in the file before anybody sees it: `put` ends after the commit. A few that arrive in one turn of the event
 * loop are committed together, so that the promise costs a full endpoint almost nothing.
 */
export class ResponseStore {
  readonly path: string;
  readonly #db: Database.Database;
  readonly #read: Database.Statement<[string], { response: string }>;
  readonly #insert: Database.Statement<[string, string, string, string]>;
  readonly #replace: Database.Statement<[string, string]>;
  #waiting: Waiting[] = [];
  #scheduled = false;

  constructor(path: string) {
    this.path = path;
    this.#db = openDatabase(path);
    this.#read = this.#db.prepare("SELECT response FROM responses WHERE key = ?");
    this.#insert = this.#db.prepare(
      "INSERT INTO responses (key, role, model, response) VALUES (?, ?, ?, ?) ON CONFLICT (key) DO NOTHING",
    );
    this.#replace = this.#db.prepare("UPDATE responses SET response = ? WHERE key = ?");
  }

  get(key: string): ModelResponse | undefined {
    const row = this.#read.get(key);
    return row === undefined ? undefined : (JSON.parse(row.response) as ModelResponse);
  }

  /**
   * Stores an answer and gives back what the store holds from now on: the answer of another process, where that one was
   * first, so that both go on with the same. Only a prompt that did not fit gives way to an answer.
   */
  put(response: ModelResponse): Promise<ModelResponse> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ response, resolve, reject });
      if (this.#waiting.length >= TOGETHER) {
        this.#commit();
        return;
      }
      if (this.#scheduled) return;
      this.#scheduled = true;
      setImmediate(() => this.#commit());
    });
  }

  #commit(): void {
    this.#scheduled = false;
    const batch = this.#waiting;
    if (batch.length === 0) return;
    this.#waiting = [];
    try {
      const stored = this.#transaction(() => batch.map(({ response }) => this.#keep(response)));
      for (const [index, { resolve }] of batch.entries()) resolve(stored[index]!);
    } catch (error) {
      for (const { reject } of batch) reject(error);
    }
  }

  /** Takes the write lock at the start, so that a second writer waits instead of failing in the middle. */
  #transaction<T>(work: () => T): T {
    return this.#db.transaction(work).immediate();
  }

  #keep(response: ModelResponse): ModelResponse {
    const { key, role, model } = response;
    const line = canonicalLine("model-response", response);
    if (this.#insert.run(key, role, model, line).changes > 0) return response;
    const stored = this.get(key)!;
    if (stored.outcome !== "context_overflow") return stored;
    this.#replace.run(line, key);
    return response;
  }

  /** Puts in all of an archive or, where one of its answers differs from a stored one, nothing; gives the conflict then. */
  addAll(responses: readonly ModelResponse[], archiveSha256: string): Conflict | undefined {
    const abandoned = new Error("conflict");
    let conflict: Conflict | undefined;
    try {
      this.#transaction(() => {
        for (const given of responses) {
          const stored = this.#keep(given);
          if (sameAnswer(stored, given)) continue;
          conflict = { stored, given };
          throw abandoned;
        }
        this.#db.prepare("INSERT OR IGNORE INTO archives (sha256) VALUES (?)").run(archiveSha256);
      });
    } catch (error) {
      if (error !== abandoned) throw error;
    }
    return conflict;
  }

  /** Whether an archive with this hash was put in before. */
  hasArchive(sha256: string): boolean {
    return this.#db.prepare("SELECT 1 FROM archives WHERE sha256 = ?").get(sha256) !== undefined;
  }

  /** Those of some keys to which an answer is stored. */
  *keysAmong(keys: Iterable<string>): Generator<string> {
    for (const key of keys) if (this.#read.get(key) !== undefined) yield key;
  }

  /** The lines of a response archive, sorted by key. */
  *lines(): Generator<{ key: string; line: string }> {
    const rows = this.#db.prepare<[], { key: string; response: string }>(
      "SELECT key, response FROM responses ORDER BY key",
    );
    for (const { key, response } of rows.iterate()) yield { key, line: response };
  }

  /** How many answers there are by role and model, in the order of their names. */
  counts(): { role: string; model: string; answers: number }[] {
    return this.#db
      .prepare<[], { role: string; model: string; answers: number }>(
        "SELECT role, model, count(*) AS answers FROM responses GROUP BY role, model ORDER BY role, model",
      )
      .all();
  }

  /** Commits what waits, and closes the file. */
  close(): void {
    if (this.#waiting.length > 0) this.#commit();
    this.#db.close();
  }
}
