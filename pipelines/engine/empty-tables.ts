import { existsSync, rmSync } from "node:fs";
import Database from "better-sqlite3";
import { UserError } from "../errors.js";

const codeOf = (error: unknown): string => String((error as { code?: unknown }).code);

/**
 * Empties every table of a SQLite file in WAL mode, unless somebody has it open. The file stays: another process that opens it
 * at this moment waits, and writes into what is there and not into a file that has no name any more.
 *
 * @param damaged whether a file that is no database is thrown away, or is left for a person to look at
 * @returns `in_use` where another process has it open; nothing was changed then
 * @throws UserError where the file is damaged and is to be kept
 */
export function emptyTables(path: string, damaged: "throw away" | "keep"): { in_use?: string } {
  if (!existsSync(path)) return {};
  const db = new Database(path, { timeout: 200 });
  try {
    // A database can leave WAL mode only while nobody else has it open.
    db.pragma("journal_mode = DELETE");
    const tables = db
      .prepare<[], string>("SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%'")
      .pluck()
      .all();
    db.transaction(() => {
      for (const name of tables) db.exec(`DELETE FROM "${name.replaceAll('"', '""')}"`);
    }).exclusive();
    db.exec("VACUUM");
    return {};
  } catch (cause) {
    const code = codeOf(cause);
    if (code.startsWith("SQLITE_BUSY") || code.startsWith("SQLITE_LOCKED"))
      return { in_use: `${path} is open in another process` };
    if (code !== "SQLITE_NOTADB" && !code.startsWith("SQLITE_CORRUPT")) throw cause;
    if (damaged === "keep")
      throw new UserError(`${path} is damaged`, { remedy: "move it away, or remove it by hand", cause });
  } finally {
    db.close();
  }
  for (const suffix of ["", "-wal", "-shm", "-journal"]) rmSync(path + suffix, { force: true });
  return {};
}
