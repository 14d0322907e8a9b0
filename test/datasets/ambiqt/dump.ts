/** What is in a SQLite database, exactly: storage class and bytes of every value, in row order. */
import Database from "better-sqlite3";

const quoted = (name: string): string => `"${name.replaceAll('"', '""')}"`;

export type Values = string[];

/** Table → column → values in the order of the rows; `class:hex`, reals with all their digits. */
export function dump(path: string): Map<string, Map<string, Values>> {
  const db = new Database(path, { readonly: true });
  try {
    const tables = db
      .prepare(
        "SELECT name FROM sqlite_schema WHERE type = 'table' AND sql NOT LIKE 'CREATE VIRTUAL%' ORDER BY rowid",
      )
      .pluck()
      .all() as string[];
    return new Map(
      tables.map((table) => {
        const columns = (db.pragma(`table_xinfo(${quoted(table)})`) as { name: string; hidden: number }[])
          .filter(({ hidden }) => hidden !== 1)
          .map(({ name }) => name);
        const values = columns.map((column) => {
          const name = quoted(column);
          return db
            .prepare(
              `SELECT typeof(${name}) || ':' || CASE typeof(${name}) WHEN 'real' THEN printf('%!.17g', ${name})
                 WHEN 'null' THEN '' ELSE hex(CAST(${name} AS BLOB)) END FROM ${quoted(table)} NOT INDEXED`,
            )
            .pluck()
            .all() as string[];
        });
        return [table, new Map(columns.map((column, index) => [column, values[index] ?? []]))];
      }),
    );
  } finally {
    db.close();
  }
}

export interface SchemaEntry {
  type: string;
  name: string;
  tbl_name: string;
  sql: string;
}

/** The schema's own statements, tables first, without those that SQLite or a virtual table makes by itself. */
export function schemaOf(path: string): SchemaEntry[] {
  const db = new Database(path, { readonly: true });
  const entries = db
    .prepare(
      "SELECT type, name, tbl_name, sql FROM sqlite_schema WHERE sql IS NOT NULL AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\' ORDER BY type <> 'table', rowid",
    )
    .all() as SchemaEntry[];
  const shadows = new Set(
    (db.pragma("table_list") as { name: string; type: string }[])
      .filter(({ type }) => type === "shadow")
      .map(({ name }) => name),
  );
  db.close();
  return entries.filter(({ name }) => !shadows.has(name));
}
