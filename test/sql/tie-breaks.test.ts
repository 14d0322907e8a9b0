import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import Database from "better-sqlite3";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openSqliteSandbox, type SqliteSandbox, tieBroken } from "../../pipelines/sql/index.js";

let folder = "";
let database = "";
let sandbox: SqliteSandbox;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "ambitab-ties-"));
  database = join(folder, "it's.sqlite");
  const db = new Database(database);
  db.exec(`
    CREATE TABLE t (id INTEGER PRIMARY KEY, "group" TEXT COLLATE NOCASE, n INTEGER);
    INSERT INTO t VALUES (1, 'a', 1), (2, 'A', 1), (3, 'b', 2), (4, 'b', 2), (5, 'c', 3);
    CREATE TABLE pairs (rowid TEXT, v TEXT, PRIMARY KEY (rowid, v)) WITHOUT ROWID;
    INSERT INTO pairs VALUES ('x', '1'), ('x', '2'), ('y', '1');
    CREATE VIEW few AS SELECT * FROM t WHERE n < 3;
  `);
  db.close();
  sandbox = openSqliteSandbox({ children: 1 });
});
afterAll(async () => {
  await sandbox.close();
  rmSync(folder, { recursive: true });
});

async function rows(sql: string, reversed = false): Promise<unknown> {
  const end = await sandbox.run({ database, sql, ...(reversed ? { reversed: true as const } : {}) });
  if (end.outcome !== "rows") throw new Error(`${sql}: ${JSON.stringify(end)}`);
  return end.rows;
}

/** Whether both ways to break a statement's ties give the same rows; undefined where there is none to break. */
async function decided(sql: string, outputs: number, ordered = false): Promise<boolean | undefined> {
  const broken = tieBroken(sql, outputs, { ordered });
  if (broken === undefined) return undefined;
  return JSON.stringify(await rows(broken.ascending)) === JSON.stringify(await rows(broken.descending));
}

describe("ties", () => {
  const cases: [string, number, boolean | undefined][] = [
    ["SELECT id FROM t ORDER BY n LIMIT 1", 1, false],
    ["SELECT n FROM t ORDER BY n LIMIT 1", 1, true],
    ["SELECT id FROM t ORDER BY n, id LIMIT 1;", 1, true],
    ["SELECT id FROM t LIMIT 2", 1, false],
    ["SELECT count(*) FROM t LIMIT 1", 1, true],
    ["SELECT id FROM t ORDER BY n", 1, undefined],
    // Texts that the column's collation holds for one are tied.
    ['SELECT "group" FROM t ORDER BY "group" LIMIT 1', 1, false],
    ['SELECT "group" FROM t WHERE n = 2 ORDER BY "group" LIMIT 1', 1, true],
    ["SELECT n FROM t GROUP BY n ORDER BY count(*) DESC LIMIT 1", 1, false],
    ["SELECT id FROM t UNION SELECT n FROM t ORDER BY 1 LIMIT 2", 1, true],
    ["SELECT id, n * 2 FROM t WHERE id = (SELECT id FROM t ORDER BY n -- no more\n LIMIT 1)", 2, false],
    ["SELECT * FROM t WHERE id IN (SELECT max(id) FROM t GROUP BY n ORDER BY 1 LIMIT 2)", 3, true],
    ["WITH w AS (SELECT id, n FROM t ORDER BY n LIMIT 1) SELECT id FROM w", 1, false],
    ["SELECT 'ORDER BY x LIMIT 1' FROM t /* LIMIT 1 */", 1, undefined],
    ["SELECT row_number() OVER (ORDER BY n, id) FROM t ORDER BY 1 LIMIT 2 OFFSET 1", 1, true],
  ];
  it.each(cases)("%s", async (sql, outputs, expected) => {
    expect(await decided(sql, outputs)).toBe(expected);
  });

  it("of the whole statement count where its order does", async () => {
    expect(await decided("SELECT id FROM t ORDER BY n", 1, true)).toBe(false);
    expect(await decided("SELECT id FROM t ORDER BY n, id -- all\n;", 1, true)).toBe(true);
  });
});

describe("tables read in reverse", () => {
  const changed: [string, boolean][] = [
    ["SELECT id FROM t", true],
    ["SELECT id FROM t ORDER BY id", false],
    ['SELECT "group", count(*) FROM t GROUP BY n', true],
    ["SELECT sum(n), max(id) FROM t", false],
    ["SELECT group_concat(id) FROM t WHERE n < 3", true],
    ["SELECT rowid, v FROM pairs", true],
    ["SELECT count(*) FROM t JOIN pairs ON n = v", false],
  ];
  it.each(changed)("%s: %s", async (sql, differs) => {
    const [plain, reversed] = [await rows(sql), await rows(sql, true)];
    expect(JSON.stringify(plain) !== JSON.stringify(reversed)).toBe(differs);
    // The connection that reads plainly is another one.
    expect(await rows(sql)).toEqual(plain);
  });

  it("changes nothing in the file, and what writes is refused as ever", async () => {
    const bytes = readFileSync(database);
    for (const sql of ["DELETE FROM t", "DROP VIEW t", "CREATE TEMP TABLE u (a)", "DROP VIEW temp.t"]) {
      const end = await sandbox.run({ database, sql, reversed: true });
      expect(end.outcome === "refused" || end.outcome === "error", sql).toBe(true);
    }
    expect(readFileSync(database).equals(bytes)).toBe(true);
    expect(await rows("SELECT id FROM t", true)).toEqual([["i5"], ["i4"], ["i3"], ["i2"], ["i1"]]);
  });
});
