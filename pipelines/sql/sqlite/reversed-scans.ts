import { quoteIdentifier } from "../text/shape.js";
import type { Connection } from "./open.js";

/** Names under which a table's rowid can be read, unless a column has the name. */
const ROWIDS = ["_rowid_", "rowid", "oid"];

/** The terms that turn a table's own order round. */
function reversedOrder(connection: Connection, table: string, withoutRowid: boolean): string {
  const columns = connection
    .prepare<[string], { name: string; pk: number }>("SELECT name, pk FROM pragma_table_xinfo(?) ORDER BY pk")
    .all(table);
  const names = new Set(columns.map(({ name }) => name.toLowerCase()));
  const rowid = ROWIDS.find((name) => !names.has(name));
  if (!withoutRowid && rowid !== undefined) return `${rowid} DESC`;
  const keys = columns.filter(({ pk }) => withoutRowid && pk > 0);
  return (keys.length > 0 ? keys : columns).map(({ name }) => `${quoteIdentifier(name)} DESC`).join(", ");
}

/**
 * Lays a temporary view over every table of a database, of the same name and columns, that gives its rows in the reverse
 * of their own order. What SQL means does not depend on that order, so a statement that gives another result under the
 * views depends on what nothing decides. (SQLite's own `reverse_unordered_selects` turns no scan round that feeds a sort or
 * a GROUP BY.) Nothing is written: the views live with the connection, in memory.
 */
export function reverseScans(connection: Connection): void {
  const tables = connection
    .prepare<[], { name: string; wr: number }>(
      `SELECT name, wr FROM pragma_table_list
         WHERE schema = 'main' AND type = 'table' AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\'`,
    )
    .all();
  connection.pragma("query_only = OFF");
  try {
    for (const { name, wr } of tables) {
      const quoted = quoteIdentifier(name);
      const order = reversedOrder(connection, name, wr === 1);
      // With a LIMIT, SQLite may neither merge the view into the statement nor leave its order out.
      connection.exec(
        `CREATE TEMP VIEW ${quoted} AS SELECT * FROM main.${quoted} ORDER BY ${order} LIMIT -1`,
      );
    }
  } finally {
    connection.pragma("query_only = ON");
  }
}
