import { describe, expect, it } from "vitest";
import { SourceError, SourceErrors } from "../../pipelines/errors.js";
import { readSpiderTables } from "../../sources/ambiqt/index.js";
import { failureOf, realData, temporaryFolder, writeFiles } from "./temporary.js";

const GOOD = {
  db_id: "pair",
  table_names_original: ["Owners", "Boats"],
  column_names_original: [
    [-1, "*"],
    [0, "Owner_ID"],
    [0, "Town"],
    [1, "Boat_ID"],
    [1, "Owner_ID"],
    [1, "Home Town"],
  ],
  primary_keys: [1, 3],
  foreign_keys: [[4, 1]],
};

async function read(rows: unknown[], file = "spider/tables.json") {
  const root = temporaryFolder();
  await writeFiles(root, { [file]: JSON.stringify(rows) });
  return (await readSpiderTables(root)).schemas;
}

const owner = { table: "Owners", column: "Owner_ID" };

describe("readSpiderTables", () => {
  it("gives tables, columns and keys in the database's own names", async () => {
    expect((await read([GOOD], "tables.json")).get("pair")).toEqual({
      db_id: "pair",
      tables: ["Owners", "Boats"],
      columns: [
        owner,
        { table: "Owners", column: "Town" },
        { table: "Boats", column: "Boat_ID" },
        { table: "Boats", column: "Owner_ID" },
        { table: "Boats", column: "Home Town" },
      ],
      primary_keys: [owner, { table: "Boats", column: "Boat_ID" }],
      foreign_keys: [{ from: { table: "Boats", column: "Owner_ID" }, to: owner }],
    });
  });

  it("reads composite keys given as lists in the list", async () => {
    const composite = {
      ...GOOD,
      primary_keys: [1, [3, 4]],
      foreign_keys: [
        [
          [4, 5],
          [1, 2],
        ],
      ],
    };
    const schema = (await read([composite])).get("pair");
    expect(schema?.primary_keys.map((key) => `${key.table}.${key.column}`)).toEqual([
      "Owners.Owner_ID",
      "Boats.Boat_ID",
      "Boats.Owner_ID",
    ]);
    expect(schema?.foreign_keys.map(({ from, to }) => `${from.column}>${to.column}`)).toEqual([
      "Owner_ID>Owner_ID",
      "Home Town>Town",
    ]);
  });

  const faults: [string, Record<string, unknown>, string][] = [
    ["no id", { db_id: undefined }, 'field "db_id": expected a string, found nothing'],
    ["an id with a path", { db_id: "../x" }, "holds a path separator"],
    ["no tables", { table_names_original: null }, 'field "table_names_original": expected a list'],
    [
      "a column of no table",
      { column_names_original: [[7, "x"]] },
      'expected [table, name] at 0, found [7,"x"]',
    ],
    [
      "a key that is the star",
      { primary_keys: [0] },
      'field "primary_keys": expected the index of a column, found 0',
    ],
    ["a key past the end", { primary_keys: [99] }, "expected the index of a column, found 99"],
    ["half a foreign key", { foreign_keys: [[4]] }, "expected a pair of column indices, found [4]"],
    [
      "uneven sides",
      { foreign_keys: [[[4, 5], [1]]] },
      "expected a pair of column indices, found [[4,5],[1]]",
    ],
    ["a mixed pair", { foreign_keys: [[4, [1]]] }, "expected a pair of column indices, found [4,[1]]"],
  ];
  it.each(faults)("reports %s with file, row and field", async (_name, change, message) => {
    const error = await failureOf(
      read([
        { ...GOOD, db_id: "first" },
        { ...GOOD, ...change },
      ]),
    );
    expect(error).toBeInstanceOf(SourceErrors);
    expect(error.message).toContain("spider/tables.json, line 1, row 1");
    expect(error.message).toContain(message);
  });

  it("reports a database that is there twice, and every bad row at once", async () => {
    const error = await failureOf(read([GOOD, GOOD, { ...GOOD, db_id: 5 }, null]));
    expect(error).toBeInstanceOf(SourceErrors);
    if (!(error instanceof SourceErrors)) return;
    expect(error.errors.map((one) => one.place.row)).toEqual([1, 2, 3]);
    expect(error.message).toContain('found "pair" here and in row 0');
  });

  it("says where the file should be", async () => {
    expect(await failureOf(readSpiderTables(temporaryFolder()))).toBeInstanceOf(SourceError);
  });
});

const real = realData("ambiqt");
describe.skipIf(real === undefined)("the real tables.json", () => {
  it("reads as 166 schemas", async () => {
    const schemas = (await readSpiderTables(real ?? "")).schemas;
    expect(schemas.size).toBe(166);
    expect(
      schemas.get("concert_singer")?.foreign_keys.map(({ from }) => `${from.table}.${from.column}`),
    ).toEqual(["concert.Stadium_ID", "singer_in_concert.Singer_ID", "singer_in_concert.concert_ID"]);
  });
});
