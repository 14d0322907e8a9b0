/**
 * Two runs, or two policies, on the same tasks: paired differences with AVT-cluster intervals (spec 5), and the records
 * whose outcome changed.
 *
 * @example
 * const { datasets, settings } = compareRuns(await readRun("out/runs/a"), await readRun("out/runs/b"));
 */
import type { RunSettings } from "../../../schemas/types/run.js";
import { type Estimate, estimate, levels, type Measured, pairDifferences } from "../bootstrap/index.js";
import { METRICS, type Metric } from "../metrics/index.js";
import { episodesOf, type ReadRun, type ScoredEpisode } from "../run/read.js";
import { CONDITIONS, type Condition } from "../run/summary.js";

/** A metric of both runs over their common records and seeds, and A − B. Fractions of 1. */
export interface PairedMeasure {
  readonly a: Estimate;
  readonly b: Estimate;
  readonly difference: Estimate;
  /** Values without a partner, which are in none of the three. */
  readonly alone: { readonly a: number; readonly b: number };
}

/** A record that A and B do not solve equally often over the seeds they share. */
export interface ChangedRecord {
  readonly record: string;
  readonly a: number;
  readonly b: number;
  readonly seeds: number;
}

export interface DatasetComparison {
  readonly dataset: string;
  readonly measures: Readonly<Record<Condition, Readonly<Record<Metric, PairedMeasure>>>>;
  /** SR(asker) − SR(none) and SR(full) − SR(asker), each within its run. */
  readonly asking_gain: PairedMeasure;
  readonly gap_to_full: PairedMeasure;
  /** Under the asker, largest change first. */
  readonly changed: readonly ChangedRecord[];
}

export interface Comparison {
  readonly a: string;
  readonly b: string;
  readonly synthetic: boolean;
  /** Settings that differ, as text; a comparison is about these and nothing else. */
  readonly settings: readonly { readonly setting: string; readonly a: string; readonly b: string }[];
  readonly same_suite: boolean;
  readonly datasets: readonly DatasetComparison[];
  readonly only_in: { readonly a: readonly string[]; readonly b: readonly string[] };
}

const measured = (episodes: readonly ScoredEpisode[], metric: Metric): Measured[] =>
  episodes.map(({ record, avt, seed, metrics }) => ({ record, cluster: avt, seed, value: metrics[metric] }));

/** Values of both sides that have a partner, as two lists of the same tasks. */
function common(a: readonly Measured[], b: readonly Measured[]): [Measured[], Measured[]] {
  const keys = (all: readonly Measured[]): Set<string> =>
    new Set(all.flatMap(({ seed, record, value }) => (value === null ? [] : [`${seed}/${record}`])));
  const [inA, inB] = [keys(a), keys(b)];
  const kept = (all: readonly Measured[], others: Set<string>): Measured[] =>
    all.filter(({ seed, record, value }) => value !== null && others.has(`${seed}/${record}`));
  return [kept(a, inB), kept(b, inA)];
}

/** Both means, their difference and its interval, over the tasks and seeds that both have. */
export function pairMeasure(a: readonly Measured[], b: readonly Measured[]): PairedMeasure {
  const { differences, alone } = pairDifferences(a, b);
  const [ofA, ofB] = common(a, b);
  return {
    a: estimate(levels(ofA)),
    b: estimate(levels(ofB)),
    difference: estimate(differences),
    alone: { a: alone.minuend, b: alone.subtrahend },
  };
}

/** A difference of two conditions of one run, record by record, as a measure of its own. */
export function within(minuend: readonly Measured[], subtrahend: readonly Measured[]): Measured[] {
  const others = new Map(subtrahend.map((one) => [`${one.seed}/${one.record}`, one.value]));
  return minuend.map((one) => {
    const other = others.get(`${one.seed}/${one.record}`) ?? null;
    return { ...one, value: one.value === null || other === null ? null : one.value - other };
  });
}

function changedRecords(a: readonly Measured[], b: readonly Measured[]): ChangedRecord[] {
  const [ofA, ofB] = common(a, b);
  const tally = (all: readonly Measured[]): Map<string, { solved: number; seeds: number }> => {
    const found = new Map<string, { solved: number; seeds: number }>();
    for (const { record, value } of all) {
      const { solved, seeds } = found.get(record) ?? { solved: 0, seeds: 0 };
      found.set(record, { solved: solved + value!, seeds: seeds + 1 });
    }
    return found;
  };
  const inB = tally(ofB);
  return [...tally(ofA)]
    .map(([record, { solved, seeds }]) => ({ record, a: solved, b: inB.get(record)?.solved ?? 0, seeds }))
    .filter(({ a: first, b: second }) => first !== second)
    .sort((x, y) => Math.abs(y.a - y.b) - Math.abs(x.a - x.b) || (x.record < y.record ? -1 : 1));
}

function compareDataset(runA: ReadRun, runB: ReadRun, dataset: string): DatasetComparison {
  const of = (run: ReadRun, condition: Condition, metric: Metric): Measured[] =>
    measured(episodesOf(run, dataset, condition), metric);
  const byMetric = (condition: Condition): Record<Metric, PairedMeasure> => {
    const one = (metric: Metric): PairedMeasure =>
      pairMeasure(of(runA, condition, metric), of(runB, condition, metric));
    return Object.fromEntries(METRICS.map((metric) => [metric, one(metric)])) as Record<
      Metric,
      PairedMeasure
    >;
  };
  const gain = (run: ReadRun, more: Condition, less: Condition): Measured[] =>
    within(of(run, more, "sr"), of(run, less, "sr"));
  return {
    dataset,
    measures: Object.fromEntries(
      CONDITIONS.map((condition) => [condition, byMetric(condition)]),
    ) as DatasetComparison["measures"],
    asking_gain: pairMeasure(gain(runA, "asker", "none"), gain(runB, "asker", "none")),
    gap_to_full: pairMeasure(gain(runA, "full", "asker"), gain(runB, "full", "asker")),
    changed: changedRecords(of(runA, "asker", "sr"), of(runB, "asker", "sr")),
  };
}

const asText = (value: unknown): string =>
  typeof value === "string" ? value : value === undefined ? "not set" : JSON.stringify(value);

/** The settings in which two runs differ; how a suite's path was typed is none. */
export function differingSettings(a: RunSettings, b: RunSettings): Comparison["settings"] {
  const [first, second] = [a, b].map((one) => ({ ...one, suite: one.suite.hash }) as Record<string, unknown>);
  return [...new Set([...Object.keys(first!), ...Object.keys(second!)])]
    .map((setting) => ({ setting, a: asText(first![setting]), b: asText(second![setting]) }))
    .filter((one) => one.a !== one.b);
}

/** A − B over every dataset that both runs have. */
export function compareRuns(a: ReadRun, b: ReadRun): Comparison {
  const [inA, inB] = [a, b].map(({ settings }) => new Set(settings.datasets));
  const shared = a.settings.datasets.filter((dataset) => inB!.has(dataset));
  return {
    a: a.name,
    b: b.name,
    synthetic: a.settings.synthetic || b.settings.synthetic,
    settings: differingSettings(a.settings, b.settings),
    same_suite: a.settings.suite.hash === b.settings.suite.hash,
    datasets: shared.map((dataset) => compareDataset(a, b, dataset)),
    only_in: {
      a: a.settings.datasets.filter((dataset) => !inB!.has(dataset)),
      b: b.settings.datasets.filter((dataset) => !inA!.has(dataset)),
    },
  };
}
