import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  type Cell,
  compareExecutions,
  type Execution,
  type Failure,
  type Row,
} from "../../pipelines/sql/index.js";
import type { ComparisonPolicy } from "../../schemas/types/record.js";
import { spentMs } from "../held-up.js";

const POLICIES: ComparisonPolicy[] = ["bird_ex", "multiset", "bird_interact", "strict"];
const ran = { duration_ms: 1, rewrites: [] };

function result(rows: Row[], width = rows[0]?.length ?? 1): Execution {
  const columns = Array.from({ length: width }, (_, at) => `c${at}`);
  return { outcome: "rows", columns, rows, row_count: rows.length, ...ran };
}
const verdict = (policy: ComparisonPolicy, ordered: boolean, a: Row[], b: Row[]) =>
  compareExecutions(policy, ordered, result(a), result(b)).verdict;
const column = (...cells: Cell[]): Row[] => cells.map((cell) => [cell]);

/** Few different values, near ones among them, so that equal and nearly equal rows are frequent. */
const anyCell = fc.constantFrom<Cell>(
  null,
  "i0",
  "i1",
  "i2",
  "i9007199254740993",
  "r0",
  "r-0",
  "r1",
  "r1.0000005",
  "r1.000001",
  "r1.0000015",
  "r2",
  "r0.1",
  "r9007199254740992",
  "rInfinity",
  "t",
  "t1",
  "ta",
  "tA",
  "b61",
  "n1.00",
  "n0.1",
  "n1.0000007",
);
const anyRows = fc.array(fc.tuple(anyCell, anyCell), { maxLength: 7 }) as fc.Arbitrary<Row[]>;

describe.each(POLICIES)("laws of %s", (policy) => {
  const empty = (rows: Row[]) => policy === "bird_interact" && rows.length === 0;

  test.each([true, false])("reflexive, ordered: %s", (ordered) => {
    fc.assert(
      fc.property(anyRows, (rows) => {
        expect(verdict(policy, ordered, rows, rows)).toBe(empty(rows) ? "mismatch" : "match");
      }),
    );
  });

  test.each([true, false])("symmetric, ordered: %s", (ordered) => {
    fc.assert(
      fc.property(anyRows, anyRows, (a, b) => {
        expect(verdict(policy, ordered, a, b)).toBe(verdict(policy, ordered, b, a));
      }),
      { numRuns: 400 },
    );
  });

  test("unordered: no order of rows on either side matters", () => {
    const shuffled = anyRows.chain((rows) =>
      fc.tuple(fc.constant(rows), fc.shuffledSubarray(rows, { minLength: rows.length })),
    );
    fc.assert(
      fc.property(shuffled, shuffled, ([a, otherA], [b, otherB]) => {
        expect(verdict(policy, false, a, otherA)).toBe(empty(a) ? "mismatch" : "match");
        expect(verdict(policy, false, otherA, otherB)).toBe(verdict(policy, false, a, b));
      }),
      { numRuns: 400 },
    );
  });

  test("what matches in order matches without", () => {
    // The other side: the same rows, most cells replaced by near or equal ones.
    const nudge = fc.constantFrom<(cell: Cell) => Cell>(
      (cell) => cell,
      (cell) => (cell === "r1" ? "r1.0000005" : cell),
      (cell) => (cell === "i1" ? "r1" : cell === "r0" ? "i0" : cell),
      (cell) => (cell === "r1.0000015" ? "r1.000001" : cell),
    );
    const pairs = anyRows.chain((rows) =>
      fc.tuple(fc.constant(rows), fc.array(nudge, { minLength: rows.length, maxLength: rows.length })),
    );
    let matched = 0;
    fc.assert(
      fc.property(pairs, ([a, nudges]) => {
        const b = a.map((row, at) => row.map(nudges[at] as (cell: Cell) => Cell));
        if (verdict(policy, true, a, b) !== "match") return;
        matched++;
        expect(verdict(policy, false, a, b)).toBe("match");
      }),
    );
    expect(matched).toBeGreaterThan(20);
  });
});

describe("value equality", () => {
  test.each<[Cell, Cell, boolean, boolean, boolean]>([
    // bird_ex, multiset, strict
    ["i1", "r1", true, true, true],
    ["i1", "o1", true, false, false],
    ["i1", "t1", false, false, false],
    ["r0", "r-0", true, true, true],
    ["i9007199254740993", "i9007199254740992", false, false, false],
    ["i9007199254740993", "r9007199254740992", false, false, false],
    ["i9007199254740992", "r9007199254740992", true, true, true],
    ["r0.1", "r0.10000000000000002", false, true, false],
    ["r100", "r100.0001", false, true, false],
    ["r100", "r100.0002", false, false, false],
    ["r0", "r1e-300", false, false, false],
    ["i100", "r100.00001", false, false, false],
    ["n2.00", "i2", true, true, true],
    ["n0.10", "n0.1", true, true, true],
    ["n0.1", "r0.1", false, true, false],
    ["n0.5", "r0.5", true, true, true],
    ["rInfinity", "rInfinity", true, true, true],
    ["rInfinity", "r1e308", false, false, false],
    ["rNaN", "rNaN", false, false, false],
    [null, null, true, true, true],
    [null, "t", false, false, false],
    ["té", "te\u0301", false, false, false],
    ["ta", "ta ", false, false, false],
    ["t61", "b61", false, false, false],
    ["b61", "u61", false, false, false],
  ])("%j and %j: bird_ex %s, multiset %s, strict %s", (a, b, birdEx, multiset, strict) => {
    const equal = (policy: ComparisonPolicy) => verdict(policy, false, column(a), column(b)) === "match";
    expect([equal("bird_ex"), equal("multiset"), equal("strict")]).toEqual([birdEx, multiset, strict]);
  });
});

describe("rows", () => {
  test.each<[string, Row[], Row[], Record<string, boolean>]>([
    [
      "duplicates",
      column("i1", "i1"),
      column("i1"),
      { bird_ex: true, multiset: false, strict: false, bird_interact: true },
    ],
    [
      "how often",
      column("i1", "i1", "i2"),
      column("i1", "i2", "i2"),
      { bird_ex: true, multiset: false, strict: false },
    ],
    [
      "order",
      column("i1", "i2"),
      column("i2", "i1"),
      { bird_ex: true, multiset: true, strict: true, bird_interact: true },
    ],
    ["columns swapped", [["i1", "i2"]], [["i2", "i1"]], { bird_ex: false, multiset: false, strict: false }],
    ["more columns", [["i1", "i1"]], [["i1"]], { bird_ex: false, multiset: false, strict: false }],
    [
      "rounding",
      column("r1.234"),
      column("r1.2341"),
      { bird_ex: false, multiset: false, strict: false, bird_interact: true },
    ],
  ])("%s", (_, a, b, expected) => {
    for (const [policy, equal] of Object.entries(expected)) {
      expect([policy, verdict(policy as ComparisonPolicy, false, a, b)]).toEqual([
        policy,
        equal ? "match" : "mismatch",
      ]);
    }
  });

  test("nearly equal rows are paired so that all find a partner, if any way does", () => {
    const step = (n: number) => `r${1 + n * 0.9e-6}`;
    // Exact partners first would leave the outer two alone: they are 1.8e-6 apart.
    expect(verdict("multiset", false, column(step(0), step(1)), column(step(-1), step(0)))).toBe("match");
    expect(verdict("multiset", false, column(step(1), step(2)), column(step(-1), step(0)))).toBe("mismatch");
    // An integer takes its own real only; the other real must reach further.
    expect(verdict("multiset", false, column("i3", "r3.000001"), column("r2.999999", "r3"))).toBe("match");
    const two = (a: string, b: string): Row => [a, b];
    expect(
      verdict(
        "multiset",
        false,
        [two("r1", "tx"), two("r1.0000005", "ty")],
        [two("r1.0000005", "tx"), two("r1", "ty")],
      ),
    ).toBe("match");
    expect(
      verdict("multiset", false, [two("r1", "tx"), two("r2", "ty")], [two("r2", "tx"), two("r1", "ty")]),
    ).toBe("mismatch");
  });

  test("a small oracle: some permutation pairs all rows, or none does", () => {
    const near = fc.constantFrom("r1", "r1.0000007", "r1.0000014", "r1.0000021", "i1", "n1.0000009");
    const rows = fc.array(fc.tuple(near, near), { minLength: 1, maxLength: 5 }) as fc.Arbitrary<Row[]>;
    const permutations = (list: Row[]): Row[][] =>
      list.length < 2
        ? [list]
        : list.flatMap((row, at) => permutations(list.toSpliced(at, 1)).map((rest) => [row, ...rest]));
    fc.assert(
      fc.property(rows, rows, (a, b) => {
        const byHand =
          a.length === b.length &&
          permutations(b).some((order) => verdict("multiset", true, a, order) === "match");
        expect(verdict("multiset", false, a, b)).toBe(byHand ? "match" : "mismatch");
      }),
      { numRuns: 300 },
    );
  });

  test("thirty thousand nearly equal rows take no quadratic time", () => {
    const rows = (shift: number): Row[] =>
      Array.from({ length: 30_000 }, (_, at) => [`r${at * 1.5 + 1 + shift}`, `t${at % 7}`]);
    const started = spentMs();
    expect(verdict("multiset", false, rows(0), rows(1e-9).reverse())).toBe("match");
    expect(spentMs() - started).toBeLessThan(10_000);
  });
});

test("with millions of nearly equal pairs rows are paired in order, and that is flagged", () => {
  const near = (shift: number) =>
    column(...Array.from({ length: 1500 }, (_, at) => `r${1 + at * 1e-10 + shift}`));
  const compared = compareExecutions("multiset", false, result(near(0)), result(near(3e-11).reverse()));
  expect(compared).toMatchObject({ verdict: "match", flags: { approximate_matching: true } });
});

describe("outcomes", () => {
  const good = result(column("i1"));
  const failures: Failure[] = [
    { outcome: "error", message: "no such table: x", ...ran },
    { outcome: "timeout", ...ran },
    { outcome: "too_large", what: "rows", ...ran },
    { outcome: "refused", reason: "pragma", message: "PRAGMA is not allowed", ...ran },
  ];
  test.each(failures)("$outcome", (failure) => {
    for (const policy of POLICIES) {
      expect(compareExecutions(policy, false, failure, good).verdict).toBe(`prediction_${failure.outcome}`);
      const fault = failure.outcome === "timeout" ? "gold_timeout" : "gold_error";
      expect(compareExecutions(policy, false, good, failure)).toMatchObject({
        verdict: fault,
        detail: expect.any(String),
      });
      // The gold's fault comes first, and two failures are no match.
      expect(compareExecutions(policy, false, failure, failure).verdict).toBe(fault);
    }
  });

  test("empty against empty is flagged, and matches but for bird_interact", () => {
    for (const policy of POLICIES) {
      const compared = compareExecutions(policy, true, result([]), result([], 3));
      expect(compared).toMatchObject({ policy, ordered: true, flags: { both_empty: true } });
      expect(compared.verdict).toBe(policy === "bird_interact" ? "mismatch" : "match");
      expect(compareExecutions(policy, false, result([]), good)).toMatchObject({
        verdict: "mismatch",
        flags: {},
      });
    }
  });
});
