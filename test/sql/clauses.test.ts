import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { clauses } from "../../pipelines/sql/index.js";

describe("clauses", () => {
  it.each([
    ["SELECT a FROM t", ["SELECT a", "FROM t"]],
    [
      "select a, count(*) from t join u on t.x = u.x where a > 1 and b in (select b from v where c = 1) group by a having count(*) > 2 order by a desc limit 3 offset 1;",
      [
        "select a, count(*)",
        "from t join u on t.x = u.x",
        "where a > 1 and b in (select b from v where c = 1)",
        "group by a",
        "having count(*) > 2",
        "order by a desc",
        "limit 3",
        "offset 1",
      ],
    ],
    [
      "WITH x AS (SELECT 1 FROM t) SELECT * FROM x UNION ALL SELECT 2",
      ["WITH x AS (SELECT 1 FROM t)", "SELECT *", "FROM x", "UNION ALL", "SELECT 2"],
    ],
    [
      "SELECT 'FROM t WHERE' AS \"ORDER BY\" -- LIMIT 1\nFROM t",
      ["SELECT 'FROM t WHERE' AS \"ORDER BY\"", "FROM t"],
    ],
    ["SELECT a IS DISTINCT FROM b FROM t", ["SELECT a IS DISTINCT FROM b", "FROM t"]],
    ["SELECT extract(year FROM d) FROM t", ["SELECT extract(year FROM d)", "FROM t"]],
    [
      "SELECT sum(a) OVER (PARTITION BY b ORDER BY c) FROM t",
      ["SELECT sum(a) OVER (PARTITION BY b ORDER BY c)", "FROM t"],
    ],
    ["UPDATE t SET a = 1 WHERE b = 2", ["UPDATE t", "SET a = 1", "WHERE b = 2"]],
    ["  ;  ", []],
    ["", []],
  ])("%s", (sql, expected) => {
    expect(clauses(sql)).toEqual(expected);
  });

  it("leaves out nothing but white space, comments and the last semicolon", () => {
    const word = fc.constantFrom(
      ..."SELECT FROM WHERE a b = 1 ( ) , 'x y' \"FROM\" GROUP ORDER BY LIMIT DISTINCT WITH AS -- /*c*/".split(
        " ",
      ),
      "-- a comment\n",
      "\n",
    );
    const solid = (text: string): string =>
      text.replace(/--[^\n]*(?:\n|$)|\/\*c\*\//g, " ").replace(/\s+/g, "");
    fc.assert(
      fc.property(fc.array(word, { maxLength: 25 }), (words) => {
        const sql = words.filter((one) => one !== "--").join(" ");
        expect(solid(clauses(sql).join(" "))).toBe(solid(sql));
      }),
    );
  });
});
