import { chmodSync, copyFileSync, rmSync } from "node:fs";
import Database from "better-sqlite3";
import type { FileRef } from "../../engine/files.js";
import { drop, itemStage, keep } from "../../engine/stage.js";
import { checkIntegrity } from "../../sql/index.js";
import type { LocatedRow, StatementRow } from "./items.js";

/** A database in WAL mode needs files beside it to be read at all; the copy does without. */
function leaveWal(path: string): void {
  const db = new Database(path);
  try {
    if (db.pragma("journal_mode", { simple: true }) !== "delete") db.pragma("journal_mode = DELETE");
  } finally {
    db.close();
  }
}

/** Takes a copy of the database that a statement is about; what is not there, or is not whole, is `source_missing`. */
export const locateDatabase = itemStage({
  name: "locate-database",
  version: "1",
  module: import.meta.url,
  select: ({ region, database, location }: StatementRow) => ({ region, database, location }),
  async run({ region, database, location }, context) {
    const missing = (detail: string) => drop("source_missing", detail, { subject: `${region}/${database}` });
    if (location.kind === "missing") return missing(location.reason);
    const scratch = context.files.scratch();
    try {
      copyFileSync(context.sourcePath(location.path), scratch);
      chmodSync(scratch, 0o644);
      const [problem] = checkIntegrity(scratch);
      if (problem !== undefined) {
        return missing(`${location.path} does not pass SQLite's integrity check: ${problem}`);
      }
      leaveWal(scratch);
      return keep<FileRef>(await context.files.adopt(scratch));
    } finally {
      for (const suffix of ["", "-journal", "-wal", "-shm"]) rmSync(scratch + suffix, { force: true });
    }
  },
  merge: (row, file): LocatedRow => ({ ...row, file }),
});
