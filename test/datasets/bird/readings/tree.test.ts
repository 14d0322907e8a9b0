import fc from "fast-check";
import { beforeAll, describe, expect, it } from "vitest";
import {
  loadPolyglot,
  parseStatement,
  writeQuery,
} from "../../../../pipelines/datasets/bird/readings/index.js";

beforeAll(loadPolyglot);

function written(sql: string): string {
  const parsed = parseStatement(sql);
  return "unreadable" in parsed ? `unreadable: ${parsed.unreadable}` : writeQuery(parsed.query);
}
function parserOf(sql: string): string {
  const parsed = parseStatement(sql);
  return "unreadable" in parsed ? "none" : parsed.parser;
}

describe("a statement read and written back", () => {
  it.each([
    // The first parser groups this as (a AND b OR c) AND d.
    [
      "AND before OR",
      "SELECT x FROM t WHERE a = 1 AND b = 2 OR c = 3 AND d = 4",
      "SELECT x FROM t WHERE a = 1 AND b = 2 OR c = 3 AND d = 4",
    ],
    [
      "parentheses that count",
      "SELECT x FROM t WHERE a = 1 AND (b = 2 OR c = 3)",
      "SELECT x FROM t WHERE a = 1 AND (b = 2 OR c = 3)",
    ],
    [
      "parentheses that do not",
      "SELECT x FROM t WHERE (a = 1) AND ((b = 2))",
      "SELECT x FROM t WHERE a = 1 AND b = 2",
    ],
    [
      "a difference of differences",
      "SELECT a - (b - c), (a - b) - c FROM t",
      "SELECT a - (b - c), a - b - c FROM t",
    ],
    ["a doubled quote", "SELECT x FROM t WHERE a = 'O''Neil'", "SELECT x FROM t WHERE a = 'O''Neil'"],
    [
      "the present time",
      "SELECT STRFTIME('%Y', CURRENT_TIMESTAMP) FROM t",
      "SELECT STRFTIME('%Y', CURRENT_TIMESTAMP) FROM t",
    ],
    [
      "odd names",
      "SELECT `Free Meal (K-12)`, T1.`index` FROM `a b` AS T1",
      'SELECT "Free Meal (K-12)", T1."index" FROM "a b" AS T1',
    ],
    ["a text in double quotes", 'SELECT x FROM t WHERE a = "USA"', 'SELECT x FROM t WHERE a = "USA"'],
    ["an offset before a comma", "SELECT x FROM t LIMIT 9, 2", "SELECT x FROM t LIMIT 2 OFFSET 9"],
    [
      "inner SELECTs",
      "SELECT x FROM t WHERE NOT EXISTS (SELECT 1 FROM u) AND y NOT IN (SELECT z FROM v)",
      "SELECT x FROM t WHERE NOT EXISTS (SELECT 1 FROM u) AND y NOT IN (SELECT z FROM v)",
    ],
    ["WITH", "WITH q AS (SELECT a FROM t) SELECT a FROM q", "WITH q AS (SELECT a FROM t) SELECT a FROM q"],
  ])("%s", (_, sql, expected) => {
    expect(written(sql)).toBe(expected);
  });

  it.each([
    [
      "a window without a partition",
      "SELECT a, RANK() OVER (ORDER BY b DESC) AS r FROM t WHERE c = 1 AND d = 2",
    ],
    ["a column named Count", "SELECT COUNT(Id) FROM tags WHERE Count BETWEEN 5 AND 7"],
    ["sum(DISTINCT x)", "SELECT SUM(DISTINCT a) FROM t"],
  ])("falls back to the second parser: %s", (_, sql) => {
    expect(parserOf(sql)).toBe("polyglot");
    expect(written(sql)).toBe(sql);
  });

  it.each([
    ["EXCEPT", "SELECT a FROM t EXCEPT SELECT a FROM u"],
    ["no SQL", "which one?"],
    ["a write", "DELETE FROM t"],
    ["two statements", "SELECT 1; SELECT 2"],
  ])("says why it has no tree: %s", (_, sql) => {
    expect(written(sql)).toMatch(/^unreadable: /);
  });

  it("keeps every nesting of conditions", () => {
    const leaf = fc.constantFrom(
      "a = 1",
      "b < 2",
      "c IS NULL",
      "d BETWEEN 1 AND 2",
      "e IN (1, 2)",
      "f LIKE 'x%'",
    );
    const { condition } = fc.letrec<{ condition: string }>((tie) => ({
      condition: fc.oneof(
        { maxDepth: 4 },
        leaf,
        fc
          .tuple(tie("condition"), fc.constantFrom("AND", "OR"), tie("condition"))
          .map(([l, o, r]) => `(${l}) ${o} (${r})`),
        fc
          .tuple(tie("condition"), fc.constantFrom("AND", "OR"), tie("condition"))
          .map(([l, o, r]) => `${l} ${o} ${r}`),
        tie("condition").map((inner) => `NOT (${inner})`),
      ),
    }));
    // The truth of the condition under every choice of truths for its leaves, by SQL's own rules read as JavaScript's.
    const truth = (sql: string, bits: number): unknown => {
      const leaves = ["a = 1", "b < 2", "c IS NULL", "d BETWEEN 1 AND 2", "e IN (1, 2)", "f LIKE 'x%'"];
      let text = leaves.reduce(
        (all, one, at) => all.replaceAll(one, (bits >> at) % 2 === 1 ? "true" : "false"),
        sql,
      );
      text = text.replaceAll("NOT", "!").replaceAll("AND", "&&").replaceAll("OR", "||");
      return new Function(`return ${text}`)();
    };
    fc.assert(
      fc.property(condition, fc.integer({ min: 0, max: 63 }), (sql, bits) => {
        const back = written(`SELECT x FROM t WHERE ${sql}`).replace("SELECT x FROM t WHERE ", "");
        expect(truth(back, bits)).toBe(truth(sql, bits));
        expect(written(`SELECT x FROM t WHERE ${back}`)).toBe(`SELECT x FROM t WHERE ${back}`);
      }),
      { numRuns: 100 },
    );
  });
});
