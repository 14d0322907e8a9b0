import { readFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { hintTexts, splitEvidence } from "../../../pipelines/datasets/bird-rows/hints/index.js";
import { realData } from "../../sources/temporary.js";

const pasted = (evidence: string): string =>
  splitEvidence(evidence)
    .map(({ start, end }) => evidence.slice(start, end))
    .join("");

/** Text made of what evidence is made of, so that quotes and brackets meet separators often. */
const evidences = fc
  .array(
    fc.oneof(
      fc.constantFrom(
        ";",
        "；",
        "'",
        '"',
        "`",
        "(",
        ")",
        "[",
        "]",
        "“",
        "”",
        " ",
        "\u00a0",
        "\u200b",
        "\n",
        "''",
      ),
      fc.constantFrom("False", "true", "male", "players'", "year = 1999", "refers to", "DIVIDE(a, b)", "x"),
      fc.string({ unit: "grapheme", maxLength: 4 }),
    ),
    { maxLength: 40 },
  )
  .map((parts) => parts.join(""));

describe("splitting evidence", () => {
  it("loses no letter: the pieces give the evidence back", () => {
    fc.assert(
      fc.property(evidences, (evidence) => {
        expect(pasted(evidence)).toBe(evidence);
        let at = 0;
        for (const { start, end } of splitEvidence(evidence)) {
          expect(start).toBe(at);
          expect(end).toBeGreaterThan(start);
          at = end;
        }
        expect(at).toBe(evidence.length);
      }),
      { numRuns: 2000 },
    );
  });

  it("gives hints without white space around them, each with a letter or digit", () => {
    fc.assert(
      fc.property(evidences, (evidence) => {
        for (const hint of hintTexts(evidence)) {
          expect(hint).toBe(hint.trim());
          expect(hint).toMatch(/[\p{L}\p{N}]/u);
        }
      }),
    );
  });

  it.each([
    ["a refers to x; b refers to y;", ["a refers to x", "b refers to y"]],
    ["a = 'x;y'; b", ["a = 'x;y'", "b"]],
    ["a = `x;y`; b", ["a = `x;y`", "b"]],
    ["p = DIVIDE(SUM(a = 'b'); COUNT(c)) as p; d", ["p = DIVIDE(SUM(a = 'b'); COUNT(c)) as p", "d"]],
    ["Lowest rating = 1；English movie", ["Lowest rating = 1", "English movie"]],
    // No quotations: an apostrophe after a word, and marks that never close.
    ["Citizen Patrol' is the badge; users' age; x", ["Citizen Patrol' is the badge", "users' age", "x"]],
    ["gender = 'F; from here; to there", ["gender = 'F", "from here", "to there"]],
    ["date = '1997-01-01; type = 'x'", ["date = '1997-01-01", "type = 'x'"]],
    ["name = 'Young''s; Hotel'; b", ["name = 'Young''s; Hotel'", "b"]],
    ["(a; b", ["(a", "b"]],
    ["a); b(c; d)", ["a)", "b(c; d)"]],
    ["\u00a0a\u00a0;\u200b b \n", ["a", "b"]],
    ["False;", []],
    ["FALSE; a; true.", ["a"]],
    ["; ;;", []],
    ["a is false; false", ["a is false"]],
  ])("cuts %j", (evidence, hints) => {
    expect(hintTexts(evidence)).toEqual(hints);
  });

  it("says why a piece was dropped", () => {
    const dropped = splitEvidence("False; - ; a").filter(({ kind }) => kind === "dropped");
    expect(dropped.map(({ start, end, why }) => [start, end, why])).toEqual([
      [0, 5, "truth_word"],
      [7, 8, "no_word"],
    ]);
  });
});

const root = realData("bird");
describe.skipIf(root === undefined)("the real evidence", () => {
  it.each([
    ["dev_2023/dev.json", 2705, 154],
    ["dev/dev.json", 2677, 148],
    ["mini_dev/mini_dev_sqlite.json", 1088, 2],
    ["train/mini_train.json", 1962, 56],
  ])("of %s comes back from its pieces: %i hints, %i rows without", (file, hints, without) => {
    const rows = JSON.parse(readFileSync(join(root ?? "", file), "utf8")) as { evidence: string }[];
    for (const { evidence } of rows) expect(pasted(evidence)).toBe(evidence);
    const counts = rows.map(({ evidence }) => hintTexts(evidence).length);
    expect(counts.reduce((sum, count) => sum + count, 0)).toBe(hints);
    expect(counts.filter((count) => count === 0)).toHaveLength(without);
  });

  it("of dev 2023 keeps no separator inside a hint but in the three whose brackets hold one", () => {
    const rows = JSON.parse(readFileSync(join(root ?? "", "dev_2023/dev.json"), "utf8")) as {
      evidence: string;
    }[];
    const whole = rows.filter(({ evidence }) => hintTexts(evidence).some((hint) => hint.includes(";")));
    expect(whole).toHaveLength(3);
  });
});
