/** What is in a database, so that two copies can be compared without comparing bytes. */
import { createHash } from "node:crypto";
import { describeSqlite } from "./describe.js";
import { withDatabase } from "./sqlite/read-only.js";
import { quoteIdentifier } from "./text/shape.js";

/** A table's rows as a multiset: how many, and a hash that does not depend on their order. */
export interface TableContents {
  readonly rows: number;
  readonly sha256: string;
}

/** A cell as its type and value; text comes as its bytes, which need not be valid in the database's encoding. */
function cellText(type: unknown, value: unknown): string {
  if (Buffer.isBuffer(value)) return `${type}:${value.toString("hex")}`;
  return Object.is(value, -0) ? `${type}:-0` : `${type}:${value}`;
}

const exactly = (name: string): string => {
  const column = quoteIdentifier(name);
  return `typeof(${column}), CASE typeof(${column}) WHEN 'text' THEN CAST(${column} AS BLOB) ELSE ${column} END`;
};

/**
 * The contents of every table of a SQLite database, by name. Rows are streamed; the eight words of their hashes are added
 * up, so that neither the order of rows nor pages, indexes or free space of the file matter. A column's name and place do.
 *
 * @throws SqlError when the file is no database
 */
export function tableContents(path: string): Map<string, TableContents> {
  const { tables } = describeSqlite(path);
  return withDatabase(path, (connection) => {
    const contents = new Map<string, TableContents>();
    for (const { name, columns } of tables) {
      const cells = columns.map((column) => exactly(column.name)).join(", ");
      const all = connection.prepare<[], unknown[]>(`SELECT ${cells} FROM ${quoteIdentifier(name)}`);
      let rows = 0;
      const lanes = new Uint32Array(8);
      for (const row of all.raw().safeIntegers().iterate()) {
        const text = JSON.stringify(columns.map((_, at) => cellText(row[2 * at], row[2 * at + 1])));
        const digest = createHash("sha256").update(text).digest();
        // A Uint32Array adds modulo 2^32 by itself.
        for (let lane = 0; lane < 8; lane += 1)
          lanes[lane] = (lanes[lane] ?? 0) + digest.readUInt32LE(4 * lane);
        rows += 1;
      }
      const head = JSON.stringify(columns.map((column) => [column.name, column.type]));
      const sha256 = createHash("sha256").update(head).update(lanes).digest("hex");
      contents.set(name, { rows, sha256 });
    }
    return contents;
  });
}
