import { copyFileSync, readFileSync, rmSync } from "node:fs";
import Database from "better-sqlite3";
import { databaseProblems } from "../../engine/database-problems.js";
import { drop, itemStage, keep } from "../../engine/stage.js";
import type { DatabaseFile, LocatedRow, SourceRow } from "./items.js";

/** Loads a SQL script into a new database file; gives SQLite's message when the script does not load. */
function loadScript(script: string, target: string): string | undefined {
  const db = new Database(target);
  try {
    db.pragma("journal_mode = OFF");
    db.pragma("foreign_keys = OFF");
    db.exec(script);
    const tables = db.prepare("SELECT count(*) FROM sqlite_schema WHERE type = 'table'").pluck().get();
    if (tables === 0) return "the script makes no table";
    db.exec("VACUUM");
    return undefined;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  } finally {
    db.close();
  }
}

/**
 * Finds the Spider database a row names (spec 2, ambiqt, "databases"): the SQLite file, else a script that loads. What is
 * not in this copy of the source, or does not load, is `source_missing` with the message, by database.
 */
export const locateDatabaseStage = itemStage({
  name: "locate-database",
  version: "1",
  module: import.meta.url,
  select: (row: SourceRow) => ({ db_id: row.db_id, database: row.database }),
  async run({ db_id, database }, context) {
    const missing = (detail: string) => drop("source_missing", detail, { subject: db_id });
    if (database.kind === "missing") {
      return missing(`no database ${db_id}: ${database.reason}`);
    }
    const { path, bytes, sha256 } = database;
    if (database.kind === "sqlite") {
      // A copy is checked, so that a database in WAL mode gets no side files in the source's folder.
      const copy = context.files.scratch();
      copyFileSync(context.sourcePath(path), copy);
      const problems = databaseProblems(copy);
      rmSync(copy, { force: true });
      if (problems.length > 0)
        return missing(`${path} does not pass SQLite's integrity check: ${problems[0]}`);
      return keep<DatabaseFile>({ from: "source", path, bytes, sha256 });
    }
    const scratch = context.files.scratch();
    const problem = loadScript(readFileSync(context.sourcePath(path), "utf8"), scratch);
    if (problem !== undefined) {
      rmSync(scratch, { force: true });
      return missing(`${path} does not load: ${problem}`);
    }
    return keep<DatabaseFile>({ from: "store", file: await context.files.adopt(scratch) });
  },
  merge: (row, original): LocatedRow => ({ ...row, original }),
});
