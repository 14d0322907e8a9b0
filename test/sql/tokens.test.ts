import Database from "better-sqlite3";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  isPlainIdentifier,
  ordersOutermost,
  quoteIdentifier,
  quoteLiteral,
  statements,
  tokens,
} from "../../pipelines/sql/index.js";

const kinds = (sql: string) =>
  tokens(sql)
    .filter(({ kind }) => kind !== "space")
    .map(({ kind, text }) => [kind, text]);

/** Pieces that meet in all ways: what one opens another may close. */
const piece = fc.constantFrom(
  ..."SELECT 1;'\"`[]-/*+.x'ab' x'a 0x1F 1.5e-3 .5 1abc ?1 :a @b $c # é\ufeff || ->> != ! \0 \n \t \v --c\n /*d*/ end".split(
    " ",
  ),
  " ",
);
const sqlText = fc.oneof(
  fc.string({ unit: "grapheme" }),
  fc.array(piece, { maxLength: 30 }).map((pieces) => pieces.join("")),
);

describe("tokens", () => {
  test("joined they are the text, offsets included", () => {
    fc.assert(
      fc.property(sqlText, (sql) => {
        const all = tokens(sql);
        expect(all.map(({ text }) => text).join("")).toBe(sql);
        let offset = 0;
        for (const token of all) {
          expect(token.offset).toBe(offset);
          expect(token.text.length).toBeGreaterThan(0);
          offset += token.text.length;
        }
      }),
      { numRuns: 500 },
    );
  });

  test.each([
    ["'it''s'", [["string", "'it''s'"]]],
    ['"a""b"', [["quoted_identifier", '"a""b"']]],
    [
      "`a``b`[c ]d]",
      [
        ["quoted_identifier", "`a``b`"],
        ["quoted_identifier", "[c ]"],
        ["identifier", "d"],
        ["illegal", "]"],
      ],
    ],
    ["x'0aFF'", [["blob", "x'0aFF'"]]],
    ["x'0'", [["illegal", "x'0'"]]],
    [
      "x 'a'",
      [
        ["identifier", "x"],
        ["string", "'a'"],
      ],
    ],
    [
      "1.5e-3 .5 1. 0x1F 1_000",
      [
        ["number", "1.5e-3"],
        ["number", ".5"],
        ["number", "1."],
        ["number", "0x1F"],
        ["number", "1_000"],
      ],
    ],
    ["1abc", [["illegal", "1abc"]]],
    [
      "t.1",
      [
        ["identifier", "t"],
        ["number", ".1"],
      ],
    ],
    [
      "größe$1 名前",
      [
        ["identifier", "größe$1"],
        ["identifier", "名前"],
      ],
    ],
    [
      "?1 ? :a @b $c",
      [
        ["variable", "?1"],
        ["variable", "?"],
        ["variable", ":a"],
        ["variable", "@b"],
        ["variable", "$c"],
      ],
    ],
    [
      "a->>b->c",
      [
        ["identifier", "a"],
        ["operator", "->>"],
        ["identifier", "b"],
        ["operator", "->"],
        ["identifier", "c"],
      ],
    ],
    [
      "a--b\nc",
      [
        ["identifier", "a"],
        ["comment", "--b"],
        ["identifier", "c"],
      ],
    ],
    [
      "/* a /* b */ c */",
      [
        ["comment", "/* a /* b */"],
        ["identifier", "c"],
        ["operator", "*"],
        ["operator", "/"],
      ],
    ],
    [
      "'--' \"/*\"",
      [
        ["string", "'--'"],
        ["quoted_identifier", '"/*"'],
      ],
    ],
    ["!", [["illegal", "!"]]],
  ])("%s", (sql, expected) => expect(kinds(sql)).toEqual(expected));

  test.each(["'a", '"a', "`a", "[a", "/* a", "x'a"])("%s has no end and says so", (sql) => {
    expect(tokens(sql)).toMatchObject([{ text: sql, unterminated: true }]);
  });

  test("SQLite finds several statements where they are found here", () => {
    const database = new Database(":memory:");
    const part = fc.constantFrom(
      "SELECT 1",
      "SELECT ';'",
      'SELECT 1 AS ";"',
      "SELECT 1 AS [;]",
      "/* ; */",
      "-- ;\n",
      ";",
      " ",
      "\n",
    );
    fc.assert(
      fc.property(fc.array(part, { maxLength: 6 }), (parts) => {
        const sql = parts.join(" ");
        const count = statements(sql).length;
        let said = "one";
        try {
          database.prepare(sql);
        } catch (error) {
          said = (error as Error).message;
        }
        // Statements side by side without a semicolon are a syntax error: nothing to compare.
        fc.pre(!/syntax error/.test(said));
        expect(said).toMatch(
          count === 0 ? /no statements/ : count === 1 ? /^one$/ : /more than one statement/,
        );
      }),
      { numRuns: 500 },
    );
    database.close();
  });

  test("SQLite reads a quoted name and a literal back as they were", () => {
    const database = new Database(":memory:");
    fc.assert(
      fc.property(fc.string({ minLength: 1, unit: "grapheme" }), (text) => {
        fc.pre(!text.includes("\0"));
        const statement = database.prepare(`SELECT ${quoteLiteral(text)} AS ${quoteIdentifier(text)}`);
        expect(statement.columns()[0]?.name).toBe(text);
        expect(statement.pluck().get()).toBe(text);
      }),
    );
    database.close();
  });
});

describe("shape", () => {
  test("statements keep their text and offset; a trigger is one", () => {
    expect(statements(" SELECT 1 ;\n-- x ; y\nSELECT ';' ; ")).toEqual([
      { text: " SELECT 1 ", offset: 0 },
      { text: "\n-- x ; y\nSELECT ';' ", offset: 11 },
    ]);
    const trigger =
      "CREATE TEMP TRIGGER t AFTER INSERT ON a BEGIN DELETE FROM b; SELECT CASE 1 WHEN 1 THEN 2 END; END";
    expect(statements(`${trigger}; SELECT 1;`).map(({ text }) => text.trim())).toEqual([trigger, "SELECT 1"]);
  });

  test.each([
    ["SELECT a FROM t ORDER BY a", true],
    ["SELECT a FROM t order /* x */ by a LIMIT 1;", true],
    ["SELECT a FROM t UNION SELECT b FROM u ORDER BY 1", true],
    ["(SELECT a FROM t ORDER BY a)", true],
    ["(SELECT a FROM t ORDER BY a) UNION (SELECT 1 ORDER BY 1)", false],
    ["SELECT a FROM (SELECT a FROM t ORDER BY a)", false],
    ["SELECT rank() OVER (ORDER BY a) FROM t", false],
    ["SELECT group_concat(a ORDER BY a) FROM t", false],
    ["SELECT 'ORDER BY' FROM t -- ORDER BY a", false],
    ['SELECT a AS "ORDER" FROM t GROUP BY a', false],
    ["WITH x AS (SELECT 1 ORDER BY 1) SELECT * FROM x", false],
  ])("%s orders its outermost result: %s", (sql, ordered) => expect(ordersOutermost(sql)).toBe(ordered));

  test("plain identifiers", () => {
    expect(["a", "_b1", "1a", "a b", "", "é"].map(isPlainIdentifier)).toEqual([
      true,
      true,
      false,
      false,
      false,
      false,
    ]);
  });
});
