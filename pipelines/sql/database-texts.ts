/** The texts in a SQLite database file, for whoever looks for one that should not be there. */
import { describeConnection } from "./describe.js";
import { withDatabase } from "./sqlite/read-only.js";
import { quoteIdentifier } from "./text/shape.js";

/**
 * The statements that made a database's tables, indexes, views and triggers, with the comments that were written in them,
 * in schema order.
 *
 * @throws SqlError when the file is no database
 */
export function schemaStatements(path: string): string[] {
  return withDatabase(path, (connection) =>
    connection
      .prepare<[], { sql: string }>("SELECT sql FROM sqlite_schema WHERE sql IS NOT NULL ORDER BY rowid")
      .all()
      .map(({ sql }) => sql),
  );
}

/**
 * Calls `visit` with every text of a table's cells, one row at a time.
 *
 * @param least shorter texts are left out (UTF-16 units)
 * @returns how many were visited
 * @throws SqlError when the file is no database
 */
export function eachCellText(
  path: string,
  least: number,
  visit: (text: string, table: string, column: string) => void,
): number {
  return withDatabase(path, (connection) => {
    let visited = 0;
    for (const { name, kind, columns } of describeConnection(connection).tables) {
      if (kind === "virtual") continue;
      const list = columns.map((column) => quoteIdentifier(column.name)).join(", ");
      const rows = connection.prepare<[], unknown[]>(`SELECT ${list} FROM ${quoteIdentifier(name)}`);
      for (const row of rows.raw().safeIntegers().iterate()) {
        for (const [at, cell] of row.entries()) {
          if (typeof cell !== "string" || cell.length < least) continue;
          visit(cell, name, columns[at]?.name ?? "");
          visited += 1;
        }
      }
    }
    return visited;
  });
}
