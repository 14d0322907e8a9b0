import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import Database from "better-sqlite3";
import { afterAll, describe, expect, it } from "vitest";
import { openSuite } from "../../../pipelines/record/suite.js";
import { diffSources } from "../../../pipelines/release/diff/sources.js";
import { diffSuites } from "../../../pipelines/release/diff/suites.js";
import { diffText } from "../../../pipelines/release/diff/text.js";

const home = mkdtempSync(join(tmpdir(), "ambitab diff ü'"));
afterAll(() => rmSync(home, { recursive: true, force: true }));

/** A folder with these files; a value that is a list of statements becomes a database. */
function folder(name: string, files: Readonly<Record<string, string | readonly string[]>>): string {
  const root = join(home, name);
  for (const [file, content] of Object.entries(files)) {
    const path = join(root, file);
    mkdirSync(dirname(path), { recursive: true });
    if (typeof content === "string") {
      writeFileSync(path, content);
      continue;
    }
    const database = new Database(path);
    for (const sql of content) database.exec(sql);
    database.close();
  }
  return root;
}

const record = (id: string, request: string): string =>
  `${JSON.stringify({ record_id: id, avt_id: id, public: { request }, oracle: {}, verifier: {}, provenance: {} })}\n`;

describe("two builds", () => {
  const build = (name: string, records: string, rows: string): string =>
    folder(name, {
      "build/taco/records.jsonl": records,
      "build/taco/lock.json": `{"name":"${name}"}`,
      "build/taco/databases/a/a.sqlite": ["CREATE TABLE t(x)", `INSERT INTO t VALUES ${rows}`],
    });
  const older = build("older", record("r/1", "one") + record("r/2", "two"), "(1), (2)");
  const newer = build("newer", record("r/2", "zwei") + record("r/3", "three"), "(1), (2), (3)");

  it("are told record by record, field by field, and table by table", async () => {
    const diff = await diffSuites(openSuite(older), openSuite(newer));
    expect(diff.datasets).toHaveLength(1);
    const [{ records, databases } = expect.fail("no dataset")] = diff.datasets;
    expect([records.added, records.removed]).toEqual([["r/3"], ["r/1"]]);
    expect(records.changed).toEqual([
      { key: "r/2", fields: [{ path: "public.request", before: "two", after: "zwei" }] },
    ]);
    expect(databases.changed).toEqual([
      { path: "a/a.sqlite", tables: [{ table: "t", rows_before: 2, rows_after: 3 }] },
    ]);
    const text = diffText(diff, 0);
    expect(text).toContain("records 2 → 2: 1 added, 1 removed, 1 changed, 0 the same");
    expect(text).toContain('public.request: "two" → "zwei"');
    expect(text).toContain("a/a.sqlite: table t: 2 → 3 rows");
  });

  it("have a dataset that only one side has as all added", async () => {
    const more = folder("more", {
      "build/ambiqt/records.jsonl": record("a/1", "x"),
      "build/ambiqt/lock.json": "{}",
      "build/ambiqt/databases/b/b.sqlite": ["CREATE TABLE t(x)"],
    });
    const [ambiqt, taco] = (await diffSuites(openSuite(older), openSuite(more))).datasets;
    expect([ambiqt?.records.added, ambiqt?.databases.added]).toEqual([["a/1"], ["b/b.sqlite"]]);
    expect([taco?.records.removed, taco?.databases.removed]).toEqual([["r/1", "r/2"], ["a/a.sqlite"]]);
  });
});

describe("two copies of a source", () => {
  const dev = (...rows: object[]): string => JSON.stringify(rows);
  const one = folder("copy one", {
    "dev.json": dev({ question_id: 1, evidence: "" }, { question_id: 2, evidence: "x" }),
    "tables.json": '{"a": 1}',
    "list.jsonl": '{"a":1}\n{"a":1}\n',
    "d/d.sqlite": ["CREATE TABLE t(x)", "INSERT INTO t VALUES (1), (2)"],
    "same.txt": "same",
  });
  const two = folder("copy two", {
    "dev.json": dev({ question_id: 2, evidence: "y" }, { question_id: 1, evidence: "" }),
    "tables.json": '{"a": 2}',
    "list.jsonl": '{"a":1}\n{"a":2}\n',
    "d/d.sqlite": ["CREATE TABLE t(x)", "INSERT INTO t VALUES (2), (1)"],
    "same.txt": "same",
  });

  it("are told file by file, rows matched by upstream's id or else by position", async () => {
    const diff = await diffSources(one, two);
    expect(diff.same).toBe(1);
    const byFile = new Map(diff.files.map((file) => [file.file, file]));
    expect(byFile.get("dev.json")?.key).toBe("question_id");
    expect(byFile.get("dev.json")?.rows?.changed).toEqual([
      { key: "2", fields: [{ path: "evidence", before: "x", after: "y" }] },
    ]);
    expect(byFile.get("list.jsonl")?.key).toBeNull();
    expect(byFile.get("list.jsonl")?.rows?.changed.map(({ key }) => key)).toEqual(["row 1"]);
    expect(byFile.get("tables.json")?.problem).toMatch(/array/);
    expect(diff.databases.changed).toEqual([{ path: "d/d.sqlite", tables: [] }]);
    expect(diffText(diff, 20)).toContain("d/d.sqlite: other bytes, the same contents");
  });

  it("must have something in common", async () => {
    const other = folder("other", { "z.txt": "" });
    await expect(diffSources(one, other)).rejects.toThrow("have no file in common");
  });
});
