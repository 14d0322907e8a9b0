import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { digestFile, type FileDigest } from "../fetch/hash.js";
import { type SqliteFile, sqliteFile } from "../sqlite-file.js";

/** What a copy of BIRD holds of one database. Paths are relative to the source's folder. */
export interface BirdDatabase {
  file: SqliteFile;
  /** The CSVs that describe its columns, by path. */
  descriptions: ({ path: string } & FileDigest)[];
}

async function firstSqlite(root: string, folders: readonly string[], db_id: string): Promise<SqliteFile> {
  let passedOver: Exclude<SqliteFile, { kind: "sqlite" }> | undefined;
  for (const folder of folders) {
    const file = await sqliteFile(root, `${folder}/${db_id}/${db_id}.sqlite`);
    if (file.kind === "sqlite") return file;
    // A pointer or a damaged file says more than that nothing is there.
    const nothing = file.reason.endsWith("is not there");
    if (passedOver === undefined || (!nothing && passedOver.reason.endsWith("is not there"))) {
      passedOver = file;
    }
  }
  return passedOver ?? { kind: "missing", reason: `${db_id}.sqlite is nowhere` };
}

async function firstDescriptions(
  root: string,
  folders: readonly string[],
  db_id: string,
): Promise<BirdDatabase["descriptions"]> {
  for (const folder of folders) {
    const path = `${folder}/${db_id}/database_description`;
    if (!existsSync(join(root, path))) continue;
    // A Mac leaves files such as `._x.csv` and `.DS_Store` in archives.
    const names = readdirSync(join(root, path)).filter((name) => /^[^.].*\.csv$/i.test(name));
    if (names.length === 0) continue;
    names.sort();
    return Promise.all(
      names.map(async (name) => ({
        path: `${path}/${name}`,
        ...(await digestFile(join(root, path, name))),
      })),
    );
  }
  return [];
}

/**
 * Finds `<folder>/<db>/<db>.sqlite` and `<folder>/<db>/database_description/*.csv`, each in the first folder that has it:
 * a copy often holds the descriptions of all databases and few of the databases.
 *
 * @param folders in the order in which they are tried
 * @param db_id from a row, checked to be a name and not a path
 */
export async function locateBirdDatabase(
  root: string,
  folders: readonly string[],
  db_id: string,
): Promise<BirdDatabase> {
  return {
    file: await firstSqlite(root, folders, db_id),
    descriptions: await firstDescriptions(root, folders, db_id),
  };
}
