/** From episodes to a value per seed, and from seeds to mean and spread (spec 4; paper section C.3). */
import { type Episode, episodeMetrics, type Metric } from "./episode.js";
import { leavesSuccessRate, type Verdict } from "./verdict.js";

/**
 * One metric over a run. Values are fractions of 1.
 *
 * - `per_seed`: the macro average (equal weight per record) of each seed, keyed by seed; null where no episode of that
 *   seed defines the metric.
 * - `mean`, `sd`: mean and sample standard deviation over the seeds that have a value; `mean` is null without any, `sd`
 *   with fewer than two.
 * - `n`: the metric's own denominator: how many episodes define it, summed over all seeds.
 */
export interface Measure {
  readonly mean: number | null;
  readonly sd: number | null;
  readonly per_seed: Readonly<Record<string, number | null>>;
  readonly n: number;
}

/** The four metrics of one dataset under one condition. */
export type Summary = Readonly<Record<Metric, Measure>>;

/** An episode that is in no denominator of SR. It is listed, never dropped in silence. */
export interface LeftOut {
  readonly record: string;
  readonly seed: number;
  readonly verdict: Verdict;
}

/** Adds the smallest first, so that the order of the values can change nothing, not even the last bit. */
const sum = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b).reduce((a, b) => a + b, 0);

/** Null for no values. */
export function mean(values: readonly number[]): number | null {
  return values.length === 0 ? null : sum(values) / values.length;
}

/** With n − 1 in the denominator; null for fewer than two values. */
export function sampleDeviation(values: readonly number[]): number | null {
  const centre = mean(values);
  if (centre === null || values.length < 2) return null;
  return Math.sqrt(sum(values.map((value) => (value - centre) ** 2)) / (values.length - 1));
}

/** Values by seed, seeds ascending, with their mean and spread. */
export function overSeeds(perSeed: ReadonlyMap<number, number | null>): Omit<Measure, "n"> {
  const seeds = [...perSeed].sort(([a], [b]) => a - b);
  const values = seeds.flatMap(([, value]) => (value === null ? [] : [value]));
  return { mean: mean(values), sd: sampleDeviation(values), per_seed: Object.fromEntries(seeds) };
}

/** Episodes by seed, seeds ascending. */
export function bySeed<Item extends { readonly seed: number }>(items: readonly Item[]): Map<number, Item[]> {
  const seeds = [...new Set(items.map(({ seed }) => seed))].sort((a, b) => a - b);
  const groups = new Map<number, Item[]>(seeds.map((seed) => [seed, []]));
  for (const item of items) groups.get(item.seed)?.push(item);
  return groups;
}

/**
 * All episodes of one dataset under one condition, whatever their split: within a seed the splits are pooled, so that
 * each metric averages over the records that define it.
 */
export function summarise(episodes: readonly Episode[]): Summary {
  const seeds = bySeed(episodes.map((episode) => ({ seed: episode.seed, metrics: episodeMetrics(episode) })));
  const measure = (metric: Metric): Measure => {
    const perSeed = new Map<number, number | null>();
    let n = 0;
    for (const [seed, all] of seeds) {
      const values = all.flatMap(({ metrics }) => metrics[metric] ?? []);
      perSeed.set(seed, mean(values));
      n += values.length;
    }
    return { ...overSeeds(perSeed), n };
  };
  return { sr: measure("sr"), precision: measure("precision"), recall: measure("recall"), f1: measure("f1") };
}

/** The episodes that SR leaves out (faults of the gold, model servers that failed for good), by seed and record. */
export function leftOut(episodes: readonly Episode[]): readonly LeftOut[] {
  return episodes
    .filter(({ verdict }) => leavesSuccessRate(verdict))
    .map(({ record, seed, verdict }) => ({ record, seed, verdict }))
    .sort((a, b) => a.seed - b.seed || (a.record < b.record ? -1 : Number(a.record > b.record)));
}
