import { chmodSync, constants, copyFileSync, rmSync } from "node:fs";
import Database from "better-sqlite3";
import type { FileRef } from "../engine/files.js";
import type { StageContext } from "../engine/stage.js";
import { checkIntegrity } from "../sql/index.js";

/** A database in WAL mode needs files beside it to be read at all; the copy does without. */
function leaveWal(path: string): void {
  const db = new Database(path);
  try {
    if (db.pragma("journal_mode", { simple: true }) !== "delete") db.pragma("journal_mode = DELETE");
  } finally {
    db.close();
  }
}

/**
 * Takes a copy of a source's database into the store, whole and out of WAL mode; the copy shares the original's blocks
 * where the file system can.
 *
 * @param path relative to the source's folder
 * @returns the copy, or in one sentence why the database is not whole
 */
export async function takeDatabase(
  path: string,
  context: StageContext,
): Promise<{ file: FileRef } | { problem: string }> {
  const scratch = context.files.scratch();
  try {
    copyFileSync(context.sourcePath(path), scratch, constants.COPYFILE_FICLONE);
    chmodSync(scratch, 0o644);
    const [problem] = checkIntegrity(scratch);
    if (problem !== undefined) {
      return { problem: `${path} does not pass SQLite's integrity check: ${problem}` };
    }
    leaveWal(scratch);
    return { file: await context.files.adopt(scratch) };
  } finally {
    for (const suffix of ["", "-journal", "-wal", "-shm"]) rmSync(scratch + suffix, { force: true });
  }
}
