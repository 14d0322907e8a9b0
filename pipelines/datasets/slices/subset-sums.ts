/** What can be reached by adding up some of the weights, and by which of them. */
export class SubsetSums {
  readonly #weights: readonly number[];
  /** `#after[i][s]`: the weights from position i on can add up to s. */
  readonly #after: readonly Uint8Array[];

  /** @param weights whole numbers from 1 on; time and memory grow with their number times their total */
  constructor(weights: readonly number[]) {
    const total = weights.reduce((sum, weight) => sum + weight, 0);
    this.#weights = weights;
    const after = [Uint8Array.from({ length: total + 1 }, (_, sum) => (sum === 0 ? 1 : 0))];
    for (const weight of [...weights].reverse()) {
      const reachable = Uint8Array.from(after[0] ?? []);
      for (let sum = total; sum >= weight; sum -= 1) if (after[0]?.[sum - weight] === 1) reachable[sum] = 1;
      after.unshift(reachable);
    }
    this.#after = after;
  }

  /** Every reachable sum, ascending. */
  sums(): number[] {
    return Array.from(this.#after[0] ?? []).flatMap((reachable, sum) => (reachable === 1 ? [sum] : []));
  }

  /**
   * Positions of weights that add up to a reachable `sum`: each weight in turn is taken if the rest can still be made, so
   * the order of the weights decides among equals.
   */
  choose(sum: number): number[] {
    const chosen: number[] = [];
    let rest = sum;
    for (const [at, weight] of this.#weights.entries()) {
      if (weight > rest || this.#after[at + 1]?.[rest - weight] !== 1) continue;
      chosen.push(at);
      rest -= weight;
    }
    if (rest !== 0) throw new RangeError(`the weights do not add up to ${sum}`);
    return chosen;
  }
}
