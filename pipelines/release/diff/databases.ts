/** How two sets of database files differ: by file, then by table. */
import { existsSync } from "node:fs";
import { join } from "node:path";
import { hashFile } from "../../engine/files.js";
import { SqlError } from "../../errors.js";
import { tableContents } from "../../sql/index.js";

/** One table that differs; a side that does not have it is null. */
export interface TableChange {
  readonly table: string;
  readonly rows_before: number | null;
  readonly rows_after: number | null;
}

/** One file whose bytes differ. No tables: the contents are the same, and only the file is written otherwise. */
export interface DatabaseChange {
  readonly path: string;
  readonly tables: readonly TableChange[];
  /** Why the tables could not be compared, for instance because it is a dump. */
  readonly problem?: string;
}

export interface DatabasesDiff {
  readonly before: number;
  readonly after: number;
  readonly added: readonly string[];
  readonly removed: readonly string[];
  readonly changed: readonly DatabaseChange[];
}

function compareTables(path: string, before: string, after: string): DatabaseChange {
  try {
    const [old, now] = [tableContents(before), tableContents(after)];
    const names = new Set([...old.keys(), ...now.keys()]);
    const tables = [...names]
      .filter((name) => old.get(name)?.sha256 !== now.get(name)?.sha256)
      .map((table) => ({
        table,
        rows_before: old.get(table)?.rows ?? null,
        rows_after: now.get(table)?.rows ?? null,
      }));
    return { path, tables };
  } catch (error) {
    if (!(error instanceof SqlError)) throw error;
    return { path, tables: [], problem: error.message };
  }
}

/**
 * Compares two folders' database files. Files with equal bytes are equal; the tables of the others are compared by row
 * counts and contents.
 *
 * @param paths what either side has, relative to its folder
 */
export async function diffDatabases(
  before: { folder: string; paths: Iterable<string> },
  after: { folder: string; paths: Iterable<string> },
): Promise<DatabasesDiff> {
  const old = new Set(before.paths);
  const now = new Set(after.paths);
  const changed: DatabaseChange[] = [];
  for (const path of [...now].filter((one) => old.has(one)).sort()) {
    const [a, b] = [join(before.folder, path), join(after.folder, path)];
    const missing = [a, b].find((file) => !existsSync(file));
    if (missing !== undefined) changed.push({ path, tables: [], problem: `there is no file ${missing}` });
    else if ((await hashFile(a)).sha256 !== (await hashFile(b)).sha256) {
      const readable = path.endsWith(".sqlite") || path.endsWith(".db");
      changed.push(
        readable
          ? compareTables(path, a, b)
          : { path, tables: [], problem: "a dump, compared by its bytes only" },
      );
    }
  }
  return {
    before: old.size,
    after: now.size,
    added: [...now].filter((path) => !old.has(path)).sort(),
    removed: [...old].filter((path) => !now.has(path)).sort(),
    changed,
  };
}
