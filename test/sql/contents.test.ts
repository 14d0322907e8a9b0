import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import Database from "better-sqlite3";
import { afterAll, describe, expect, it } from "vitest";
import { tableContents } from "../../pipelines/sql/index.js";

const folder = mkdtempSync(join(tmpdir(), "ambitab-contents-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

let made = 0;
function contentsOf(...statements: string[]) {
  const path = join(folder, `${made++}.sqlite`);
  const database = new Database(path);
  for (const sql of statements) database.exec(sql);
  database.close();
  return tableContents(path);
}
const hash = (...statements: string[]): string | undefined => contentsOf(...statements).get("t")?.sha256;

const TABLE = 'CREATE TABLE t(a, "b c" TEXT)';

describe("a table's contents", () => {
  const base = hash(TABLE, "INSERT INTO t VALUES (1, 'x'), (2, 'y')");

  it("do not depend on the order of rows, on indexes or on free space", () => {
    expect(hash(TABLE, "INSERT INTO t VALUES (2, 'y'), (1, 'x')")).toBe(base);
    expect(hash(TABLE, "CREATE INDEX i ON t(a)", "INSERT INTO t VALUES (2, 'y'), (1, 'x')")).toBe(base);
    expect(
      hash(TABLE, "INSERT INTO t VALUES (9, 'z'), (2, 'y'), (1, 'x')", "DELETE FROM t WHERE a = 9"),
    ).toBe(base);
  });

  it.each([
    ["a value", "INSERT INTO t VALUES (1, 'x'), (3, 'y')"],
    ["a type", "INSERT INTO t VALUES (1.0, 'x'), (2, 'y')"],
    ["a number as text", "INSERT INTO t VALUES ('1', 'x'), (2, 'y')"],
    ["NULL for empty", "INSERT INTO t VALUES (1, NULL), (2, 'y')"],
    ["one row twice more", "INSERT INTO t VALUES (1, 'x'), (2, 'y'), (2, 'y'), (2, 'y')"],
    ["text that is a blob", "INSERT INTO t VALUES (1, x'78'), (2, 'y')"],
    ["text that is not UTF-8", "INSERT INTO t VALUES (1, CAST(x'ff' AS TEXT)), (2, 'y')"],
    ["a large integer", "INSERT INTO t VALUES (9007199254740993, 'x'), (2, 'y')"],
  ])("tell %s", (_, insert) => {
    expect(hash(TABLE, insert)).not.toBe(base);
  });

  it("tell integers beyond 2^53 apart, and bytes that decode alike", () => {
    expect(hash(TABLE, "INSERT INTO t VALUES (9007199254740993, 'x')")).not.toBe(
      hash(TABLE, "INSERT INTO t VALUES (9007199254740992, 'x')"),
    );
    expect(hash(TABLE, "INSERT INTO t VALUES (1, CAST(x'ff' AS TEXT))")).not.toBe(
      hash(TABLE, "INSERT INTO t VALUES (1, CAST(x'fe' AS TEXT))"),
    );
  });

  it("tell a column's name, and count rows", () => {
    expect(hash("CREATE TABLE t(a, b TEXT)", "INSERT INTO t VALUES (1, 'x'), (2, 'y')")).not.toBe(base);
    expect(contentsOf(TABLE, "INSERT INTO t VALUES (1, 'x'), (1, 'x')").get("t")?.rows).toBe(2);
  });
});
