import { describe, expect, it } from "vitest";
import { rowSha256 } from "../../sources/row-hash.js";
import { locateTacoDatabase, readTaco, type TacoItem } from "../../sources/taco/index.js";
import { compareNames } from "../../sources/taco/layout.js";
import { failureOf, realData, temporaryFolder, writeFiles } from "./temporary.js";

const GOOD = {
  sql: "SELECT a FROM t",
  problem_description: "…",
  natural_language_query: "What is a?",
  results: 0,
  "sql skeleton": "SELECT _ FROM _",
  database: "Town of... - 1",
  tables: { t: ["t.a"] },
};
const US = "us/data/new_sql_single";

async function folderWith(files: Record<string, unknown>): Promise<string> {
  const root = temporaryFolder();
  const texts = Object.entries(files).map(([path, value]) => [
    path,
    typeof value === "string" ? value : JSON.stringify(value),
  ]);
  await writeFiles(root, Object.fromEntries(texts));
  return root;
}

async function itemsOf(root: string, options?: { allRegions?: boolean }): Promise<TacoItem[]> {
  const items: TacoItem[] = [];
  for await (const item of (await readTaco(root, options)).rows()) items.push(item);
  return items;
}

describe("readTaco", () => {
  it("gives what the conversion needs, with the file's place and hash", async () => {
    const root = await folderWith({ [`${US}/Town of... - 1/generated_nl_query_3.json`]: GOOD });
    expect(await itemsOf(root)).toEqual([
      {
        kind: "row",
        source: {
          region: "us",
          folder: "Town of... - 1",
          name: "generated_nl_query_3",
          path: `${US}/Town of... - 1/generated_nl_query_3.json`,
        },
        value: {
          region: "us",
          database: GOOD.database,
          sql: GOOD.sql,
          columns: ["t.a"],
          row_sha256: rowSha256(GOOD),
        },
      },
    ]);
  });

  it("reads in one order, numbers by value, and leaves prompts/ alone", async () => {
    const files = [
      "b/generated_nl_query_10",
      "b/generated_nl_query_9",
      "a - 12/q_1",
      "a - 7/q_1",
      "b/prompts/prompts_single_1",
    ];
    const root = await folderWith(Object.fromEntries(files.map((file) => [`${US}/${file}.json`, GOOD])));
    const read = (await itemsOf(root)).map(({ source }) => `${source.folder}/${source.name}`);
    expect(read).toEqual(["a - 7/q_1", "a - 12/q_1", "b/generated_nl_query_9", "b/generated_nl_query_10"]);
  });

  it("reads the US part alone unless all regions are asked for, in a clone's folder, too", async () => {
    const root = await folderWith({
      [`TACO-Benchmark/${US}/x/q_1.json`]: GOOD,
      "TACO-Benchmark/us/data/new_sql_nl_single/x/q_1.json": GOOD,
      "TACO-Benchmark/beijing/data/new_sql_nl_single/旅游/q_1.json": GOOD,
    });
    const regions = async (allRegions: boolean) =>
      (await itemsOf(root, { allRegions })).map(({ source }) => source.region);
    expect(await regions(false)).toEqual(["us"]);
    expect(await regions(true)).toEqual(["us", "beijing"]);
  });

  it.each([
    ['{"sql": "SELECT 1", ', /q_1\.json, line 1, column \d+: expected a field name in double quotes/],
    ["[]", /expected an object, found a list of 0/],
    [{ ...GOOD, sql: 5 }, /field "sql": expected a string, found 5/],
    [{ ...GOOD, database: "../../etc" }, /field "database": expected a database name.*path separator/],
    [{ ...GOOD, tables: { t: "t.a" } }, /field "tables": expected \{table: \[table\.column\]\}/],
    [{ database: "x" }, /field "sql": expected a string, found nothing/],
  ])("says what is wrong with %j", async (content, message) => {
    const [item] = await itemsOf(await folderWith({ [`${US}/x/q_1.json`]: content }));
    expect(item?.kind).toBe("error");
    if (item?.kind === "error") expect(item.error.message).toMatch(message);
  });

  it("says where files belong when there is none", async () => {
    const failure = await failureOf(readTaco(await folderWith({ "us/data/readme.txt": "…" })));
    expect(failure.message).toBe(
      "us/data/new_sql_single: expected a folder of query files for each database here",
    );
  });

  it("reads the real files", async () => {
    const root = realData("taco");
    if (root === undefined) return;
    const us = await itemsOf(root);
    expect(us.length).toBe(200);
    expect(us.every(({ kind }) => kind === "row")).toBe(true);
    expect((await itemsOf(root, { allRegions: true })).length).toBe(203);
  });
});

describe("compareNames", () => {
  it("orders as a person counts", () => {
    expect(["q_10", "q_2", "q", "q_02", "Q_1"].sort(compareNames)).toEqual([
      "Q_1",
      "q",
      "q_02",
      "q_2",
      "q_10",
    ]);
  });
});

describe("locateTacoDatabase", () => {
  it("tells a database from a pointer, a text and nothing", async () => {
    const root = await folderWith({
      "d/pointer/pointer.db": "version https://git-lfs.github.com/spec/v1\noid sha256:0\n",
      "d/text/text.db": "hello",
      "d/empty/empty.db": "",
      "d/good/good.db": "SQLite format 3\0…",
    });
    const kinds = await Promise.all(
      ["pointer", "text", "empty", "good", "absent"].map((name) => locateTacoDatabase(root, "d", name)),
    );
    expect(kinds.map(({ kind }) => kind)).toEqual(["missing", "broken", "broken", "sqlite", "missing"]);
  });
});
