import {
  chmodSync,
  closeSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readSync,
  rmSync,
  statSync,
} from "node:fs";
import { join } from "node:path";
import Database from "better-sqlite3";
import { SqlError } from "../../errors.js";

export type Connection = Database.Database;

/** A read-only connection, and what must be done when it is closed. */
export interface OpenDatabase {
  connection: Connection;
  /** Bytes of the file when it was opened. */
  size: number;
  close(): void;
}

const MAGIC = "SQLite format 3\0";

function readHeader(path: string): Buffer {
  const header = Buffer.alloc(100);
  const file = openSync(path, "r");
  try {
    return header.subarray(0, readSync(file, header, 0, header.length, 0));
  } finally {
    closeSync(file);
  }
}

/** Says in words why a path is no database, before SQLite says it in a code. */
function checkedHeader(path: string): { header: Buffer; size: number } {
  const stat = statSync(path, { throwIfNoEntry: false });
  if (stat === undefined) throw new SqlError(`no such database file: ${path}`);
  if (!stat.isFile()) throw new SqlError(`not a file: ${path}`);
  if (stat.size === 0) throw new SqlError(`the database file is empty (0 bytes): ${path}`);
  const header = readHeader(path);
  if (header.toString("latin1", 0, MAGIC.length) !== MAGIC) {
    throw new SqlError(`not an SQLite database, or an encrypted one: ${path}`);
  }
  return { header, size: stat.size };
}

/**
 * A database in WAL mode cannot be read in place without making -wal and -shm files beside it (and better-sqlite3 takes
 * no `immutable` URI), so a private copy is read instead, with whatever its write-ahead log still holds merged in.
 */
function privateCopy(path: string, folder: string): string {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const home = mkdtempSync(join(folder, "wal-"));
  const copy = join(home, "copy.sqlite");
  copyFileSync(path, copy);
  chmodSync(copy, 0o600);
  if (existsSync(`${path}-wal`)) {
    copyFileSync(`${path}-wal`, `${copy}-wal`);
    chmodSync(`${copy}-wal`, 0o600);
  }
  const connection = new Database(copy);
  try {
    connection.pragma("journal_mode = DELETE");
  } finally {
    connection.close();
  }
  return copy;
}

/**
 * Opens a database file for reading only; nothing is written to it or beside it. `scratch` is a folder for the copy that
 * a database in WAL mode needs: made when it is, removed by the caller in the end. Throws an SqlError that says what is wrong.
 */
export function openReadOnly(path: string, scratch: string): OpenDatabase {
  const { header, size } = checkedHeader(path);
  const inWalMode = header[18] === 2 || header[19] === 2;
  let copy: string | undefined;
  let connection: Connection | undefined;
  try {
    if (inWalMode) copy = privateCopy(path, scratch);
    connection = new Database(copy ?? path, { readonly: true, fileMustExist: true });
    connection.pragma("query_only = ON");
    // The file is not ours: its views may not reach functions with side effects, and damage shows as an error.
    connection.pragma("trusted_schema = OFF");
    connection.pragma("cell_size_check = ON");
    // What spills from a sort stays in memory, where the watch sees it, instead of filling the disk.
    connection.pragma("temp_store = MEMORY");
    // Reads the schema, so that a damaged or locked file shows here.
    connection.prepare("SELECT count(*) FROM sqlite_schema").get();
  } catch (cause) {
    connection?.close();
    if (copy !== undefined) rmSync(join(copy, ".."), { recursive: true, force: true });
    throw new SqlError(`cannot read ${path}: ${(cause as Error).message}`, { cause });
  }
  const opened = connection;
  return {
    connection: opened,
    size,
    close() {
      opened.close();
      if (copy !== undefined) rmSync(join(copy, ".."), { recursive: true, force: true });
    },
  };
}
