import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  chooseTestDatabases,
  TEST_SHARE,
  type WeighedDatabase,
} from "../../../pipelines/datasets/slices/index.js";
import { SubsetSums } from "../../../pipelines/datasets/slices/subset-sums.js";
import { drawsFor } from "../../../pipelines/engine/random.js";
import { spentMs } from "../../held-up.js";

function subsets<T>(all: readonly T[]): T[][] {
  const found: T[][] = [[]];
  for (const one of all) found.push(...found.map((chosen) => [...chosen, one]));
  return found;
}
const total = (weights: readonly number[]): number => weights.reduce((sum, weight) => sum + weight, 0);

describe("SubsetSums", () => {
  it("knows every sum and makes it, as trying all subsets does", () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 1, max: 9 }), { maxLength: 9 }), (weights) => {
        const sums = new SubsetSums(weights);
        const expected = [...new Set(subsets(weights).map(total))].sort((a, b) => a - b);
        expect(sums.sums()).toEqual(expected);
        for (const sum of expected) {
          const chosen = sums.choose(sum);
          expect(new Set(chosen).size).toBe(chosen.length);
          expect(total(chosen.map((at) => weights[at] ?? Number.NaN))).toBe(sum);
        }
      }),
    );
  });

  it("takes the first weights that still leave a way", () => {
    expect(new SubsetSums([2, 2, 3, 4]).choose(4)).toEqual([0, 1]);
    expect(new SubsetSums([3, 2, 2]).choose(4)).toEqual([1, 2]);
    expect(() => new SubsetSums([2, 2]).choose(3)).toThrow(RangeError);
  });
});

const drawn = (type: string, length: number): number[] => drawsFor(1, "test", type).permutation(length);
const databases = fc
  .array(fc.record({ type: fc.constantFrom("a", "b", "c"), records: fc.integer({ min: 1, max: 6 }) }), {
    minLength: 1,
    maxLength: 11,
  })
  .map((all) => all.map((one, at): WeighedDatabase => ({ ...one, database_id: `d${at}` })));

/** How far a choice is from its targets, all in fifths of a record so that nothing is rounded. */
function distances(all: readonly WeighedDatabase[], chosen: ReadonlySet<string>): [number, number] {
  const types = [...new Set(all.map(({ type }) => type))];
  const off = (some: readonly WeighedDatabase[]): number => {
    const test = some.filter(({ database_id }) => chosen.has(database_id));
    return Math.abs(
      5 * total(test.map(({ records }) => records)) - total(some.map(({ records }) => records)),
    );
  };
  return [off(all), total(types.map((type) => off(all.filter((one) => one.type === type))))];
}

describe("chooseTestDatabases", () => {
  it("finds the nearest total and then the smallest summed deviation, as trying all choices does", () => {
    expect(TEST_SHARE).toBe(0.2);
    fc.assert(
      fc.property(databases, (all) => {
        const found = distances(all, chooseTestDatabases(all, drawn));
        const every = subsets(all).map((some) =>
          distances(all, new Set(some.map(({ database_id }) => database_id))),
        );
        const best = every.sort(([a, b], [c, d]) => a - c || b - d)[0];
        expect(found).toEqual(best);
      }),
      { numRuns: 60 },
    );
  });

  it("does not depend on the order in which databases come", () => {
    fc.assert(
      fc.property(databases, fc.func(fc.integer()), (all, key) => {
        const other = [...all].sort((a, b) => key(a.database_id) - key(b.database_id));
        expect(chooseTestDatabases(other, drawn)).toEqual(chooseTestDatabases(all, drawn));
      }),
    );
  });

  it("gives way in the type whose name comes later", () => {
    // 9 + 9 records in pairs and one single: a total of 4 is 2 + 2; one of the types could as well have 4 and 0.
    const pairs = (type: string, count: number): WeighedDatabase[] =>
      Array.from({ length: count }, (_, at) => ({ type, database_id: `${type}${at}`, records: 2 }));
    const all = [...pairs("attachment", 12), ...pairs("scope", 12)];
    // 24 records a type: 4.8 each, 9.6 in all; 4 + 6 and 6 + 4 are equally far off.
    const test = chooseTestDatabases(all, drawn);
    const count = (type: string): number =>
      total(
        all.filter((one) => one.type === type && test.has(one.database_id)).map(({ records }) => records),
      );
    expect([count("attachment"), count("scope")]).toEqual([4, 6]);
  });

  it("is quick on thousands of databases", () => {
    const all = Array.from(
      { length: 3000 },
      (_, at): WeighedDatabase => ({
        type: ["a", "b", "c"][at % 3] ?? "a",
        database_id: `d${at}`,
        records: 1 + (at % 7),
      }),
    );
    const started = spentMs();
    const test = chooseTestDatabases(all, drawn);
    expect(spentMs() - started).toBeLessThan(20_000);
    expect(distances(all, test)[0]).toBeLessThan(5);
  });
});
