/** A mean over seeds with its spread and its interval (spec 5; paper sections A.4 and C.3). */
import { bySeed, mean, overSeeds } from "../metrics/aggregate.js";
import type { SeedSeries } from "../metrics/index.js";
import { resamplesOf } from "./resamples.js";

/** One value of one record under one seed, and the cluster that it is resampled with. */
export interface Observation {
  readonly cluster: string;
  readonly seed: number;
  readonly value: number;
}

/**
 * The mean of the seeds' means, in the unit of the observations.
 *
 * - `sd`: sample SD over the seeds, which shows decoding variation alone.
 * - `interval`: 95 % percentile bootstrap of clusters, which shows the variation over tasks; null below two clusters.
 * - `clusters`: how many units were resampled. Below `FEW_CLUSTERS` the interval is too narrow more often than it says.
 */
export interface Estimate extends SeedSeries {
  readonly interval: { readonly lo: number; readonly hi: number } | null;
  readonly n: number;
  readonly clusters: number;
}

/** As in the paper (section A.4). */
export const RESAMPLES = 2000;
const LEVEL = 0.95;

/** Fewer units than this make a percentile bootstrap cover visibly less than its level; reports say so. */
export const FEW_CLUSTERS = 30;

/** The quantile of ascending values, linear between neighbours (Hyndman and Fan's type 7). */
export function quantile(ascending: Float64Array, share: number): number {
  const place = (ascending.length - 1) * share;
  const low = Math.floor(place);
  const [below, above] = [ascending[low]!, ascending[Math.min(low + 1, ascending.length - 1)]!];
  return below === above ? below : below + (place - low) * (above - below);
}

/** Sums and counts of a seed, cluster by cluster. */
interface SeedCells {
  readonly sums: Float64Array;
  readonly counts: Uint32Array;
}

function cellsOf(seeds: ReadonlyMap<number, readonly Observation[]>, places: ReadonlyMap<string, number>) {
  return [...seeds.values()].map((observations): SeedCells => {
    const cells = { sums: new Float64Array(places.size), counts: new Uint32Array(places.size) };
    for (const { cluster, value } of observations) {
      const place = places.get(cluster)!;
      cells.sums[place]! += value;
      cells.counts[place]! += 1;
    }
    return cells;
  });
}

/** Σ over clusters of how often each was drawn times its value: one sum a resample. */
function drawnSums(values: Float64Array | Uint32Array, drawn: Uint16Array, resamples: number): Float64Array {
  const sums = new Float64Array(resamples);
  for (let place = 0; place < values.length; place += 1) {
    const value = values[place]!;
    if (value === 0) continue;
    const start = place * resamples;
    for (let at = 0; at < resamples; at += 1) sums[at]! += drawn[start + at]! * value;
  }
  return sums;
}

/** The statistic on every resample, ascending. Each seed weighs the same, as in the statistic itself. */
function bootstrap(seeds: readonly SeedCells[], clusters: number, resamples: number): Float64Array {
  const { counts: drawn } = resamplesOf(clusters, resamples);
  const totals = new Float64Array(resamples);
  const defined = new Uint32Array(resamples);
  for (const { sums, counts } of seeds) {
    const sum = drawnSums(sums, drawn, resamples);
    const balanced = counts.every((count) => count === counts[0]);
    const count = balanced
      ? new Float64Array(resamples).fill(clusters * counts[0]!)
      : drawnSums(counts, drawn, resamples);
    for (let at = 0; at < resamples; at += 1) {
      // A seed without an observation in this resample has no mean there.
      if (count[at] === 0) continue;
      totals[at]! += sum[at]! / count[at]!;
      defined[at]! += 1;
    }
  }
  const statistics = totals.map((total, at) => total / defined[at]!);
  return statistics.filter((value) => !Number.isNaN(value)).sort();
}

/**
 * Estimates a level or, from paired differences, a difference. A cluster keeps its records, seeds and pairs together.
 *
 * @param observations in any order: the result does not depend on it
 */
export function estimate(observations: readonly Observation[], resamples = RESAMPLES): Estimate {
  const sorted = observations.toSorted(
    (a, b) => (a.cluster < b.cluster ? -1 : Number(a.cluster > b.cluster)) || a.value - b.value,
  );
  const seeds = bySeed(sorted);
  const perSeed = new Map(
    [...seeds].map(([seed, all]) => [seed, mean(all.map(({ value }) => value))] as const),
  );
  const places = new Map<string, number>();
  for (const { cluster } of sorted) if (!places.has(cluster)) places.set(cluster, places.size);
  const summary = { ...overSeeds(perSeed), n: sorted.length, clusters: places.size };
  if (places.size < 2) return { ...summary, interval: null };
  const statistics = bootstrap(cellsOf(seeds, places), places.size, resamples);
  const tail = (1 - LEVEL) / 2;
  return {
    ...summary,
    interval: { lo: quantile(statistics, tail), hi: quantile(statistics, 1 - tail) },
  };
}
