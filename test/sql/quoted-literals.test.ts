import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { PACKAGE_ROOT } from "../../pipelines/package-root.js";
import { openSqliteSandbox, type Row } from "../../pipelines/sql/index.js";
import { makeDatabase, temporaryFolder } from "./made-database.js";

const folder = temporaryFolder();
const database = makeDatabase(
  folder.path,
  "world",
  `CREATE TABLE city (id INTEGER PRIMARY KEY, name TEXT, country TEXT, "odd.name" TEXT);
   CREATE TABLE note (city_id INTEGER, text TEXT);
   INSERT INTO city VALUES (1, 'Nice', 'France', 'x'), (2, 'Austin', 'USA', 'y'), (3, 'name', 'USA', 'z'), (4, 'O''Hare "x"', 'it''s', NULL);
   INSERT INTO note VALUES (1, 'sea'), (2, 'USA');`,
);
const sandbox = openSqliteSandbox({ children: 2 });
afterAll(async () => {
  await sandbox.close();
  folder.remove();
});
const run = (sql: string) => sandbox.run({ database, sql });

/** Tokens rewritten, with the offset of each proved against the text. */
async function rewritten(sql: string): Promise<{ tokens: string[]; rows: Row[] }> {
  const execution = await run(sql);
  if (execution.outcome !== "rows") throw new Error(JSON.stringify(execution));
  for (const { token, offset } of execution.rewrites)
    expect(sql.slice(offset, offset + token.length)).toBe(token);
  return {
    tokens: execution.rewrites.map(({ token, offset }) => `${token}@${offset}`),
    rows: execution.rows,
  };
}

describe("double-quoted literals", () => {
  test.each([
    [`SELECT id FROM city WHERE country = "USA"`, [`"USA"@36`], [["i2"], ["i3"]]],
    [
      `SELECT id FROM city WHERE country IN ("USA", "France") AND name <> "Nice"`,
      [`"USA"@38`, `"France"@45`, `"Nice"@67`],
      [["i2"], ["i3"]],
    ],
    // A column stays a column, whatever its quotes.
    [`SELECT "name" FROM city WHERE "country" = "France"`, [`"France"@42`], [["tNice"]]],
    [`SELECT "city"."name" FROM "city" WHERE id = 1`, [], [["tNice"]]],
    [`SELECT "odd.name" FROM city WHERE id = 1`, [], [["tx"]]],
    // The same spelling is a column in one place and text in another.
    [
      `SELECT (SELECT "text" FROM note WHERE city_id = 2), "text" FROM city WHERE id = 1`,
      [`"text"@52`],
      [["tUSA", "ttext"]],
    ],
    [
      `SELECT "text" FROM city WHERE id IN (SELECT city_id FROM note WHERE "text" = 'sea')`,
      [`"text"@7`],
      [["ttext"]],
    ],
    [
      `SELECT "text" FROM note WHERE text = "USA" UNION ALL SELECT "text" FROM city WHERE id = 1`,
      [`"USA"@37`, `"text"@60`],
      [["tUSA"], ["ttext"]],
    ],
    [
      `SELECT count(*) FROM city WHERE "USA" = country OR country = "USA" OR "USA" = name`,
      [`"USA"@32`, `"USA"@61`, `"USA"@70`],
      [["i2"]],
    ],
    // An alias is a name.
    [
      `SELECT name AS "n" FROM city WHERE country = "USA" ORDER BY "n"`,
      [`"USA"@45`],
      [["tAustin"], ["tname"]],
    ],
    [
      `SELECT "n" FROM (SELECT name AS "n" FROM city WHERE id = 1) WHERE "n" = "Nice"`,
      [`"Nice"@72`],
      [["tNice"]],
    ],
    // Not in comments, not in strings.
    [
      `SELECT '"USA"' /* "USA" */ FROM city WHERE country = "USA" -- "USA"`,
      [`"USA"@53`],
      [[`t"USA"`], [`t"USA"`]],
    ],
    // Quotes inside, and neighbours that must not run together.
    [`SELECT id FROM city WHERE country = "it's"`, [`"it's"@36`], [["i4"]]],
    [`SELECT id FROM city WHERE name = "O'Hare ""x"""`, [`"O'Hare ""x"""@33`], [["i4"]]],
    [`SELECT 1 FROM city WHERE id = 1 AND country LIKE"fra%"`, [`"fra%"@48`], [["i1"]]],
    [`SELECT id FROM city WHERE country = "größer" OR name = "Nice"`, [`"größer"@36`, `"Nice"@55`], [["i1"]]],
  ])("%s", async (sql, tokens, rows) => expect(await rewritten(sql)).toEqual({ tokens, rows }));

  test.each([
    `SELECT "city.name" FROM city`,
    `SELECT "CITY.Name" FROM city`,
    `SELECT name FROM city AS c WHERE "c.country" = 'USA'`,
    `SELECT "note.text" FROM city`,
    `SELECT name FROM city WHERE country = "USA" AND "city.id" = 1`,
  ])("%s is refused: a column was meant", async (sql) => {
    expect(await run(sql)).toMatchObject({ outcome: "refused", reason: "quoted_qualified_name" });
  });

  test.each([
    [`SELECT "U.S. of A", "a.b", "." FROM city WHERE id = 1`, ["tU.S. of A", "ta.b", "t."]],
    [`SELECT "city.", ".name", "city.nothing" FROM city WHERE id = 1`, ["tcity.", "t.name", "tcity.nothing"]],
  ])("%s holds text with dots", async (sql, row) => expect((await rewritten(sql)).rows).toEqual([row]));

  test.each([
    ["SELECT `nope` FROM city", /no such column/],
    ["SELECT [nope] FROM city", /no such column/],
    ["SELECT nope FROM city", /no such column: nope/],
    [`SELECT city."nope" FROM city`, /no such column: city.nope/],
    [`SELECT * FROM "nope"`, /no such table: nope/],
    [`SELECT "USA", nope FROM city`, /no such column: nope/],
  ])("%s stays an error", async (sql, message) => {
    expect(await run(sql)).toMatchObject({ outcome: "error", message: expect.stringMatching(message) });
  });
});

const spider = resolve(process.env.AMBITAB_DATA ?? join(PACKAGE_ROOT, "../shared/data"), "ambiqt/spider");
const here = existsSync(join(spider, "dev_gold.sql"));
if (!here) console.warn(`skipped: Spider is not in ${spider}`);

test.runIf(here)("all of Spider dev's gold runs, its double-quoted literals included", async () => {
  const databases = new Set(readdirSync(join(spider, "database")));
  const gold = readFileSync(join(spider, "dev_gold.sql"), "utf8")
    .split("\n")
    .map((line) => line.split("\t") as [string, string])
    .filter(([sql, id]) => sql !== "" && databases.has(id) && id !== "wta_1");
  const executions = await Promise.all(
    gold.map(async ([sql, id]) => {
      const path = join(spider, "database", id, `${id}.sqlite`);
      return { sql, execution: await sandbox.run({ database: path, sql }) };
    }),
  );
  expect(executions.filter(({ execution }) => execution.outcome !== "rows")).toEqual([]);
  // 213 of all 1,034; this many without wta_1.
  expect(executions.filter(({ execution }) => execution.rewrites.length > 0).length).toBeGreaterThan(200);
});
