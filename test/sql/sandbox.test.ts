import { copyFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import Database from "better-sqlite3";
import { afterAll, describe, expect, test } from "vitest";
import { Interrupted } from "../../pipelines/errors.js";
import { type Execution, openSqliteSandbox } from "../../pipelines/sql/index.js";
import { heldUp } from "../held-up.js";
import { makeDatabase, sha256, stateOf, temporaryFolder } from "./made-database.js";

const folder = temporaryFolder();
const database = makeDatabase(
  folder.path,
  "town",
  `CREATE TABLE person (id INTEGER PRIMARY KEY, name TEXT, age REAL, town TEXT);
   INSERT INTO person VALUES (1, 'Ada', 36, 'London'), (2, 'Blaise', 39.5, 'Paris'), (3, NULL, NULL, NULL);
   CREATE VIEW adult AS SELECT * FROM person WHERE age >= 18;`,
);
const before = stateOf(folder.path);
const sandbox = openSqliteSandbox({ children: 2 });
afterAll(async () => {
  await sandbox.close();
  folder.remove();
});

const ENDLESS = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT";
const run = (sql: string, limits = {}) => sandbox.run({ database, sql, limits });

describe("what may run", () => {
  test.each([
    ["SELECT 1; -- done", [["i1"]]],
    ["  /* ; */ SELECT 1 ; ", [["i1"]]],
    [";SELECT 1", [["i1"]]],
    ["SELECT ';'", [["t;"]]],
    ["VALUES (1, 2)", [["i1", "i2"]]],
    ["WITH x AS (SELECT 1 AS a) SELECT a FROM x", [["i1"]]],
    ["SELECT name FROM pragma_table_info('person') LIMIT 1", [["tid"]]],
    ["SELECT count(*) FROM adult", [["i2"]]],
    ["SELECT 1 AS pragma", [["i1"]]],
    ["SELECT name FROM person WHERE name IS NULL", [[null]]],
  ])("%s", async (sql, rows) => {
    expect(await run(sql)).toMatchObject({ outcome: "rows", rows, row_count: rows.length, rewrites: [] });
  });

  test("columns of one name stay apart, and an empty result has its columns", async () => {
    expect(await run("SELECT 1 AS a, 2 AS a")).toMatchObject({ columns: ["a", "a"], rows: [["i1", "i2"]] });
    expect(await run("SELECT id, name FROM person WHERE 0")).toMatchObject({
      columns: ["id", "name"],
      rows: [],
      row_count: 0,
    });
  });
});

describe("what is refused", () => {
  test.each([
    ["", "empty"],
    ["  ;; -- nothing", "empty"],
    ["SELECT 1; DROP TABLE person", "several_statements"],
    ["SELECT 1; SELECT 2", "several_statements"],
    ["SELECT 1\0; DROP TABLE person", "nul_character"],
    ["PRAGMA query_only = 0", "pragma"],
    ["/* x */ pragma writable_schema = 1", "pragma"],
    ["PRAGMA table_info(person)", "pragma"],
    ["EXPLAIN PRAGMA query_only = 0", "pragma"],
    ["EXPLAIN QUERY PLAN PRAGMA query_only = 0", "pragma"],
    ["ATTACH ':memory:' AS other", "attach"],
    ["DETACH main", "detach"],
    ["VACUUM", "vacuum"],
    ["VACUUM INTO 'copy.sqlite'", "vacuum"],
    ["BEGIN", "transaction"],
    ["SAVEPOINT s", "transaction"],
    ["CREATE TEMP TABLE t (a)", "temporary_object"],
    ["CREATE TEMPORARY VIEW v AS SELECT 1", "temporary_object"],
    ["CREATE TABLE t (a)", "write"],
    ["DROP TABLE person", "write"],
    ["DELETE FROM person", "write"],
    ["INSERT INTO person(name) VALUES ('x') RETURNING id", "write"],
    ["WITH x AS (SELECT 9) INSERT INTO person(id) SELECT * FROM x", "write"],
    ["ANALYZE", "write"],
    ["EXPLAIN DELETE FROM person", "write"],
  ])("%j", async (sql, reason) => {
    expect(await run(sql)).toMatchObject({ outcome: "refused", reason });
    expect(await run("SELECT count(*) FROM person")).toMatchObject({ rows: [["i3"]] });
  });
});

describe("what fails", () => {
  test.each([
    ["SELEC 1", /syntax error/],
    ["SELECT nowhere FROM person", /no such column: nowhere/],
    ["SELECT * FROM nowhere", /no such table: nowhere/],
    ["SELECT ?1", /parameter/],
    ["SELECT load_extension('x')", /not authorized/],
    ["SELECT readfile('/etc/passwd')", /no such function/],
    ["SELECT writefile('x', 'y')", /no such function/],
    ["SELECT fts3_tokenizer('simple', x'00')", /fts3tokenize|wrong|disabled/],
    ["SELECT zeroblob(1e9)", /too big/],
    ["SELECT abs(-9223372036854775808)", /overflow/],
    ["SELECT 'unterminated", /unrecognized token|unterminated/],
  ])("%s", async (sql, message) => {
    expect(await run(sql)).toMatchObject({ outcome: "error", message: expect.stringMatching(message) });
  });

  test("a database that is missing, empty, no database, cut short, or a folder", async () => {
    const at = (name: string) => join(folder.path, name);
    writeFileSync(at("empty.sqlite"), "");
    writeFileSync(at("text.sqlite"), "not a database at all");
    writeFileSync(at("broken.sqlite"), `SQLite format 3\0${"x".repeat(200)}`);
    const messages = await Promise.all(
      ["none.sqlite", "empty.sqlite", "text.sqlite", "broken.sqlite", ""].map(async (name) => {
        const execution = await sandbox.run({ database: at(name), sql: "SELECT 1" });
        return execution.outcome === "error" ? execution.message : execution.outcome;
      }),
    );
    expect(messages[0]).toMatch(/no such database file/);
    expect(messages[1]).toMatch(/empty/);
    expect(messages[2]).toMatch(/not an SQLite database, or an encrypted one/);
    expect(messages[3]).toMatch(/cannot read .*broken/);
    expect(messages[4]).toMatch(/not a file/);
    for (const name of ["empty.sqlite", "text.sqlite", "broken.sqlite"])
      renameSync(at(name), at(`${name}.done`));
    await expect(sandbox.run({ database: "town.sqlite", sql: "SELECT 1" })).rejects.toThrow(/absolute/);
  });
});

describe("what is stopped", () => {
  test.each([
    ["rows", `${ENDLESS} i FROM n`, { maxRows: 1000 }, { outcome: "too_large", what: "rows" }],
    [
      "bytes",
      "SELECT hex(zeroblob(1000)) FROM person a, person b",
      { maxBytes: 10_000 },
      { outcome: "too_large", what: "bytes" },
    ],
    ["one cell", "SELECT zeroblob(40000000)", {}, { outcome: "too_large", what: "bytes" }],
    ["time", `${ENDLESS} count(*) FROM n`, { timeoutMs: 300 }, { outcome: "timeout" }],
    [
      "time in a join",
      `SELECT count(*) FROM ${Array.from("abcdefghijklmnopqrstuvwxyz", (name) => `person ${name}`).join(", ")}`,
      { timeoutMs: 300 },
      { outcome: "timeout" },
    ],
    [
      "memory in a sort",
      `${ENDLESS} i FROM n ORDER BY -i`,
      { maxMemoryBytes: 150 * 2 ** 20 },
      { outcome: "too_large", what: "memory" },
    ],
    [
      "memory in one value",
      "SELECT length(hex(randomblob(60000000)))",
      { maxMemoryBytes: 150 * 2 ** 20 },
      { outcome: "too_large", what: "memory" },
    ],
  ])("%s", async (_, sql, limits, outcome) => {
    expect(await run(sql, limits)).toMatchObject(outcome);
  });

  test("exactly at a cap is not over it", async () => {
    expect(await run("SELECT id FROM person", { maxRows: 3, maxBytes: 6 })).toMatchObject({ row_count: 3 });
    expect(await run("SELECT id FROM person", { maxBytes: 5 })).toMatchObject({ what: "bytes" });
    expect(await run("SELECT id FROM person", { maxRows: 2 })).toMatchObject({ what: "rows" });
  });

  test("a runaway costs its limit and others go on, none lost", async () => {
    await Promise.all(Array.from({ length: 4 }, () => run("SELECT 1")));
    const lost = heldUp();
    const stops = Array.from({ length: 3 }, () => run(`${ENDLESS} count(*) FROM n`, { timeoutMs: 400 }));
    const others = await Promise.all(Array.from({ length: 400 }, (_, at) => run(`SELECT ${at}`)));
    expect(others.map((each) => each.outcome === "rows" && each.rows[0]?.[0])).toEqual(
      others.map((_, at) => `i${at}`),
    );
    const stoppedOnes = await Promise.all(stops);
    const late = lost();
    for (const stopped of stoppedOnes) {
      expect(stopped.outcome).toBe("timeout");
      expect(stopped.duration_ms).toBeGreaterThanOrEqual(399);
      // Its limit and 0.2 s on a machine with nothing else to do (test/bench).
      expect(stopped.duration_ms).toBeLessThan(1400 + late);
    }
  });

  test("what is lined up behind a long job moves to a free process", async () => {
    const own = openSqliteSandbox({ children: 2, limits: { timeoutMs: 120_000 } });
    try {
      const quick = (count: number) =>
        Promise.all(Array.from({ length: count }, () => own.run({ database, sql: "SELECT 1" })));
      expect((await quick(40)).every((each) => each.outcome === "rows")).toBe(true);
      const ended: string[] = [];
      const long = own.run({ database, sql: `${ENDLESS} count(*) FROM n` });
      const longEnd = long.catch(() => undefined).then(() => ended.push("long"));
      await quick(8).then(() => ended.push("quick"));
      await own.close();
      await longEnd;
      expect(ended).toEqual(["quick", "long"]);
      await expect(long).rejects.toBeInstanceOf(Interrupted);
    } finally {
      await own.close();
    }
  });
});

describe("what is left", () => {
  test("a large result arrives whole", async () => {
    const sql = `${ENDLESS} i, 'text number ' || i FROM n LIMIT 60000`;
    const execution = await run(sql);
    expect(execution).toMatchObject({ outcome: "rows", row_count: 60_000 });
    if (execution.outcome !== "rows") return;
    expect(execution.rows).toHaveLength(60_000);
    expect(
      execution.rows.every(([i, text], at) => i === `i${at + 1}` && text === `ttext number ${at + 1}`),
    ).toBe(true);
  });

  test("digests tell lists and multisets apart", async () => {
    const digest = (sql: string) => sandbox.run({ database, sql, want: "digest" });
    const [up, down, less] = await Promise.all([
      digest("SELECT id FROM person ORDER BY id"),
      digest("SELECT id FROM person ORDER BY id DESC"),
      digest("SELECT id FROM person WHERE id < 3"),
    ]);
    if (up?.outcome !== "rows" || down?.outcome !== "rows" || less?.outcome !== "rows")
      throw new Error("no rows");
    expect(up.row_count).toBe(3);
    expect("rows" in up).toBe(false);
    expect(up.digest.ordered).not.toBe(down.digest.ordered);
    expect(up.digest.unordered).toBe(down.digest.unordered);
    expect(less.digest.unordered).not.toBe(up.digest.unordered);
  });

  test("a replaced file is read anew", async () => {
    const path = makeDatabase(folder.path, "changing", "CREATE TABLE t (a); INSERT INTO t VALUES (1);");
    const read = () => sandbox.run({ database: path, sql: "SELECT a FROM t" });
    for (let round = 0; round < 4; round++) expect(await read()).toMatchObject({ rows: [["i1"]] });
    copyFileSync(
      makeDatabase(folder.path, "other", "CREATE TABLE t (a); INSERT INTO t VALUES (2);"),
      `${path}.new`,
    );
    renameSync(`${path}.new`, path);
    for (let round = 0; round < 4; round++) expect(await read()).toMatchObject({ rows: [["i2"]] });
  });

  test("databases in WAL mode are read, with what their log still holds, and nothing appears beside them", async () => {
    const wal = temporaryFolder();
    const path = makeDatabase(
      wal.path,
      "wal",
      "PRAGMA journal_mode = WAL; CREATE TABLE t (a); INSERT INTO t VALUES (1);",
    );
    const closed = stateOf(wal.path);
    expect(await sandbox.run({ database: path, sql: "SELECT a FROM t" })).toMatchObject({ rows: [["i1"]] });
    expect(stateOf(wal.path)).toEqual(closed);
    const writer = new Database(path);
    writer.exec("INSERT INTO t VALUES (2)");
    const open = stateOf(wal.path);
    expect(Object.keys(open)).toContain("wal.sqlite-wal");
    const copy = join(wal.path, "copy.sqlite");
    copyFileSync(path, copy);
    copyFileSync(`${path}-wal`, `${copy}-wal`);
    writer.close();
    const hash = sha256(`${copy}-wal`);
    expect(await sandbox.run({ database: copy, sql: "SELECT a FROM t" })).toMatchObject({
      rows: [["i1"], ["i2"]],
    });
    expect(sha256(`${copy}-wal`)).toBe(hash);
    wal.remove();
  });

  test("the database file is as it was, alone", async () => {
    const executions: Execution[] = await Promise.all([run("SELECT 1"), run("DELETE FROM person")]);
    expect(executions.map((each) => each.outcome)).toEqual(["rows", "refused"]);
    expect(sha256(database)).toBe(before["town.sqlite"]);
    expect(
      Object.keys(stateOf(folder.path)).filter((name) => /town.*-(wal|shm|journal)$/.test(name)),
    ).toEqual([]);
  });
});

test("a digest of a large result fits into the memory that one process has", async () => {
  const sql = `${ENDLESS} i, i * 3, 'some text with an é ' || i FROM n LIMIT 300000`;
  const digested = await sandbox.run({ database, sql, want: "digest" });
  expect(digested).toMatchObject({ outcome: "rows", row_count: 300_000 });
});
