/** The equivalents of the paper's Tables 2 and 13: policies against the first one, under the deterministic oracle. */
import { traitsOf } from "../../../record/datasets.js";
import type { Estimate } from "../../bootstrap/index.js";
import {
  completeSeeds,
  familyMean,
  type Metric,
  type SeedSeries,
  type Summary,
} from "../../metrics/index.js";
import { episodesOf, type ReadRun } from "../../run/read.js";
import { type Cell, type Table, textCell } from "../document/types.js";
import { byDataset, datasetName, incomparable, type LabelledRun, POLICY_NAMES, policyOf } from "../labels.js";
import { HOW_TO_READ, levelCell, metricOf, seriesCell } from "../measures.js";
import { PUBLISHED } from "../published/numbers.js";

export const POLICY_METRICS = ["sr", "precision", "recall"] as const;
export type PolicyMetric = (typeof POLICY_METRICS)[number];
const HEADINGS: Readonly<Record<PolicyMetric, string>> = {
  sr: "SR",
  precision: "Precision",
  recall: "Recall",
};

/** One policy on one dataset. */
export interface PolicyRow {
  readonly policy: string;
  readonly dataset: string;
  readonly run: ReadRun;
  readonly measures: Readonly<Record<PolicyMetric, Estimate>>;
  readonly incomparable: string | null;
}

/** Comparisons of trained policies are made on development records, for the others were trained on. */
function developmentOnly(run: ReadRun, dataset: string): ReadRun {
  const development = traitsOf(dataset).campaign?.split;
  if (development === undefined || run.settings.split !== null) return run;
  return {
    ...run,
    settings: { ...run.settings, split: development },
    episodes: run.episodes.filter(({ split }) => split === development),
  };
}

/** Every labelled run under the deterministic oracle, dataset by dataset; labels in the order in which they are given. */
export function policyRows(runs: readonly LabelledRun[]): PolicyRow[] {
  return runs
    .filter(({ run }) => run.settings.oracle === "deterministic")
    .flatMap((one) =>
      one.run.settings.datasets.map((dataset): PolicyRow => {
        const run = developmentOnly(one.run, dataset);
        const of = (metric: Metric): Estimate => metricOf(run, dataset, "asker", metric);
        return {
          policy: policyOf(one),
          dataset,
          run,
          measures: { sr: of("sr"), precision: of("precision"), recall: of("recall") },
          incomparable: incomparable(run, dataset, "dev", one.label !== undefined),
        };
      }),
    )
    .sort((a, b) => byDataset(a.dataset, b.dataset));
}

/** A change between the means of two sets of seeds, and 1.96 standard errors of it (paper, Figure 5). Fractions of 1. */
export interface Change {
  readonly change: number | null;
  /** Null where either side has a single seed. */
  readonly band: number | null;
}

/** The seeds of the two sides are not paired: a base may have five seeds and a trained policy three. */
export function changeOf(base: SeedSeries, other: SeedSeries): Change {
  if (base.mean === null || other.mean === null) return { change: null, band: null };
  const seeds = ({ per_seed }: SeedSeries): number =>
    Object.values(per_seed).filter((value) => value !== null).length;
  const change = other.mean - base.mean;
  if (base.sd === null || other.sd === null) return { change, band: null };
  return { change, band: 1.96 * Math.sqrt(base.sd ** 2 / seeds(base) + other.sd ** 2 / seeds(other)) };
}

export const policiesOf = (rows: readonly PolicyRow[]): string[] => [
  ...new Set(rows.map(({ policy }) => policy)),
];

export const policyName = (policy: string): string => POLICY_NAMES[policy] ?? policy;

/** Each policy beside the first one, with the change; null without a second policy. */
export function changeTable(rows: readonly PolicyRow[], order: readonly string[]): Table | null {
  const [base, ...others] = order;
  if (base === undefined || others.length === 0) return null;
  const body = others.flatMap((policy) =>
    rows
      .filter((row) => row.policy === policy)
      .flatMap((row): Cell[][] => {
        const from = rows.find((one) => one.policy === base && one.dataset === row.dataset);
        if (from === undefined) return [];
        const cells = POLICY_METRICS.flatMap((metric): Cell[] => {
          const { change, band } = changeOf(from.measures[metric], row.measures[metric]);
          return [
            levelCell(from.measures[metric], undefined, { interval: null }),
            levelCell(row.measures[metric], undefined, { interval: null }),
            {
              kind: "value",
              unit: "points",
              mean: change,
              ...(change === null || band === null
                ? {}
                : { interval: { lo: change - band, hi: change + band } }),
            },
          ];
        });
        return [[textCell(policyName(policy)), textCell(datasetName(row.dataset)), ...cells]];
      }),
  );
  return {
    id: "policy-change",
    title: `Change from ${policyName(base)} (equivalent of the paper's Table 2)`,
    caption: `Deterministic oracle; Bird and EW-Bird: development records. Base: ${policyName(base)}. Mean ± sample SD over seeds, n as in the other tables; Δ: difference of the seed means in points, in brackets ± 1.96 standard errors of that difference, which is decoding variation and not sampling of tasks.`,
    columns: [
      { label: "Policy" },
      { label: "Dataset" },
      ...POLICY_METRICS.flatMap((metric) => [
        { label: `${HEADINGS[metric]} base`, unit: "%" },
        { label: HEADINGS[metric], unit: "%" },
        { label: `Δ ${HEADINGS[metric]}`, unit: "points" },
      ]),
    ],
    keys: 2,
    rows: body,
    notes: [],
  };
}

/** The mean over datasets, averaged within each seed first, over seeds that are complete on all of them. */
function familyCell(rows: readonly PolicyRow[], metric: PolicyMetric, policy: string): Cell {
  const members = rows.map(({ run, dataset, measures }) => {
    const episodes = episodesOf(run, dataset, "asker");
    const planned = [...new Set(episodes.map(({ record }) => record))];
    const summary: Summary = { ...measures, f1: measures.sr };
    return { summary, complete: completeSeeds(episodes, planned) };
  });
  const paper =
    rows.length === 6 && rows.every(({ incomparable: why }) => why === null)
      ? PUBLISHED.policies.get(`mean ${policy}`)?.[metric]
      : undefined;
  return seriesCell(familyMean(members, metric), paper);
}

/** Every policy on every dataset and the mean over datasets; null without a second policy. */
export function policyTable(rows: readonly PolicyRow[], order: readonly string[]): Table | null {
  if (order.length < 2) return null;
  const datasets = [...new Set(rows.map(({ dataset }) => dataset))];
  const body = POLICY_METRICS.flatMap((metric) =>
    order.map((policy): Cell[] => {
      const own = rows.filter((row) => row.policy === policy);
      const cells = datasets.map((dataset): Cell => {
        const row = own.find((one) => one.dataset === dataset);
        if (row === undefined) return textCell("–");
        const paper = row.incomparable === null ? PUBLISHED.policies.get(`${dataset} ${policy}`) : undefined;
        return levelCell(row.measures[metric], paper?.[metric]);
      });
      const whole = own.length === datasets.length && datasets.length > 1;
      return [
        textCell(HEADINGS[metric]),
        textCell(policyName(policy)),
        ...cells,
        whole ? familyCell(own, metric, policy) : textCell("–"),
      ];
    }),
  );
  return {
    id: "policies",
    title: "Policies on every dataset (equivalent of the paper's Table 13)",
    caption: `Deterministic oracle; Bird and EW-Bird: development records. Percent. Mean: the datasets averaged with equal weight within each seed, over the seeds complete on all of them. ${HOW_TO_READ}`,
    columns: [
      { label: "Metric" },
      { label: "Policy" },
      ...datasets.map((dataset) => ({ label: datasetName(dataset), unit: "%" })),
      { label: "Mean", unit: "%" },
    ],
    keys: 2,
    rows: body,
    notes: [],
  };
}
