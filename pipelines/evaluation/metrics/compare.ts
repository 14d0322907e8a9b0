/** Differences within a run and means over dataset families (spec 4; paper sections C.1 and C.3). */
import { bySeed, type Measure, mean, overSeeds, type Summary } from "./aggregate.js";
import type { Metric } from "./episode.js";

/** A difference or a family mean: seeds, their mean and spread. Fractions of 1; differences may be negative. */
export type SeedSeries = Omit<Measure, "n">;

/** `minuend − subtrahend` seed by seed, then averaged; seeds that either lacks are not in it. */
export function difference(minuend: Measure, subtrahend: Measure): SeedSeries {
  const perSeed = new Map<number, number>();
  for (const [seed, value] of Object.entries(minuend.per_seed)) {
    const other = subtrahend.per_seed[seed] ?? null;
    if (value !== null && other !== null) perSeed.set(Number(seed), value - other);
  }
  return overSeeds(perSeed);
}

/** The three conditions of one run, on the same records, solver, server and seeds. */
export interface Conditions {
  readonly none: Summary;
  readonly asker: Summary;
  readonly full: Summary;
}

/** SR(asker) − SR(none) in the same run. */
export const askingGain = (run: Conditions): SeedSeries => difference(run.asker.sr, run.none.sr);

/** SR(full) − SR(asker) in the same run; negative gaps are kept. */
export const gapToFull = (run: Conditions): SeedSeries => difference(run.full.sr, run.asker.sr);

/** One dataset of a family. `complete` holds the seeds for which every planned episode is there. */
export interface FamilyMember {
  readonly summary: Summary;
  readonly complete: ReadonlySet<number>;
}

/**
 * The mean over datasets with equal weight: averaged within each seed first, over the seeds that are complete, and have
 * a value, on all of them; then over seeds.
 */
export function familyMean(members: readonly FamilyMember[], metric: Metric): SeedSeries {
  const perSeed = new Map<number, number | null>();
  for (const seed of members[0]?.complete ?? []) {
    const values = members.flatMap(({ summary, complete }) =>
      complete.has(seed) ? (summary[metric].per_seed[String(seed)] ?? []) : [],
    );
    if (values.length === members.length) perSeed.set(seed, mean(values));
  }
  return overSeeds(perSeed);
}

/** The seeds under which each of `planned` (record names) has an episode. */
export function completeSeeds(
  episodes: readonly { readonly record: string; readonly seed: number }[],
  planned: readonly string[],
): ReadonlySet<number> {
  const isComplete = (done: readonly { readonly record: string }[]): boolean => {
    const records = new Set(done.map(({ record }) => record));
    return planned.every((record) => records.has(record));
  };
  return new Set([...bySeed(episodes)].filter(([, done]) => isComplete(done)).map(([seed]) => seed));
}
