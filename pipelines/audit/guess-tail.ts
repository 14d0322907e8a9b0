/** Guesses beyond which the normal distribution is as good as counting. */
const COUNTED = 2_000;

/** The probability of each number of right guesses, where each of `counts` guesses was made among so many choices. */
function distribution(among: ReadonlyMap<number, number>): Float64Array {
  const guesses = [...among.values()].reduce((sum, count) => sum + count, 0);
  const chances = new Float64Array(guesses + 1);
  chances[0] = 1;
  let made = 0;
  for (const [choices, count] of among) {
    for (let guess = 0; guess < count; guess += 1) {
      made += 1;
      for (let right = made; right >= 0; right -= 1) {
        const before = right === 0 ? 0 : (chances[right - 1] ?? 0);
        chances[right] = (chances[right] ?? 0) * (1 - 1 / choices) + before / choices;
      }
    }
  }
  return chances;
}

/** Upper tail of the standard normal distribution (Abramowitz and Stegun 26.2.17, error below 1e-7). */
function normalTail(z: number): number {
  const t = 1 / (1 + 0.2316419 * z);
  const series =
    t * (0.31938153 + t * (-0.356563782 + t * (1.781477937 + t * (-1.821255978 + t * 1.330274429))));
  return (Math.exp((-z * z) / 2) / Math.sqrt(2 * Math.PI)) * series;
}

/**
 * The probability that one who knows nothing is right so often or so rarely: two-sided, and exact (a sum of guesses among
 * different numbers of choices) up to 2,000 guesses.
 *
 * @param among choices → guesses made among so many
 * @param z the distance from chance in standard deviations, for more guesses than that
 */
export function tailOf(among: ReadonlyMap<number, number>, right: number, z: number): number {
  const guesses = [...among.values()].reduce((sum, count) => sum + count, 0);
  if (guesses > COUNTED) return Math.min(1, 2 * normalTail(Math.abs(z)));
  const chances = distribution(among);
  const above = chances.subarray(right).reduce((sum, one) => sum + one, 0);
  const below = chances.subarray(0, right + 1).reduce((sum, one) => sum + one, 0);
  return Math.min(1, 2 * Math.min(above, below));
}
