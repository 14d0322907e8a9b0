import type Database from "better-sqlite3";
import type { Draws } from "../../engine/random.js";
import { describeConnection, quoteIdentifier, sameName } from "../../sql/index.js";

const ROWID = ["rowid", "_rowid_", "oid"];

/** How rows of a table are told apart: a rowid by a name no column took, else the primary key (WITHOUT ROWID). */
function rowKey(db: Database.Database, table: string): string[] {
  const description = describeConnection(db).tables.find(({ name }) => sameName(name, table));
  const columns = description?.columns ?? [];
  const keys = columns.filter(({ primary_key }) => primary_key > 0).map(({ name }) => quoteIdentifier(name));
  for (const alias of ROWID) {
    if (columns.some(({ name }) => sameName(name, alias))) continue;
    try {
      db.prepare(`SELECT ${alias} FROM ${quoteIdentifier(table)}`);
      return [alias];
    } catch {
      // A WITHOUT ROWID table has none under any name: its primary key tells its rows apart.
      return keys;
    }
  }
  return keys;
}

/** The rows of a table by a copy of their keys, which is what a WITHOUT ROWID table needs; several times the work. */
function drawByKey(
  db: Database.Database,
  table: string,
  key: string[],
  columns: Columns,
  draws: Draws,
): void {
  const name = quoteIdentifier(table);
  const keyColumns = key.map((_, index) => `k${index}`);
  db.exec(`CREATE TEMP TABLE place (n INTEGER PRIMARY KEY, ${[...keyColumns, "v"].join(", ")})`);
  db.exec(
    `INSERT INTO temp.place (${[...keyColumns, "v"].join(", ")})
     SELECT ${[...key, quoteIdentifier(columns.source)].join(", ")} FROM main.${name} ORDER BY ${key.join(", ")}`,
  );
  db.exec(`CREATE INDEX temp.place_key ON place (${keyColumns.join(", ")})`);
  db.exec("CREATE TEMP TABLE drawn (n INTEGER PRIMARY KEY, source INTEGER NOT NULL)");
  const rows = db.prepare("SELECT count(*) FROM temp.place").pluck().get() as number;
  const insert = db.prepare("INSERT INTO temp.drawn (n, source) VALUES (?, ?)");
  for (let n = 1; n <= rows; n += 1) insert.run(n, draws.below(rows) + 1);
  const same = key.map((column, index) => `w.k${index} IS ${name}.${column}`).join(" AND ");
  db.exec(
    `UPDATE main.${name} SET ${quoteIdentifier(columns.target)} =
       (SELECT s.v FROM temp.place w JOIN temp.drawn d ON d.n = w.n JOIN temp.place s ON s.n = d.source WHERE ${same})`,
  );
  db.exec("DROP TABLE temp.drawn; DROP TABLE temp.place");
}

/** The rows of a table by rowid: each takes its value from a drawn row of the other column, which nothing changes. */
function drawByRowid(
  db: Database.Database,
  table: string,
  rowid: string,
  columns: Columns,
  draws: Draws,
): void {
  const name = quoteIdentifier(table);
  const rowids = db
    .prepare(`SELECT ${rowid} FROM main.${name} ORDER BY ${rowid}`)
    .pluck()
    .safeIntegers()
    .all();
  const update = db.prepare(
    `UPDATE main.${name} SET ${quoteIdentifier(columns.target)} =
       (SELECT s.${quoteIdentifier(columns.source)} FROM main.${name} AS s WHERE s.${rowid} = ?) WHERE ${rowid} = ?`,
  );
  for (const row of rowids) update.run(rowids[draws.below(rowids.length)], row);
}

interface Columns {
  source: string;
  target: string;
}

/**
 * Fills `target` with values drawn with replacement from `source`, NULLs included. It is done inside SQLite, so that
 * bytes, storage classes and text in any encoding come over exactly.
 */
export function drawValues(db: Database.Database, table: string, columns: Columns, draws: Draws): void {
  const key = rowKey(db, table);
  const [only] = key;
  if (only !== undefined && ROWID.includes(only)) drawByRowid(db, table, only, columns, draws);
  else drawByKey(db, table, key, columns, draws);
}
