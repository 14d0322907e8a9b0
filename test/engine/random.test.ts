import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { drawsFor } from "../../pipelines/engine/random.js";

const stream = (seed: number, purpose: string, unit: string, length = 16): number[] => {
  const draws = drawsFor(seed, purpose, unit);
  return Array.from({ length }, () => draws.below(1_000_000));
};

/** Pearson's statistic against equal counts. */
function chiSquare(counts: readonly number[]): number {
  const expected = counts.reduce((sum, one) => sum + one, 0) / counts.length;
  return counts.reduce((sum, one) => sum + (one - expected) ** 2 / expected, 0);
}

/** Below this with probability 1 − 1e-6 for `k` degrees of freedom (Wilson–Hilferty, z = 4.75). */
const limit = (k: number): number => k * (1 - 2 / (9 * k) + 4.75 * Math.sqrt(2 / (9 * k))) ** 3;

describe("draws", () => {
  it("are a function of seed, purpose and unit", () => {
    fc.assert(
      fc.property(fc.nat(), fc.string(), fc.string(), (seed, purpose, unit) => {
        expect(stream(seed, purpose, unit)).toEqual(stream(seed, purpose, unit));
      }),
    );
  });

  it("differ where any of the three differs, also where the texts joined are the same", () => {
    const point = fc.tuple(fc.nat(1000), fc.string({ maxLength: 6 }), fc.string({ maxLength: 6 }));
    fc.assert(
      fc.property(point, point, (a, b) => {
        fc.pre(JSON.stringify(a) !== JSON.stringify(b));
        expect(stream(...a)).not.toEqual(stream(...b));
      }),
    );
    expect(stream(0, "ab", "c")).not.toEqual(stream(0, "a", "bc"));
    expect(stream(1, "a", "")).not.toEqual(stream(0, "1a", ""));
  });

  it("do not depend on what was drawn for others in between", () => {
    const alone = drawsFor(3, "p", "u");
    const expected = [alone.below(100), alone.below(100), alone.below(100)];
    const one = drawsFor(3, "p", "u");
    const other = drawsFor(3, "p", "v");
    const mixed = [one.below(100)];
    other.permutation(50);
    mixed.push(one.below(100));
    other.coin();
    mixed.push(one.below(100));
    expect(mixed).toEqual(expected);
  });

  it("stay below their bound, and a permutation holds every number once", () => {
    fc.assert(
      fc.property(fc.nat(), fc.string(), fc.integer({ min: 1, max: 2 ** 31 }), (seed, unit, below) => {
        const draw = drawsFor(seed, "bound", unit).below(below);
        expect(Number.isInteger(draw) && draw >= 0 && draw < below).toBe(true);
      }),
    );
    fc.assert(
      fc.property(fc.nat(), fc.nat(40), (seed, length) => {
        const order = drawsFor(seed, "order", "x").permutation(length);
        expect([...order].sort((a, b) => a - b)).toEqual(Array.from({ length }, (_, index) => index));
      }),
    );
  });

  it("are uniform within one stream and over the first draw of many", () => {
    for (const below of [2, 3, 10, 97]) {
      const within = new Array<number>(below).fill(0);
      const draws = drawsFor(11, "uniform", "within");
      const across = new Array<number>(below).fill(0);
      for (let n = 0; n < 20_000; n += 1) {
        within[draws.below(below)]! += 1;
        across[drawsFor(11, "uniform", `unit ${n}`).below(below)]! += 1;
      }
      expect(chiSquare(within), `within, below ${below}`).toBeLessThan(limit(below - 1));
      expect(chiSquare(across), `across, below ${below}`).toBeLessThan(limit(below - 1));
    }
  });

  it("give every order of three the same chance, and a fair coin that is independent of another purpose's", () => {
    const orders = new Map<string, number>();
    const pairs = [0, 0, 0, 0];
    for (let n = 0; n < 12_000; n += 1) {
      const order = drawsFor(5, "orders", String(n)).permutation(3).join("");
      orders.set(order, (orders.get(order) ?? 0) + 1);
      const first = drawsFor(5, "position", String(n)).coin();
      const second = drawsFor(5, "values", String(n)).coin();
      pairs[(first ? 2 : 0) + (second ? 1 : 0)]! += 1;
    }
    expect(orders.size).toBe(6);
    expect(chiSquare([...orders.values()])).toBeLessThan(limit(5));
    expect(chiSquare(pairs)).toBeLessThan(limit(3));
  });
});
