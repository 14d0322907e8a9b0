import { createHash } from "node:crypto";
import { uniformInt } from "pure-rand/distribution/uniformInt";
import { xoroshiro128plusFromState } from "pure-rand/generator/xoroshiro128plus";

/** A stream of draws that belongs to one purpose and one unit. */
export interface Draws {
  /** A whole number from 0 to `below` − 1, each equally likely. */
  below(below: number): number;
  /** A fair coin. */
  coin(): boolean;
  /** The numbers 0 … `length` − 1 in a uniformly drawn order (Fisher–Yates). */
  permutation(length: number): number[];
}

/**
 * The only source of chance in a build. The generator is seeded with a hash of (seed, purpose, unit), so a draw never
 * depends on what was drawn before it for another unit, on order or on concurrency (spec 9, Determinism).
 *
 * @param seed the build's seed
 * @param purpose what is drawn, such as `ambiqt/copied-column`
 * @param unit what it is drawn for, such as an AVT id
 */
export function drawsFor(seed: number, purpose: string, unit: string): Draws {
  const hash = createHash("sha256")
    .update(JSON.stringify([seed, purpose, unit]))
    .digest();
  // All 128 bits of state come from the hash: a 32-bit seed would make units of a large source share streams.
  const generator = xoroshiro128plusFromState([0, 4, 8, 12].map((at) => hash.readInt32LE(at)));
  const below = (limit: number): number => uniformInt(generator, 0, limit - 1);
  return {
    below,
    coin: () => below(2) === 1,
    permutation(length) {
      const order = Array.from({ length }, (_, index) => index);
      for (let last = length - 1; last > 0; last -= 1) {
        const other = below(last + 1);
        [order[last], order[other]] = [order[other]!, order[last]!];
      }
      return order;
    },
  };
}
