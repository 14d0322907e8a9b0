import { mkdirSync } from "node:fs";
import { dirname } from "node:path";
import Database from "better-sqlite3";
import { UserError } from "../errors.js";

/**
 * Holds a name for this process until `release`. The lock is SQLite's own exclusive file lock, which the system drops
 * with the process: a build killed with -9 leaves nothing that would stop the next one.
 *
 * @param path the lock's file
 * @param what what is locked, for the message
 */
export function holdExclusively(path: string, what: string): { release(): void } {
  mkdirSync(dirname(path), { recursive: true });
  const db = new Database(path, { timeout: 200 });
  try {
    db.pragma("journal_mode = DELETE");
    db.exec("BEGIN EXCLUSIVE");
  } catch (cause) {
    db.close();
    if ((cause as { code?: string }).code !== "SQLITE_BUSY") throw cause;
    throw new UserError(`${what} is being written by another process`, {
      remedy: "wait for it to end, or work in another folder",
      cause,
    });
  }
  return {
    release() {
      db.exec("ROLLBACK");
      db.close();
    },
  };
}
