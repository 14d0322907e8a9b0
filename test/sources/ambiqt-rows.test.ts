import { describe, expect, it } from "vitest";
import { SourceError } from "../../pipelines/errors.js";
import { type AmbiqtItem, locateDatabase, readAmbiqt } from "../../sources/ambiqt/index.js";
import { rowSha256 } from "../../sources/row-hash.js";
import { failureOf, realData, temporaryFolder, writeFiles } from "./temporary.js";

const FILE = "benchmark/col-synonyms/validation.json";
const REGENERATED = "benchmark/col-synonyms/validation.regenerated.json";

const GOOD = {
  db_id: "corner_bookshop",
  question: "What does each book cost?",
  orig_query: "select price from books",
  query1: "select cost from books",
  query2: "select retail_price from books",
  extra_map: { books: { price: ["cost", "retail_price"] } },
  schema_with_content: "…",
  orig_example_idx: 7,
};

async function folderWith(rows: unknown, file = FILE, more: Record<string, string> = {}): Promise<string> {
  const root = temporaryFolder();
  await writeFiles(root, {
    [file]: typeof rows === "string" ? rows : JSON.stringify(rows, null, 1),
    ...more,
  });
  return root;
}

async function itemsOf(root: string): Promise<AmbiqtItem[]> {
  const items: AmbiqtItem[] = [];
  for await (const item of (await readAmbiqt(root)).rows()) items.push(item);
  return items;
}

async function messagesFor(rows: unknown[]): Promise<(string | undefined)[]> {
  const items = await itemsOf(await folderWith(rows));
  return items.map((item) => (item.kind === "error" ? item.error.message : undefined));
}

describe("readAmbiqt", () => {
  it("gives the fields that the conversion needs, with the row's place and hash", async () => {
    const [item] = await itemsOf(await folderWith([GOOD]));
    const { schema_with_content: _, ...fields } = GOOD;
    expect(item).toEqual({
      kind: "row",
      row: 0,
      line: 2,
      value: { row: 0, row_sha256: rowSha256(GOOD), ...fields },
    });
  });

  it("prefers upstream's own file and says which one it read", async () => {
    const root = await folderWith([GOOD], REGENERATED);
    expect((await readAmbiqt(root)).file).toBe(REGENERATED);
    await writeFiles(root, { [FILE]: "[]" });
    const file = await readAmbiqt(root);
    expect(file).toMatchObject({
      file: FILE,
      bytes: 2,
      sha256: "4f53cda18c2baa0c0354bb5f9a3ecbe5ed12ab4d8e11ba873c2f11161202b945",
    });
  });

  it("says where the rows should be when they are not", async () => {
    const error = await failureOf(readAmbiqt(temporaryFolder()));
    expect(error).toBeInstanceOf(SourceError);
    expect(error.message).toContain(REGENERATED);
  });

  const faults: [string, Record<string, unknown>, string][] = [
    ["a missing question", { question: undefined }, 'field "question": expected a string, found nothing'],
    ["an empty question", { question: " \n" }, 'field "question": expected a text, found an empty one'],
    ["a number for SQL", { query1: 3 }, 'field "query1": expected a string, found 3'],
    ["no second reading", { query2: null }, 'field "query2": expected a string, found null'],
    [
      "a path as database",
      { db_id: "../../etc" },
      'field "db_id": expected a database name, found "../../etc"',
    ],
    ["dots as database", { db_id: ".." }, "is a path, not a name"],
    ["an absolute database", { db_id: "/etc/passwd" }, "holds a path separator"],
    ["a Windows path", { db_id: "a\\b" }, "holds a path separator"],
    ["a drive letter", { db_id: "C:x" }, "begins with a drive letter"],
    ["a NUL in a name", { db_id: "a\0b" }, "holds a control character"],
    [
      "a negative index",
      { orig_example_idx: -1 },
      'field "orig_example_idx": expected a whole number from 0, found -1',
    ],
    ["a half index", { orig_example_idx: 1.5 }, "expected a whole number from 0, found 1.5"],
    ["an index as text", { orig_example_idx: "3" }, 'expected a whole number from 0, found "3"'],
    ["a list as map", { extra_map: [] }, "expected {table: {column: [names]}}, found a list of 0"],
    ["a flat map", { extra_map: { books: ["cost"] } }, 'found a list of 1 for "books"'],
    ["one name for names", { extra_map: { books: { price: "cost" } } }, 'found "cost" for "books"."price"'],
    ["an empty name", { extra_map: { books: { price: ["cost", ""] } } }, 'found "" among the names'],
  ];
  it.each(faults)("reports %s with file, row and field", async (_name, change, message) => {
    const [first, error, last] = await messagesFor([
      GOOD,
      { ...GOOD, orig_example_idx: 8, ...change },
      { ...GOOD, orig_example_idx: 9 },
    ]);
    expect(error).toContain(message);
    expect(error).toMatch(/^benchmark\/col-synonyms\/validation\.json, line \d+, row 1, field "/);
    expect([first, last]).toEqual([undefined, undefined]);
  });

  it("reports all faults of a row at once", async () => {
    const [error] = await messagesFor([{ ...GOOD, question: 1, query2: "" }]);
    expect(error).toMatch(/field "question".*; field "query2"/);
  });

  it("reports rows that are no objects", async () => {
    expect(await messagesFor([null, [], "x"])).toEqual([
      expect.stringContaining("expected an object, found null"),
      expect.stringContaining("expected an object, found a list of 0"),
      expect.stringContaining('expected an object, found "x"'),
    ]);
  });

  it("takes rows that only the conversion drops", async () => {
    const maps = [
      {},
      { books: { price: ["cost"] } },
      { books: { price: ["cost", "cost"] }, authors: { name: [] } },
    ];
    const rows = maps.map((extra_map, at) => ({ ...GOOD, orig_example_idx: at, extra_map }));
    expect(await messagesFor(rows)).toEqual([undefined, undefined, undefined]);
  });

  it("keeps table and column names that mean something to JavaScript", async () => {
    const text = JSON.stringify([GOOD])
      .replaceAll('"books"', '"__proto__"')
      .replaceAll('"price"', '"constructor"');
    const [item] = await itemsOf(await folderWith(text));
    expect(item?.kind === "row" && JSON.stringify(item.value.extra_map)).toBe(
      '{"__proto__":{"constructor":["cost","retail_price"]}}',
    );
  });

  it("reports a column of a question that comes twice, with both places", async () => {
    const other = { ...GOOD, extra_map: { books: { genre: ["category", "subject"] } } };
    const [, , error, last] = await messagesFor([GOOD, other, GOOD, { ...GOOD, orig_example_idx: 8 }]);
    expect(error).toMatch(
      /row 2, field "extra_map": .*question 7 once, found books\.price here and in row 0/,
    );
    expect(last).toBeUndefined();
  });

  it("stops with the place when the file is cut off", async () => {
    const text = JSON.stringify([GOOD]);
    const root = await folderWith(`${text.slice(0, -1)},\n{"db_id": "x`);
    expect((await failureOf(itemsOf(root))).message).toMatch(
      /line 2, column 13, row 1: the file ends inside/,
    );
  });

  describe("without orig_example_idx", () => {
    const { orig_example_idx: _, ...bare } = GOOD;
    const second = { ...bare, question: "Which books are dear?" };
    const genre = { books: { genre: ["category", "subject"] } };
    const indices = async (root: string) =>
      (await itemsOf(root)).map((item) =>
        item.kind === "row" ? item.value.orig_example_idx : item.error.message,
      );

    it("takes the index of the question in dev.json", async () => {
      const dev = JSON.stringify([{ db_id: "other", question: bare.question }, bare, second]);
      const root = await folderWith([second, bare, { ...GOOD, orig_example_idx: 40 }], FILE, {
        "spider/dev.json": dev,
      });
      expect(await indices(root)).toEqual([2, 1, 40]);
    });

    it("reports a question that dev.json does not have", async () => {
      const root = await folderWith([bare], FILE, { "spider/dev.json": "[]" });
      expect(await indices(root)).toEqual([
        expect.stringMatching(/field "orig_example_idx": .*spider\/dev\.json does not have the question/),
      ]);
    });

    it("takes the row where the question first occurs when there is no dev.json, and still sees doubles", async () => {
      const root = await folderWith([second, bare, { ...second, extra_map: genre }, bare]);
      expect(await indices(root)).toEqual([0, 1, 0, expect.stringContaining("here and in row 1")]);
    });
  });
});

describe("locateDatabase", () => {
  const SQLITE = `SQLite format 3\0${"x".repeat(84)}`;

  it("looks for a database file before SQL text, in AmbiQT's and in Spider's layout", async () => {
    const root = temporaryFolder();
    await writeFiles(root, {
      "database/one/one.sqlite": SQLITE,
      "spider/database/one/schema.sql": "create table a (b);",
      "database/two/schema.sql": "create table a (b);",
      "spider/database/three/three.sql": "x",
      "spider/database/three/schema.sql": "y",
      "database/dé ux/dé ux.sqlite": SQLITE,
    });
    expect(await locateDatabase(root, "one")).toMatchObject({
      kind: "sqlite",
      path: "database/one/one.sqlite",
      bytes: 100,
    });
    expect(await locateDatabase(root, "two")).toMatchObject({ kind: "sql", path: "database/two/schema.sql" });
    expect(await locateDatabase(root, "three")).toMatchObject({ path: "spider/database/three/three.sql" });
    expect(await locateDatabase(root, "dé ux")).toMatchObject({ kind: "sqlite" });
    expect(await locateDatabase(root, "four")).toMatchObject({
      kind: "missing",
      reason: expect.stringContaining("spider/database/four or database/four"),
    });
  });

  it("passes over files that only have the name of a database", async () => {
    const root = temporaryFolder();
    await writeFiles(root, {
      "database/a/a.sqlite": "version https://git-lfs.github.com/spec/v1\noid sha256:00\nsize 1\n",
      "database/b/b.sqlite": "",
      "database/b/b.sql": "select 1;",
      "database/c/c.sqlite": "<html>404</html>",
    });
    expect(await locateDatabase(root, "a")).toEqual({
      kind: "missing",
      reason: "database/a/a.sqlite is a Git LFS pointer, not the file it points to",
    });
    expect(await locateDatabase(root, "b")).toMatchObject({ kind: "sql" });
    expect(await locateDatabase(root, "c")).toEqual({
      kind: "broken",
      reason: "database/c/c.sqlite is not a SQLite file",
    });
  });

  it("refuses a name that leaves the folder", async () => {
    await expect(locateDatabase(temporaryFolder(), "../x")).rejects.toThrow(SourceError);
  });
});

const real = realData("ambiqt");
describe.skipIf(real === undefined)("the real AmbiQT files", () => {
  it("read as 1,240 good rows over 20 databases, 19 of them SQLite files", async () => {
    const root = real ?? "";
    const items = await itemsOf(root);
    expect(items.filter((item) => item.kind === "error")).toEqual([]);
    const rows = items.flatMap((item) => (item.kind === "row" ? [item.value] : []));
    expect(rows.length).toBe(1240);
    expect(new Set(rows.map((row) => `${row.db_id} ${JSON.stringify(row.extra_map)}`)).size).toBe(242);
    const databases = [...new Set(rows.map((row) => row.db_id))].sort();
    expect(databases.length).toBe(20);
    const kinds = await Promise.all(databases.map((db_id) => locateDatabase(root, db_id)));
    expect(databases.filter((_, at) => kinds[at]?.kind !== "sqlite")).toEqual(["wta_1"]);
    expect(kinds[databases.indexOf("wta_1")]?.kind).toBe("sql");
  });

  it("give a row without its index the same one by dev.json", async () => {
    const root = temporaryFolder();
    const { readFile } = await import("node:fs/promises");
    const rows = JSON.parse(await readFile(`${real}/${REGENERATED}`, "utf8"));
    const bare = rows.slice(0, 200).map(({ orig_example_idx: _, ...row }: Record<string, unknown>) => row);
    await writeFiles(root, {
      [FILE]: JSON.stringify(bare),
      "spider/dev.json": await readFile(`${real}/spider/dev.json`),
    });
    const items = await itemsOf(root);
    expect(items.map((item) => item.kind === "row" && item.value.orig_example_idx)).toEqual(
      rows.slice(0, 200).map((row: { orig_example_idx: number }) => row.orig_example_idx),
    );
  });
});
