import Database from "better-sqlite3";
import fc from "fast-check";
import { afterAll, describe, expect, test } from "vitest";
import {
  type Cell,
  type CellValue,
  decodeCell,
  encodeCell,
  openSqliteSandbox,
  renderCell,
} from "../../pipelines/sql/index.js";
import { makeDatabase, temporaryFolder } from "./made-database.js";

const folder = temporaryFolder();
const sandbox = openSqliteSandbox({ children: 1 });
afterAll(async () => {
  await sandbox.close();
  folder.remove();
});

const bytes = fc.uint8Array({ maxLength: 12 }).map((array) => Buffer.from(array));
const cellText = fc.string({ unit: "grapheme", maxLength: 12 });
/** Every kind of value, those that only PostgreSQL has among them. */
const cellValue: fc.Arbitrary<CellValue> = fc.oneof(
  fc.constant<CellValue>({ kind: "null" }),
  fc.bigInt().map<CellValue>((value) => ({ kind: "integer", value })),
  fc.double().map<CellValue>((value) => ({ kind: "real", value })),
  cellText.map<CellValue>((value) => ({ kind: "text", value })),
  bytes.map<CellValue>((value) => ({ kind: "blob", value })),
  bytes.map<CellValue>((value) => ({ kind: "invalid_text", value })),
  fc.boolean().map<CellValue>((value) => ({ kind: "boolean", value })),
  fc
    .tuple(fc.constantFrom("numeric", "date", "timestamp", "timestamptz", "interval", "json"), cellText)
    .map<CellValue>(([kind, value]) => ({ kind, value })),
  fc
    .array(cellText.map((value) => encodeCell({ kind: "text", value })))
    .map<CellValue>((value) => ({ kind: "array", value })),
);

describe("the cell encoding", () => {
  test("reads back to what was written, through JSON too", () => {
    fc.assert(
      fc.property(cellValue, (value) => {
        const cell = JSON.parse(JSON.stringify(encodeCell(value))) as Cell;
        expect(decodeCell(cell)).toEqual(value);
      }),
    );
  });

  test("is equal exactly where type and value are", () => {
    fc.assert(
      fc.property(cellValue, cellValue, (a, b) => {
        const same = a.kind === b.kind && JSON.stringify(encodeCell(a)) === JSON.stringify(encodeCell(b));
        expect(encodeCell(a) === encodeCell(b)).toBe(same);
      }),
    );
    expect(encodeCell({ kind: "integer", value: 1n })).not.toBe(encodeCell({ kind: "real", value: 1 }));
    expect(encodeCell({ kind: "real", value: 0 })).not.toBe(encodeCell({ kind: "real", value: -0 }));
  });

  test("what no encoder writes is a bug", () => expect(() => decodeCell("?x")).toThrow(TypeError));

  test("for a person", () => {
    const cells: Cell[] = [
      null,
      "i1",
      "r1",
      "r-0",
      "r1e+300",
      "rInfinity",
      "tit's",
      "b00ff",
      "uff",
      "n1.50",
      "o1",
      'a["i1",null]',
    ];
    expect(cells.map(renderCell)).toEqual([
      "NULL",
      "1",
      "1.0",
      "-0.0",
      "1e+300",
      "Infinity",
      "'it''s'",
      "x'00ff'",
      "CAST(x'ff' AS TEXT)",
      "1.50",
      "true",
      "[1, NULL]",
    ]);
  });
});

describe("values of a real database", () => {
  test.each([
    ["9223372036854775807", "i9223372036854775807"],
    ["-9223372036854775808", "i-9223372036854775808"],
    ["9007199254740993", "i9007199254740993"],
    ["1", "i1"],
    ["1.0", "r1"],
    ["-0.0", "r-0"],
    ["9e999", "rInfinity"],
    ["-9e999", "r-Infinity"],
    ["9e999 - 9e999", null],
    ["0.1 + 0.2", "r0.30000000000000004"],
    ["5e-324", "r5e-324"],
    ["''", "t"],
    ["x''", "b"],
    ["x'00ff'", "b00ff"],
    [`'a"\\' || char(10, 9, 1, 8232, 128512)`, "t" + 'a"\\\n\t\u0001\u2028😀'],
    ["char(97, 0, 98)", "ta\0b"],
    ["char(65279, 97)", "t\ufeffa"],
    ["char(65533)", "t\ufffd"],
    ["CAST(x'ff41' AS TEXT)", "uff41"],
    ["CAST(x'c080' AS TEXT)", "uc080"],
    ["CAST(x'eda080' AS TEXT)", "ueda080"],
    ["NULL", null],
  ])("SELECT %s", async (sql, cell) => {
    const database = makeDatabase(folder.path, "empty", "CREATE TABLE IF NOT EXISTS t (a)");
    expect(await sandbox.run({ database, sql: `SELECT ${sql}` })).toMatchObject({ rows: [[cell]] });
  });

  test("any value comes back exactly, in order, beside text that is not valid", async () => {
    const path = makeDatabase(folder.path, "values", "CREATE TABLE v (i INTEGER PRIMARY KEY, a, b)");
    const stored = fc.oneof(
      fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }),
      fc.double({ noNaN: true }),
      cellText,
      bytes,
      fc.constant(null),
    );
    const samples = fc.sample(fc.tuple(stored, stored), { numRuns: 400, seed: 7 });
    const writer = new Database(path);
    const insert = writer.prepare("INSERT INTO v (a, b) VALUES (?, ?)");
    writer.transaction(() => {
      for (const sample of samples) insert.run(...sample);
    })();
    writer.exec("INSERT INTO v (a, b) VALUES (CAST(x'61ff' AS TEXT), 1.0)");
    writer.close();
    const cellOf = (value: bigint | number | string | Buffer | null): Cell => {
      if (value === null) return null;
      if (typeof value === "bigint") return encodeCell({ kind: "integer", value });
      if (typeof value === "number") return encodeCell({ kind: "real", value });
      return typeof value === "string"
        ? encodeCell({ kind: "text", value })
        : encodeCell({ kind: "blob", value });
    };
    const execution = await sandbox.run({
      database: path,
      sql: "SELECT a, b, a FROM v ORDER BY i DESC;  -- last",
    });
    const expected = samples.map(([a, b]) => [cellOf(a), cellOf(b), cellOf(a)]).reverse();
    expect(execution).toMatchObject({
      columns: ["a", "b", "a"],
      rows: [["u61ff", "r1", "u61ff"], ...expected],
    });
  });

  test("a database in UTF-16", async () => {
    const database = makeDatabase(
      folder.path,
      "utf16",
      "PRAGMA encoding = 'UTF-16le'; CREATE TABLE t (a); INSERT INTO t VALUES ('é😀'), (char(65533)), (CAST(x'00d8' AS TEXT));",
    );
    expect(await sandbox.run({ database, sql: "SELECT a FROM t" })).toMatchObject({
      rows: [["té😀"], ["t\ufffd"], ["u00d8"]],
    });
  });
});
