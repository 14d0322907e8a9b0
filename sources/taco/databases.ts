import { type SqliteFile, sqliteFile } from "../sqlite-file.js";

/** Where a TACO database is, relative to the source's folder. */
export type TacoDatabase = SqliteFile;

/**
 * The database `<folder>/<name>/<name>.db`.
 *
 * @param name from a query file, checked to be a name and not a path
 */
export function locateTacoDatabase(root: string, folder: string, name: string): Promise<TacoDatabase> {
  return sqliteFile(root, `${folder}/${name}/${name}.db`);
}
