import { describe, expect, it } from "vitest";
import { readAttachment } from "../../../pipelines/datasets/ambrosia/attached-sql.js";

const OR = (condition: string, brackets: boolean): string =>
  brackets
    ? `SELECT name FROM pets WHERE (kind = "Cat" OR kind = 'Dog') AND ${condition}`
    : `SELECT name FROM pets WHERE kind = "Cat" OR kind = 'Dog' AND ${condition}`;

describe("readAttachment", () => {
  it("reads off brackets around an OR which side has the condition", () => {
    const found = readAttachment(OR("age = 3", true), OR("age = 3", false));
    expect(found).toEqual({
      joint: 0,
      values: ["3"],
      columns: ["age"],
      branches: [
        { names: ["Cat"], restricted: false },
        { names: ["Dog"], restricted: true },
      ],
    });
  });

  it("does not go by the order of the readings", () => {
    expect(readAttachment(OR("age = 3", false), OR("age = 3", true))?.joint).toBe(1);
  });

  it.each([
    ["a LIKE pattern", "town LIKE '%Riga%'", ["Riga"]],
    ["a range, whose AND is no connective", "age BETWEEN 2 AND 4", ["2", "4"]],
    ["two conditions", 'age = 3 AND town = "Riga"', ["3", "Riga"]],
    ["a line break and a comment", "age = 3 -- years\r\n", ["3"]],
    ["a dotted name in double quotes, which is no literal", 'pets."age" = 3', ["3"]],
  ])("reads %s", (_, condition, values) => {
    const found = readAttachment(OR(condition, true), OR(condition, false));
    expect(found?.values).toEqual(values);
    expect(found?.branches.map(({ restricted }) => restricted)).toEqual([false, true]);
  });

  it("reads off a UNION which arm keeps the condition", () => {
    const arm = (table: string, where = ""): string => `SELECT ${table}.name FROM ${table}${where}`;
    const riga = " WHERE town = 'Riga'";
    const both = `${arm("cats", riga)} UNION ${arm("dogs", riga)}`;
    const narrow = readAttachment(both, `${arm("cats", riga)} UNION ${arm("dogs")}`);
    expect(narrow?.branches).toEqual([
      { names: ["cats"], restricted: true },
      { names: ["dogs"], restricted: false },
    ]);
    expect(narrow?.values).toEqual(["Riga"]);
  });

  it.each([
    ["equal readings", OR("age = 3", true), OR("age = 3", true)],
    ["no coordination", "SELECT a FROM t WHERE b = 1", "SELECT a FROM t WHERE b = 2"],
    [
      "three sides",
      "SELECT a FROM t WHERE (b = 1 OR b = 2 OR b = 3) AND c = 4",
      "SELECT a FROM t WHERE b = 1 OR b = 2 OR b = 3 AND c = 4",
    ],
    ["nothing", "", ""],
  ])("says nothing of %s", (_, first, second) => {
    expect(readAttachment(first, second)).toBeUndefined();
  });
});
