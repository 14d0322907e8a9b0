import Database from "better-sqlite3";
import { describe, expect, it } from "vitest";
import { needsQuotes, requote } from "../../../pipelines/datasets/ambiqt/requote.js";

describe("needsQuotes", () => {
  const yes = [
    "e-mail",
    "home port",
    "1st",
    "Ünïcode",
    "",
    "a.b",
    'quo"te',
    "order",
    "ORDER",
    "select",
    "group",
    "index",
    "current_date",
    "current_time",
    "null",
    "table",
    "case",
    "default",
    "to",
    "check",
  ];
  const no = [
    "cost",
    "retail_price",
    "Name",
    "_x",
    "key",
    "rank",
    "date",
    "type",
    "first",
    "row",
    "last",
    "abort",
    "plan",
    "x1",
    // SQLite takes these for the column where there is one.
    "true",
    "false",
  ];
  for (const name of yes) it(`${JSON.stringify(name)} does`, () => expect(needsQuotes(name)).toBe(true));
  for (const name of no) it(`${JSON.stringify(name)} does not`, () => expect(needsQuotes(name)).toBe(false));
});

describe("requote", () => {
  // [original query, reading as upstream writes it, column, alternative, expected]
  const cases: [string, string, string, string, string | undefined][] = [
    // A keyword, wherever it stands for the column.
    [
      "select name, priority from t order by priority",
      "select name, order from t order by order",
      "priority",
      "order",
      'select name, "order" from t order by "order"',
    ],
    [
      "SELECT T1.Rank FROM t AS T1",
      "SELECT T1.group FROM t AS T1",
      "rank",
      "group",
      'SELECT T1."group" FROM t AS T1',
    ],
    // Hyphens, spaces, digits, dots.
    ["select email from t", "select e-mail from t", "email", "e-mail", 'select "e-mail" from t'],
    ["select t.email from t", "select t.e-mail from t", "email", "e-mail", 'select t."e-mail" from t'],
    [
      "select town, count(*) from t group by town",
      "select home port, count(*) from t group by home port",
      "town",
      "home port",
      'select "home port", count(*) from t group by "home port"',
    ],
    [
      "select max(a) from t where a > 3",
      "select max(1st) from t where 1st > 3",
      "a",
      "1st",
      'select max("1st") from t where "1st" > 3',
    ],
    ["select a from t", "select x.y from t", "a", "x.y", 'select "x.y" from t'],
    // Odd characters inside the name.
    ["select a from t", "select Ünï from t", "a", "Ünï", 'select "Ünï" from t'],
    // The original was quoted, the reading is not.
    ['select "daily rate" from t', "select e-mail from t", "daily rate", "e-mail", 'select "e-mail" from t'],
    [
      "select [a b] from t where `a b` = 1",
      "select e-mail from t where e-mail = 1",
      "a b",
      "e-mail",
      'select "e-mail" from t where "e-mail" = 1',
    ],
    // Case of the column differs between query and schema.
    [
      "select Email from t where EMAIL like 'x'",
      "select e-mail from t where e-mail like 'x'",
      "email",
      "e-mail",
      'select "e-mail" from t where "e-mail" like \'x\'',
    ],
    // The column's name in strings and comments is not the column.
    [
      "select email from t where x = 'email'",
      "select e-mail from t where x = 'email'",
      "email",
      "e-mail",
      "select \"e-mail\" from t where x = 'email'",
    ],
    [
      "select email /* email */ from t -- email",
      "select e-mail /* e-mail */ from t -- email",
      "email",
      "e-mail",
      'select "e-mail" /* e-mail */ from t -- email',
    ],
    // Only layout differs.
    ["select  email\nfrom t", "select e-mail from t", "email", "e-mail", 'select "e-mail" from t'],
    // The same name on another table's alias was left by upstream.
    [
      "select a.email, b.email from a, b",
      "select a.e-mail, b.email from a, b",
      "email",
      "e-mail",
      'select a."e-mail", b.email from a, b',
    ],
    // Already quoted by upstream: nothing to find, nothing is guessed.
    ["select email from t", 'select "e-mail" from t', "email", "e-mail", undefined],
    // The texts differ in something else.
    ["select email from t", "select e-mail, x from t", "email", "e-mail", undefined],
    ["select email from t where x = 1", "select e-mail from t", "email", "e-mail", undefined],
    ["select email from t", "select e-mail from u", "email", "e-mail", undefined],
    ["select email from t", "", "email", "e-mail", undefined],
    // A subtraction that is one stays one.
    [
      "select e - mail, email from t",
      "select e - mail, e-mail from t",
      "email",
      "e-mail",
      'select e - mail, "e-mail" from t',
    ],
    // Keywords of the query that are spelled like the alternative keep their meaning.
    [
      "select priority from t order by 1",
      "select order from t order by 1",
      "priority",
      "order",
      'select "order" from t order by 1',
    ],
    ["select a from t limit 3", "select limit from t limit 3", "a", "limit", 'select "limit" from t limit 3'],
    ['select "x" from t', "select order from t", "x", "order", 'select "order" from t'],
    // Letters beyond ASCII are compared exactly, as SQLite does.
    ["select É from t", "select order from t", "é", "order", undefined],
    ['select "it""s" from t', "select group from t", 'it"s', "group", 'select "group" from t'],
    // A name with quotes in it.
    ["select a from t", "select b from t", "a", "b", 'select "b" from t'],
  ];
  for (const [original, reading, column, alternative, expected] of cases) {
    it(`${JSON.stringify(reading)} → ${expected === undefined ? "not guessed" : expected}`, () => {
      expect(requote(original, reading, column, alternative)).toBe(expected);
    });
  }

  it("gives readings that SQLite runs on a table with the alternative as a column", () => {
    for (const [original, reading, column, alternative, expected] of cases.slice(0, 3)) {
      if (expected === undefined) continue;
      const db = new Database(":memory:");
      db.exec(`CREATE TABLE t (name, "${alternative}")`);
      expect(() => db.prepare(requote(original, reading, column, alternative) ?? "")).not.toThrow();
      db.close();
    }
  });
});
