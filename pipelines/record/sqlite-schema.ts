/** What an agent or a prompt sees of a SQLite database. */
import Database from "better-sqlite3";
import { describeConnection, quoteIdentifier } from "../sql/index.js";
import type { SchemaTable } from "./views.js";

/** Values shown per column, and the longest one that is shown. */
const EXAMPLES = 3;
const LONGEST_EXAMPLE = 40;

/**
 * The schema of a SQLite database as an agent may see it, with a few values per column: the first distinct ones in the
 * table's own order, so that the text is the same every time. The database is public; the file is opened read-only.
 */
export function schemaOf(path: string): SchemaTable[] {
  const db = new Database(path, { readonly: true, fileMustExist: true });
  try {
    return describeConnection(db).tables.map(({ name, columns, foreign_keys }) => {
      const examples = new Map<string, string[]>();
      for (const column of columns) {
        const field = quoteIdentifier(column.name);
        const values = db
          .prepare(
            `SELECT DISTINCT CAST(${field} AS TEXT) FROM (SELECT ${field} FROM ${quoteIdentifier(name)} LIMIT 200)
             WHERE ${field} IS NOT NULL AND typeof(${field}) <> 'blob' AND length(${field}) <= ${LONGEST_EXAMPLE} LIMIT ${EXAMPLES}`,
          )
          .pluck()
          .all() as string[];
        examples.set(column.name, values);
      }
      return {
        name,
        columns: columns.map((column) => ({
          name: column.name,
          type: column.type,
          key: column.primary_key > 0 || foreign_keys.some((key) => key.columns.includes(column.name)),
        })),
        foreign_keys: foreign_keys.map(({ columns: from, table, references }) => ({
          columns: from,
          table,
          to: references ?? [],
        })),
        examples: Object.fromEntries(examples),
      };
    });
  } finally {
    db.close();
  }
}
