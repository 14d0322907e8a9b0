import fc from "fast-check";
import { describe, expect, it, test } from "vitest";
import { responseFaults } from "../../../pipelines/datasets/bird-interact/audit-response.js";
import { dumpOrder } from "../../../pipelines/datasets/bird-interact/dump-order.js";
import { fragmentWords } from "../../../pipelines/datasets/bird-interact/fragment-words.js";
import { latexText } from "../../../pipelines/datasets/bird-interact/latex-text.js";
import { spellsOut } from "../../../pipelines/datasets/bird-interact/shared-definition.js";

describe("a fragment in words", () => {
  test.each([
    [
      "s.ratio - 0.1 * ABS(s.NoiseFloorDbm) AS SNQI",
      "ratio minus 0.1 times the absolute value of noise floor dbm",
    ],
    [
      "COUNT(*) FILTER (WHERE q > 0) as good ones",
      "the number of rows counting only those where q is above 0",
    ],
    [`LOWER(p."warr_state") = 'claimed' AND p.claims > 2`, 'warr state is "claimed" and claims is above 2'],
    ["ROUND(CAST(a / b AS numeric), 4)", "a divided by b, rounded to 4 decimal places"],
    ["ROUND(..., 1)", "rounded to 1 decimal place"],
    ["ROUND(CAST(...) AS numeric))", "rounded to a whole number"],
    ["ORDER BY eff DESC", "sorted by eff from the highest down"],
    [
      "ORDER BY (a + b) / c DESC\n LIMIT 1",
      "sorted by (a plus b) divided by c from the highest down and of them only the first 1",
    ],
    ["(e.snap -> 'power' ->> 'loss_w')::numeric / x", "(snap power loss w) divided by x"],
    ["WHERE k = 'PV9'", 'where k is "PV9"'],
    ["REPLACE(REPLACE(loss, '$', ''), ',', '')::numeric", "loss"],
    ["flag IS NOT NULL", "flag is known"],
    ["AVG((x)", "the average of x"],
    ["x) + 1", "x plus 1"],
    ["EXTRACT(EPOCH FROM (b - a)) / 3600", "the seconds of (b minus a) divided by 3600"],
    ["", ""],
  ])("%s", (sql, words) => expect(fragmentWords(sql)).toBe(words));

  it("never fails and never holds what only SQL has, whatever it is given", () => {
    const piece = fc.constantFrom(
      "(",
      ")",
      "a.b",
      "'x'",
      '"',
      "::",
      "->",
      "SUM(",
      "AND",
      "=",
      "--",
      "/*",
      "…",
      ",",
      "1",
      "AS",
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 15 }), (pieces) => {
        expect(fragmentWords(pieces.join(" "))).not.toMatch(/::|->|\bSUM\(/);
      }),
    );
  });
});

describe("LaTeX as text", () => {
  test.each([
    ["$\\text{A} = \\text{b} - 0.1 \\times |\\text{c}|$, where", "A = b - 0.1 × |c|, where"],
    ["$\\frac{a}{b + c}$", "a / (b + c)"],
    ["$x \\times (1 - \\frac{\\text{Humidity}}{100})$", "x × (1 - Humidity / 100)"],
    ["$\\frac{\\frac{a}{b}}{c}$", "(a / b) / c"],
    ["$\\text{gradea} \\geq 0.7$", "gradea ≥ 0.7"],
    ["A plain text, 5 % of it.", "A plain text, 5 % of it."],
  ])("%s", (latex, text) => expect(latexText(latex)).toBe(text));
});

describe("an entry that spells out a withheld definition", () => {
  const cost = "$\\text{DCI} = \\text{delay} \\times 0.05 \\times \\text{ton}$, where higher means dearer.";
  test.each([
    ["$120 \\times (\\text{delay} \\times 0.05 \\times \\text{ton})$", cost, "formula"],
    ["A call with $\\text{DCI} > 500$.", cost, null],
    ["The delay and the ton are looked at.", cost, null],
    [
      "$\\frac{\\text{BwHz}}{\\text{F} \\times 1,000,000}$",
      "$\\text{R} = \\frac{\\text{BwHz}}{\\text{F} \\times 10^6}$",
      "formula",
    ],
    ["$\\text{a} > 5$ and $\\text{b} < 2$", "$\\text{X} = \\text{a} - \\text{b}$", null],
    [
      "Counts every call that waited for the pilot more than two hours.",
      "Every call that waited for the pilot more than two hours is late.",
      "wording",
    ],
    ["Counts the pilots.", "Every call that waited for the pilot more than two hours is late.", null],
  ])("%s", (text, definition, how) => expect(spellsOut(text, definition)).toBe(how));
});

describe("the audit of a response", () => {
  const setting = {
    term: "big ships",
    others: ["Old means before 2000."],
    secrets: [
      "SELECT name FROM ships WHERE length > 100 ORDER BY length",
      "List the ships longer than one hundred metres by name.",
    ],
  };
  test.each([
    ["Big ships are those longer than 100 metres.", []],
    ["By big ships I mean length over 100 m; nothing else matters, e.g. age does not.", []],
    ["", ["it is empty"]],
    ["Those longer than 100 metres.", ['it does not say what it answers ("big ships")']],
    ["Big ships? Longer. Than. A hundred. Metres.", ["it has 5 sentences, and may have one to 3"]],
    ["Do you mean big ships over 100 metres?", ["it asks a question"]],
    ["Big ships: length > 100 ORDER BY length.", ["it has SQL in it"]],
    ["Big ships are COUNT(id).", ["it has SQL in it"]],
    ["Big ships are length::numeric.", ["it has SQL in it"]],
    [
      "Big ships have ship_length over min_len and not dock_len.",
      ["it is a salad of identifiers (ship_length, min_len, dock_len, …)"],
    ],
    [`Big ships are ${"very ".repeat(130)}long.`, ["it is longer than 600 characters"]],
    [
      "old means before 2000",
      [
        'it does not say what it answers ("big ships")',
        "another ambiguity of the record has the same response",
      ],
    ],
    [
      "Big ships: list the ships longer than one hundred metres by name.",
      ["it repeats the reference SQL or the clear request"],
    ],
    [
      "Big ships come when you SELECT name FROM ships WHERE length > 100 ORDER BY length",
      ["it has SQL in it", "it repeats the reference SQL or the clear request"],
    ],
  ])("%s", (response, faults) => expect(responseFaults(response, setting)).toEqual(faults));
});

describe("the order of a dump's files", () => {
  const table = (name: string, ...to: string[]): string =>
    [
      `CREATE TABLE public.${name} (\n    k integer\n);`,
      ...to.map(
        (one) =>
          `ALTER TABLE ONLY public.${name}\n    ADD CONSTRAINT f FOREIGN KEY (k) REFERENCES public.${one}(k);`,
      ),
    ].join("\n");
  it("has a table before those that refer to it", () => {
    expect(dumpOrder([table("a", "c"), table("b"), table("c", "b")])).toEqual([1, 2, 0]);
  });
  it("keeps the given order in a circle, and looks at no rows", () => {
    expect(dumpOrder([table("a", "b"), table("b", "a")])).toEqual([1, 0]);
    const rows =
      "COPY public.a (t) FROM stdin;\nREFERENCES public.b\n\\.\nINSERT INTO a VALUES ('REFERENCES b');";
    expect(dumpOrder([`${table("a")}\n${rows}`, table("b")])).toEqual([0, 1]);
  });
  it("is a permutation in which every reference but those of circles comes later", () => {
    fc.assert(
      fc.property(
        fc.array(fc.array(fc.nat(5), { maxLength: 3 }), { minLength: 6, maxLength: 6 }),
        (links) => {
          // Only to earlier names: no circle.
          const scripts = links.map((to, at) =>
            table(`t${at}`, ...to.filter((one) => one < at).map((one) => `t${one}`)),
          );
          const order = dumpOrder(scripts);
          expect([...order].sort()).toEqual([0, 1, 2, 3, 4, 5]);
          for (const [at, to] of links.entries())
            for (const one of to) if (one < at) expect(order.indexOf(one)).toBeLessThan(order.indexOf(at));
        },
      ),
    );
  });
});
