import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  centredCorrelation,
  leastSquaresLines,
  type Point,
  pearson,
} from "../../../pipelines/evaluation/report/figures/statistics.js";
import { changeOf } from "../../../pipelines/evaluation/report/tables/policies.js";

const point = (group: string, x: number, y: number): Point => ({ group, x, y });

describe("Figure 6's statistics", () => {
  it("correlate within datasets: differences between them say nothing", () => {
    const points = [point("a", 1, 10), point("a", 2, 9), point("b", 101, 210), point("b", 102, 209)];
    expect(pearson(points)).toBeGreaterThan(0.99);
    expect(centredCorrelation(points)).toBeCloseTo(-1, 12);
  });

  it("agree with a worked example", () => {
    // Deviations (−1, −2), (0, 1), (1, 1): Σxy 3, Σx² 2, Σy² 6.
    const points = [point("a", 1, 1), point("a", 2, 4), point("a", 3, 4)];
    expect(centredCorrelation(points)).toBeCloseTo(3 / Math.sqrt(12), 12);
    expect(leastSquaresLines(points)).toEqual([point("a", 1, 1.5), point("a", 3, 4.5)]);
  });

  it("are not defined where nothing varies", () => {
    expect(centredCorrelation([point("a", 1, 1), point("b", 2, 2)])).toBeNull();
    expect(leastSquaresLines([point("a", 1, 1), point("a", 1, 2)])).toEqual([]);
  });

  it("do not change when a dataset is moved", () => {
    const cloud = fc.array(fc.tuple(fc.integer({ min: 0, max: 50 }), fc.integer({ min: 0, max: 50 })), {
      minLength: 3,
      maxLength: 6,
    });
    fc.assert(
      fc.property(cloud, cloud, fc.integer({ min: -99, max: 99 }), (first, second, shift) => {
        const of = (by: number): Point[] => [
          ...first.map(([x, y]) => point("a", x, y)),
          ...second.map(([x, y]) => point("b", x + by, y - 2 * by)),
        ];
        const [still, moved] = [centredCorrelation(of(0)), centredCorrelation(of(shift))];
        if (still === null) return;
        expect(moved ?? Number.NaN).toBeCloseTo(still, 6);
      }),
    );
  });
});

describe("a change between two sets of seeds", () => {
  it("has 1.96 standard errors of the difference of two means, whose seeds need not be as many", () => {
    const base = { mean: 0.5, sd: 0.02, per_seed: { 0: 0.48, 1: 0.5, 2: 0.52, 3: 0.5 } };
    const other = { mean: 0.6, sd: 0.03, per_seed: { 0: 0.57, 1: 0.6, 2: 0.63 } };
    const { change, band } = changeOf(base, other);
    expect(change).toBeCloseTo(0.1, 12);
    expect(band).toBeCloseTo(1.96 * Math.sqrt(0.0004 / 4 + 0.0009 / 3), 12);
  });

  it("has no band with a single seed, and is nothing where a side has no value", () => {
    const one = { mean: 0.5, sd: null, per_seed: { 0: 0.5 } };
    expect(changeOf(one, one)).toEqual({ change: 0, band: null });
    expect(changeOf({ mean: null, sd: null, per_seed: {} }, one)).toEqual({ change: null, band: null });
  });
});
