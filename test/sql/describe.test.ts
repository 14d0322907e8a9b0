import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import Database from "better-sqlite3";
import { afterAll, expect, test } from "vitest";
import { SqlError } from "../../pipelines/errors.js";
import { checkIntegrity, countRows, describeSqlite } from "../../pipelines/sql/index.js";
import { makeDatabase, stateOf, temporaryFolder } from "./made-database.js";

const folder = temporaryFolder();
afterAll(() => folder.remove());

const path = makeDatabase(
  folder.path,
  "shop",
  `CREATE TABLE "Order Details" (order_id INTEGER NOT NULL, "line ""no" INT, price DECIMAL(10, 2), untyped,
     total GENERATED ALWAYS AS (price * 2), PRIMARY KEY ("line ""no", order_id),
     FOREIGN KEY (order_id) REFERENCES "order" (id), FOREIGN KEY (order_id, price) REFERENCES pair);
   CREATE TABLE "order" (id INTEGER PRIMARY KEY AUTOINCREMENT, name TEXT);
   CREATE TABLE a (x);
   CREATE VIEW broken AS SELECT * FROM gone;
   CREATE VIEW names AS SELECT name AS n FROM "order";
   CREATE VIRTUAL TABLE search USING fts5(body);
   CREATE INDEX i ON a (x);
   INSERT INTO "order" (name) VALUES ('x'), ('y');
   INSERT INTO a VALUES (1);`,
);

test("tables, columns, keys and views in the schema's order", () => {
  const before = stateOf(folder.path);
  const schema = describeSqlite(path);
  expect(schema.tables.map(({ name, kind }) => [name, kind])).toEqual([
    ["Order Details", "table"],
    ["order", "table"],
    ["a", "table"],
    ["search", "virtual"],
  ]);
  expect(schema.tables[0]).toEqual({
    name: "Order Details",
    kind: "table",
    columns: [
      { name: "order_id", type: "INTEGER", not_null: true, primary_key: 2, kind: "plain" },
      { name: 'line "no', type: "INT", not_null: false, primary_key: 1, kind: "plain" },
      { name: "price", type: "DECIMAL(10, 2)", not_null: false, primary_key: 0, kind: "plain" },
      { name: "untyped", type: "", not_null: false, primary_key: 0, kind: "plain" },
      { name: "total", type: "", not_null: false, primary_key: 0, kind: "generated_virtual" },
    ],
    foreign_keys: [
      { columns: ["order_id"], table: "order", references: ["id"] },
      { columns: ["order_id", "price"], table: "pair", references: null },
    ],
  });
  expect(schema.views).toMatchObject([
    { name: "broken", columns: [], problem: expect.stringContaining("gone") },
    { name: "names", columns: [{ name: "n", type: "TEXT" }] },
  ]);
  expect(describeSqlite(path)).toEqual(schema);
  expect([...countRows(path)]).toEqual([
    ["Order Details", 0],
    ["order", 2],
    ["a", 1],
    ["search", 0],
  ]);
  expect(checkIntegrity(path)).toEqual([]);
  expect(stateOf(folder.path)).toEqual(before);
});

test("damage is found", () => {
  const damaged = makeDatabase(folder.path, "damaged", "CREATE TABLE t (a TEXT); CREATE INDEX i ON t (a);");
  const writer = new Database(damaged);
  const insert = writer.prepare("INSERT INTO t VALUES (?)");
  writer.transaction(() => {
    for (let row = 0; row < 2000; row++) insert.run(`value ${row}`);
  })();
  writer.close();
  const bytes = readFileSync(damaged);
  bytes.fill(0x5a, bytes.length - 6000, bytes.length - 4500);
  writeFileSync(damaged, bytes);
  expect(checkIntegrity(damaged).length).toBeGreaterThan(0);
  expect(() => describeSqlite(join(folder.path, "none.sqlite"))).toThrow(SqlError);
});
