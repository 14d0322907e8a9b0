import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { quantile } from "../../../pipelines/evaluation/bootstrap/estimate.js";
import {
  components,
  estimate,
  levels,
  type Measured,
  type Observation,
  pairDifferences,
} from "../../../pipelines/evaluation/bootstrap/index.js";
import { resamplesOf } from "../../../pipelines/evaluation/bootstrap/resamples.js";

const observation = (cluster: string, seed: number, value: number): Observation => ({ cluster, seed, value });

/** Clusters of one to three records with outcomes 0 and 1, over one to three seeds. */
const anyObservations = fc
  .record({
    seeds: fc.integer({ min: 1, max: 3 }),
    clusters: fc.array(fc.array(fc.constantFrom(0, 0.25, 1 / 3, 1), { minLength: 1, maxLength: 3 }), {
      minLength: 2,
      maxLength: 12,
    }),
  })
  .map(({ seeds, clusters }) =>
    clusters.flatMap((values, at) =>
      values.flatMap((value, place) =>
        Array.from({ length: seeds }, (_, seed) =>
          observation(`c${at}`, seed, (seed + place) % 2 ? value : 1 - value),
        ),
      ),
    ),
  );

describe("estimate", () => {
  it("gives the mean of the seeds' means, their sample SD, and how much it rests on", () => {
    const all = [
      observation("a", 0, 1),
      observation("b", 0, 0),
      observation("a", 1, 1),
      observation("b", 1, 1),
    ];
    expect(estimate(all)).toMatchObject({
      mean: 0.75,
      sd: Math.SQRT1_2 / 2,
      per_seed: { 0: 0.5, 1: 1 },
      n: 4,
      clusters: 2,
    });
  });

  it("has the interval of a bootstrap done the slow way, resample by resample", () => {
    const all = [
      ...[1, 0, 1, 1, 0, 0, 1].map((value, at) => observation(`c${at % 4}`, 0, value)),
      ...[0, 0, 1, 1, 1].map((value, at) => observation(`c${at % 4}`, 1, value)),
    ];
    const { counts } = resamplesOf(4, 200);
    const statistics = Array.from({ length: 200 }, (_, row) => {
      const drawn = [0, 1, 2, 3].flatMap((at) =>
        Array.from({ length: counts[at * 200 + row]! }, () =>
          all.filter(({ cluster }) => cluster === `c${at}`),
        ),
      );
      const seedMeans = [0, 1].flatMap((seed) => {
        const values = drawn.flat().flatMap((one) => (one.seed === seed ? [one.value] : []));
        return values.length === 0 ? [] : [values.reduce((a, b) => a + b, 0) / values.length];
      });
      return seedMeans.reduce((a, b) => a + b, 0) / seedMeans.length;
    }).sort((a, b) => a - b);
    const { interval } = estimate(all, 200);
    expect(interval!.lo).toBeCloseTo(quantile(Float64Array.from(statistics), 0.025), 12);
    expect(interval!.hi).toBeCloseTo(quantile(Float64Array.from(statistics), 0.975), 12);
  });

  it("agrees with the normal interval where there are many clusters", () => {
    const all = Array.from({ length: 800 }, (_, at) => observation(`c${at}`, 0, at % 5 === 0 ? 1 : 0));
    const { interval } = estimate(all);
    const half = 1.96 * Math.sqrt((0.2 * 0.8) / 800);
    expect(interval!.lo).toBeCloseTo(0.2 - half, 2);
    expect(interval!.hi).toBeCloseTo(0.2 + half, 2);
  });

  it("is wider where the same values stand in fewer clusters that agree", () => {
    const values = Array.from({ length: 120 }, (_, at) => (Math.floor(at / 4) % 2 === 0 ? 1 : 0));
    const width = (clusterOf: (at: number) => string): number => {
      const { interval } = estimate(values.map((value, at) => observation(clusterOf(at), 0, value)));
      return interval!.hi - interval!.lo;
    };
    expect(width((at) => `c${Math.floor(at / 4)}`)).toBeGreaterThan(1.7 * width((at) => `c${at}`));
  });

  it("depends on no order and holds its mean; a constant has an interval of no width", () => {
    fc.assert(
      fc.property(anyObservations, fc.integer(), (all, salt) => {
        const one = estimate(all, 100);
        const shuffled = all.toSorted(
          (a, b) => Math.sin(a.value * 7 + salt) - Math.sin(b.value * 7 + salt + b.seed),
        );
        expect(estimate(shuffled, 100)).toEqual(one);
        expect(one.interval!.lo).toBeLessThanOrEqual(one.interval!.hi);
        const constant = estimate(
          all.map((each) => ({ ...each, value: 0 })),
          100,
        );
        expect(constant).toMatchObject({ mean: 0, interval: { lo: 0, hi: 0 } });
      }),
      { numRuns: 60 },
    );
  });

  it("moves and stretches as its values do", () => {
    fc.assert(
      fc.property(anyObservations, fc.double({ min: -3, max: 3, noNaN: true }), (all, factor) => {
        const plain = estimate(all, 100);
        const moved = estimate(
          all.map((one) => ({ ...one, value: factor * one.value + 1 })),
          100,
        );
        const ends = [plain.interval!.lo, plain.interval!.hi].map((end) => factor * end + 1);
        expect(moved.interval!.lo).toBeCloseTo(Math.min(...ends), 9);
        expect(moved.interval!.hi).toBeCloseTo(Math.max(...ends), 9);
      }),
      { numRuns: 60 },
    );
  });

  it("has no interval below two clusters and no mean without values", () => {
    expect(estimate([observation("a", 0, 1)])).toMatchObject({
      mean: 1,
      sd: null,
      interval: null,
      clusters: 1,
    });
    expect(estimate([])).toMatchObject({ mean: null, sd: null, interval: null, n: 0, clusters: 0 });
  });
});

describe("pairDifferences", () => {
  const measured = (record: string, seed: number, value: number | null): Measured => ({
    record,
    cluster: record,
    seed,
    value,
  });

  it("pairs by record and seed, leaves out what has no partner, and counts it", () => {
    const { differences, alone } = pairDifferences(
      [measured("a", 0, 1), measured("a", 1, 1), measured("b", 0, null), measured("c", 0, 0.5)],
      [measured("a", 1, 0), measured("a", 0, 1), measured("b", 0, 1), measured("d", 0, 1)],
    );
    expect(differences).toEqual([observation("a", 0, 0), observation("a", 1, 1)]);
    expect(alone).toEqual({ minuend: 1, subtrahend: 2 });
  });

  it("is exactly 0 of a run against itself, interval and all", () => {
    const run = Array.from({ length: 40 }, (_, at) =>
      measured(`r${at}`, at % 3, at % 7 === 0 ? null : 1 / (at + 1)),
    );
    const { differences } = pairDifferences(run, run);
    expect(estimate(differences)).toMatchObject({
      mean: 0,
      sd: 0,
      interval: { lo: 0, hi: 0 },
      n: levels(run).length,
    });
  });
});

describe("components", () => {
  it("joins names over any number of links, and leaves the others alone", () => {
    const found = components(
      ["d", "c", "b", "a", "x"],
      [
        ["a", "b"],
        ["d", "c"],
        ["b", "c"],
      ],
    );
    expect(Object.fromEntries(found)).toEqual({ a: "a", b: "a", c: "a", d: "a", x: "x" });
  });

  it("is an equivalence that holds every link and no more, in any order of links", () => {
    const name = fc.integer({ min: 0, max: 15 }).map(String);
    fc.assert(
      fc.property(fc.array(fc.tuple(name, name), { maxLength: 14 }), (links) => {
        const found = components([], links);
        for (const [a, b] of links) expect(found.get(a)).toBe(found.get(b));
        expect(components([], links.toReversed())).toEqual(found);
        const adjacent = new Map<string, Set<string>>([...found.keys()].map((key) => [key, new Set([key])]));
        for (let round = 0; round < 16; round += 1)
          for (const [a, b] of links) {
            const both = new Set([...adjacent.get(a)!, ...adjacent.get(b)!]);
            for (const one of both) adjacent.set(one, new Set([...both, ...adjacent.get(one)!]));
          }
        for (const [one, component] of found) expect(component).toBe([...adjacent.get(one)!].sort()[0]);
      }),
    );
  });
});
