import { statSync } from "node:fs";
import { type Connection, type OpenDatabase, openReadOnly } from "./open.js";

const MAX_OPEN = 64;
/** Page caches grow to 16 MB each at most; together they must stay well below the memory limit of a job. */
const MAX_CACHED_BYTES = 96 * 1024 * 1024;
const CACHE_BYTES_EACH = 16 * 1024 * 1024;

/** What tells one state of a file from another: a replaced or rewritten file has another stamp. */
function stampOf(path: string): string {
  const stat = statSync(path, { throwIfNoEntry: false });
  if (stat === undefined) return "missing";
  return `${stat.dev}:${stat.ino}:${stat.size}:${stat.mtimeMs}:${stat.ctimeMs}`;
}

/**
 * Open read-only connections by path, the least recently used closed first. A file that has changed since it was opened
 * is opened again.
 */
export class WarmDatabases {
  readonly #open = new Map<string, { database: OpenDatabase; stamp: string }>();
  readonly #scratch: string;

  /** `scratch`: see openReadOnly. */
  constructor(scratch: string) {
    this.#scratch = scratch;
  }

  /** Throws an SqlError when the path is no readable database. */
  get(path: string): Connection {
    const stamp = stampOf(path);
    const known = this.#open.get(path);
    if (known?.stamp === stamp) {
      this.#open.delete(path);
      this.#open.set(path, known);
      return known.database.connection;
    }
    this.forget(path);
    const database = openReadOnly(path, this.#scratch);
    this.#open.set(path, { database, stamp });
    this.#evict();
    return database.connection;
  }

  /** Closes the connection to a path, if there is one. */
  forget(path: string): void {
    this.#open.get(path)?.database.close();
    this.#open.delete(path);
  }

  close(): void {
    for (const path of [...this.#open.keys()]) this.forget(path);
  }

  #evict(): void {
    let bytes = 0;
    for (const { database } of this.#open.values()) bytes += Math.min(database.size, CACHE_BYTES_EACH);
    for (const [path, { database }] of this.#open) {
      if (this.#open.size === 1) return;
      if (this.#open.size <= MAX_OPEN && bytes <= MAX_CACHED_BYTES) return;
      bytes -= Math.min(database.size, CACHE_BYTES_EACH);
      this.forget(path);
    }
  }
}
