/** Values of runs as table cells: mean ± SD over seeds, the interval over AVTs, the denominator, the paper's number. */
import { type Estimate, estimate, type Measured } from "../bootstrap/index.js";
import { within } from "../comparison/index.js";
import type { Metric, SeedSeries } from "../metrics/index.js";
import { episodesOf, type ReadRun, type ScoredEpisode } from "../run/read.js";
import type { Condition } from "../run/summary.js";
import type { PaperValue, ValueCell } from "./document/types.js";

/** A metric's observations, each resampled with its AVT. */
export function measured(episodes: readonly ScoredEpisode[], metric: Metric): Measured[] {
  return episodes.map(({ record, avt, seed, metrics }) => ({
    record,
    cluster: avt,
    seed,
    value: metrics[metric],
  }));
}

const defined = (all: readonly Measured[]) =>
  all.flatMap(({ cluster, seed, value }) => (value === null ? [] : [{ cluster, seed, value }]));

export const estimateOf = (all: readonly Measured[]): Estimate => estimate(defined(all));

/** A metric of a run on a dataset under a condition. */
export const metricOf = (run: ReadRun, dataset: string, condition: Condition, metric: Metric): Estimate =>
  estimateOf(measured(episodesOf(run, dataset, condition), metric));

/** SR under one condition minus SR under another, record by record within the run. */
export function gainOf(run: ReadRun, dataset: string, more: Condition, less: Condition): Estimate {
  const sr = (condition: Condition): Measured[] => measured(episodesOf(run, dataset, condition), "sr");
  return estimateOf(within(sr(more), sr(less)));
}

const paperOf = (paper: PaperValue | undefined): { paper?: PaperValue } =>
  paper === undefined ? {} : { paper };

/** A share, in percent. */
export const levelCell = (
  { mean, sd, interval, n }: Estimate,
  paper?: PaperValue,
  over: Partial<ValueCell> = {},
): ValueCell => ({ kind: "value", unit: "percent", mean, sd, interval, n, ...paperOf(paper), ...over });

/** A difference, in points. */
export const pointsCell = (
  { mean, sd, interval, n }: Estimate,
  paper?: PaperValue,
  over: Partial<ValueCell> = {},
): ValueCell => ({ kind: "value", unit: "points", mean, sd, interval, n, ...paperOf(paper), ...over });

/** A mean over seeds without an interval, such as one over datasets. */
export const seriesCell = ({ mean, sd }: SeedSeries, paper?: PaperValue): ValueCell => ({
  kind: "value",
  unit: "percent",
  mean,
  sd,
  ...paperOf(paper),
});

/** What every table of levels says of its numbers. */
export const HOW_TO_READ =
  "Mean ± sample SD over seeds; in brackets the 95 % percentile bootstrap interval over AVTs (2,000 resamples); n: the episodes, over all seeds, that define the value.";

export const countCell = (value: number): ValueCell => ({
  kind: "value",
  unit: "number",
  mean: value,
  decimals: 0,
});
