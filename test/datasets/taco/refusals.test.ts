import { describe, expect, it } from "vitest";
import { findPlaceholder } from "../../../pipelines/datasets/taco/placeholder.js";
import { quotedQualifiedName } from "../../../pipelines/datasets/taco/quoted-names.js";
import { countStatements, syntaxError, tableRead } from "../../../pipelines/datasets/taco/statement-text.js";
import { columnsNeeded, onTable } from "../../../pipelines/datasets/taco/swap-table.js";
import { changingCall } from "../../../pipelines/sql/index.js";

const reads = (sql: string): string => {
  const reading = tableRead(sql);
  return "reads" in reading
    ? `${reading.reads.table}${reading.reads.alias === null ? "" : ` as ${reading.reads.alias}`}`
    : reading.refused;
};

describe("tableRead", () => {
  it.each([
    ["SELECT a FROM t", "t"],
    ["select a from [my t] AS x where x.a in (1, 2)", "my t as x"],
    ["SELECT a FROM main.t u", "t as u"],
    ['SELECT a FROM "t" ORDER BY a', "t"],
    ["SELECT a FROM t -- , u\n WHERE b = 'FROM u, v'", "t"],
    ["SELECT substr(a, 1, 2) FROM t GROUP BY a, b", "t"],
    ["SELECT a FROM t, u", "several_tables"],
    ["SELECT a FROM t NATURAL JOIN u", "several_tables"],
    ["SELECT a FROM t UNION SELECT a FROM u", "compound_select"],
    ["SELECT a FROM t EXCEPT SELECT a FROM t", "compound_select"],
    ["SELECT a FROM t WHERE a = (SELECT max(a) FROM t)", "subquery"],
    ["SELECT a FROM (SELECT a FROM t)", "subquery"],
    ["WITH x AS (SELECT 1) SELECT * FROM x", "subquery"],
    ["SELECT 1", "no_table"],
    ["SELECT value FROM json_each('[1]')", "no_table"],
    ["UPDATE t SET a = 1", "not_a_select"],
    ["VALUES (1)", "not_a_select"],
  ])("%s: %s", (sql, expected) => expect(reads(sql)).toBe(expected));
});

describe("syntaxError", () => {
  it("says what is no SQL, and nothing of names that are not there", () => {
    expect(syntaxError("SELECT a FROM t - u")).toContain("syntax error");
    expect(syntaxError('SELECT "a FROM t')).toContain("unrecognized token");
    expect(syntaxError("SELECT a FROM")).toContain("incomplete input");
    expect(syntaxError("SELECT absent FROM nowhere WHERE f(x) = 1 NULLS")).toContain("syntax error");
    expect(syntaxError("SELECT absent FROM nowhere WHERE x = 1")).toBeUndefined();
    expect(syntaxError("SELECT a FROM t ORDER BY a NULLS LAST")).toBeUndefined();
  });
});

describe("countStatements", () => {
  it.each([
    ["SELECT 1; -- done", 1],
    ["SELECT 1;; /* two semicolons */", 1],
    ["SELECT ';'", 1],
    ["SELECT 1; SELECT 2", 2],
    [" -- nothing", 0],
  ])("%s: %d", (sql, count) => expect(countStatements(sql)).toBe(count));
});

describe("findPlaceholder", () => {
  const foreign = (foreignScripts: boolean) => (sql: string) => findPlaceholder(sql, { foreignScripts });
  it.each([
    "SELECT a FROM t WHERE b = _",
    "SELECT a FROM t WHERE b = '_'",
    "SELECT a FROM t WHERE b = ?",
    "SELECT a FROM t WHERE b = :town",
    "SELECT a FROM t WHERE b = '指定WBID'",
    "SELECT a FROM t WHERE b = '<town>'",
    "SELECT a FROM t WHERE b = 'YourAgencyName'",
    "SELECT a FROM t WHERE b = 'example_value'",
    "SELECT a FROM t WHERE b = '...'",
  ])("finds one in %s", (sql) => {
    expect(foreign(false)(sql)).toBeDefined();
    expect(foreign(true)(sql)).toBeDefined();
  });
  it.each([
    "SELECT a AS _ FROM t",
    "SELECT a AS _1 FROM t WHERE b LIKE '_'",
    "SELECT a FROM t WHERE b = 'São Tomé' OR b = 'Example Road'",
    "SELECT 名称 FROM t WHERE b = 'x' -- ?",
  ])("finds none in %s", (sql) => expect(foreign(false)(sql)).toBeUndefined());
  it("takes a literal in another script for one only where the data has none", () => {
    expect(foreign(false)("SELECT a FROM t WHERE b = '环境保护局'")).toBeDefined();
    expect(foreign(true)("SELECT a FROM t WHERE b = '环境保护局'")).toBeUndefined();
  });
});

describe("quotedQualifiedName", () => {
  it.each([
    ['SELECT "t.a" FROM t', '"t.a"'],
    ['SELECT a FROM t WHERE "T.B" = 1', '"T.B"'],
    ['SELECT "u.c" FROM t', '"u.c"'],
    ['SELECT t."x.y" FROM t', undefined],
    ['SELECT "/.1" FROM t', undefined],
    ["SELECT a FROM t WHERE b = 't.a'", undefined],
  ])("%s: %s", (sql, found) => {
    expect(quotedQualifiedName(sql, { table: "t", alias: null }, ["t.a", "u.c"])).toBe(found);
  });
});

describe("changingCall", () => {
  it("finds chance and the clock, and no more", () => {
    expect(changingCall("SELECT a FROM t ORDER BY random()")).toBe("random()");
    expect(changingCall("SELECT date('now') FROM t")).toBe("the time 'now'");
    expect(changingCall("SELECT a FROM t WHERE d < CURRENT_DATE")).toBe("CURRENT_DATE");
    expect(changingCall("SELECT strftime('%Y') FROM t")).toBe("strftime() without a time");
    expect(changingCall("SELECT strftime('%Y', d), date(d) FROM t WHERE s = 'now'")).toBeUndefined();
  });
});

describe("onTable", () => {
  it("changes the table and its qualifiers, and nothing else", () => {
    const sql = "SELECT t.a, T.\"b\" FROM t /* t. */ WHERE t.c = 't.a' ORDER BY t.a";
    expect(onTable(sql, { table: "t", alias: null }, 'od"d')).toBe(
      'SELECT "od""d".a, "od""d"."b" FROM "od""d" /* t. */ WHERE "od""d".c = \'t.a\' ORDER BY "od""d".a',
    );
    expect(onTable("SELECT t.t FROM main.x AS t", { table: "x", alias: "t" }, "y")).toBe(
      'SELECT t.t FROM main."y" AS t',
    );
  });

  it("asks of another table what the statement surely needs", () => {
    const columns = ["a", "b", "count", "n"];
    expect(columnsNeeded("SELECT t.A, count(*) AS n FROM t WHERE [b] = 'count' ORDER BY n", columns)).toEqual(
      ["a", "b"],
    );
  });
});
