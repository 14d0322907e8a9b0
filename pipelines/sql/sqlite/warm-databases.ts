import { statSync } from "node:fs";
import { type Connection, type OpenDatabase, openReadOnly } from "./open.js";
import { reverseScans } from "./reversed-scans.js";

const MAX_OPEN = 64;
/** Page caches grow to 16 MB each at most; together they must stay well below the memory limit of a job. */
const MAX_CACHED_BYTES = 96 * 1024 * 1024;
const CACHE_BYTES_EACH = 16 * 1024 * 1024;

/** Stands before the path of a connection whose tables are read in reverse; no path has a NUL in it. */
const REVERSED = "\0";

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

  /**
   * Throws an SqlError when the path is no readable database.
   *
   * @param reversed a connection of its own, on which every table is read in reverse (reversed-scans.ts)
   */
  get(path: string, reversed = false): Connection {
    const key = reversed ? REVERSED + path : path;
    const stamp = stampOf(path);
    const known = this.#open.get(key);
    if (known?.stamp === stamp) {
      this.#open.delete(key);
      this.#open.set(key, known);
      return known.database.connection;
    }
    this.#close(key);
    const database = openReadOnly(path, this.#scratch);
    this.#open.set(key, { database, stamp });
    if (reversed) reverseScans(database.connection);
    this.#evict();
    return database.connection;
  }

  /** Closes the connections to a path, if there are any. */
  forget(path: string): void {
    this.#close(path);
    this.#close(REVERSED + path);
  }

  close(): void {
    for (const key of [...this.#open.keys()]) this.#close(key);
  }

  #close(key: string): void {
    this.#open.get(key)?.database.close();
    this.#open.delete(key);
  }

  #evict(): void {
    let bytes = 0;
    for (const { database } of this.#open.values()) bytes += Math.min(database.size, CACHE_BYTES_EACH);
    for (const [key, { database }] of this.#open) {
      if (this.#open.size === 1) return;
      if (this.#open.size <= MAX_OPEN && bytes <= MAX_CACHED_BYTES) return;
      bytes -= Math.min(database.size, CACHE_BYTES_EACH);
      this.#close(key);
    }
  }
}
