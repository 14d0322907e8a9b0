/** A comparison of two runs as a report. */
import { FEW_CLUSTERS } from "../bootstrap/index.js";
import type { Comparison, DatasetComparison, PairedMeasure } from "../comparison/index.js";
import { METRICS } from "../metrics/index.js";
import { CONDITIONS } from "../run/summary.js";
import { type Cell, type Report, section, type Table, textCell } from "./document/types.js";
import { datasetName } from "./labels.js";
import { countCell, levelCell, pointsCell } from "./measures.js";
import { LIMITS } from "./tables/leakage.js";

const HEADINGS = { sr: "SR", precision: "Precision", recall: "Recall", f1: "F1" } as const;

function row(
  dataset: string,
  condition: string,
  metric: string,
  measure: PairedMeasure,
  points: boolean,
): Cell[] {
  const level = points ? pointsCell : levelCell;
  const { clusters, interval } = measure.difference;
  const few = interval === null || clusters < FEW_CLUSTERS;
  return [
    textCell(dataset),
    textCell(condition),
    textCell(metric),
    level(measure.a, undefined, { interval: null }),
    level(measure.b, undefined, { interval: null }),
    pointsCell(measure.difference, undefined, { decimals: 2, ...(few ? { mark: "*" } : {}) }),
    countCell(clusters),
  ];
}

function rows({ dataset, measures, asking_gain, gap_to_full }: DatasetComparison): Cell[][] {
  const name = datasetName(dataset);
  const metrics = CONDITIONS.flatMap((condition) =>
    METRICS.flatMap((metric) => {
      const measure = measures[condition][metric];
      return measure.difference.n === 0 ? [] : [row(name, condition, HEADINGS[metric], measure, false)];
    }),
  );
  const within = [
    ["asking gain", asking_gain],
    ["gap to full", gap_to_full],
  ] as const;
  return [
    ...metrics,
    ...within.flatMap(([label, measure]) =>
      measure.difference.n === 0 ? [] : [row(name, "within the run", label, measure, true)],
    ),
  ];
}

function aloneNotes(datasets: readonly DatasetComparison[]): string[] {
  return datasets.flatMap(({ dataset, measures }) => {
    const { a, b } = measures.asker.sr.alone;
    return a + b === 0
      ? []
      : [
          `${datasetName(dataset)}: ${a} values of SR under the asker are in A alone and ${b} in B alone; they are in no mean here`,
        ];
  });
}

function changedTable({ datasets }: Comparison, most: number): Table | null {
  const changed = datasets.flatMap(({ changed: all, dataset }) => all.map((one) => ({ ...one, dataset })));
  if (changed.length === 0) return null;
  const shown = datasets.flatMap(({ changed: all, dataset }) =>
    all.slice(0, most).map((one) => ({ ...one, dataset })),
  );
  const gained = changed.filter(({ a, b }) => a > b).length;
  return {
    id: "changed",
    title: `Records that changed: ${gained} solved more often by A, ${changed.length - gained} by B`,
    caption: `Under the asker: how many of the shared seeds each side solves. At most ${most} per dataset, largest change first.`,
    columns: [{ label: "Dataset" }, { label: "Record" }, { label: "A" }, { label: "B" }, { label: "Seeds" }],
    keys: 2,
    rows: shown.map(({ dataset, record, a, b, seeds }) => [
      textCell(datasetName(dataset)),
      textCell(record),
      countCell(a),
      countCell(b),
      countCell(seeds),
    ]),
    notes: [],
  };
}

/** @param most changed records that are listed per dataset */
export function comparisonReport(comparison: Comparison, most = 20): Report {
  const { a, b, settings, same_suite, datasets, only_in, synthetic } = comparison;
  const few = datasets.some(({ measures }) => measures.asker.sr.difference.clusters < FEW_CLUSTERS);
  const table: Table = {
    id: "differences",
    title: "Paired differences, A − B",
    caption: `A: ${a}; B: ${b}. Both sides over the records and seeds that both have, paired by record and seed. A and B in percent (gain and gap in points), mean ± sample SD over seeds; A − B in points with the 95 % AVT-cluster bootstrap interval (2,000 resamples); n: values or pairs. ${LIMITS}`,
    columns: [
      { label: "Dataset" },
      { label: "Condition" },
      { label: "Metric" },
      { label: "A" },
      { label: "B" },
      { label: "A − B", unit: "points" },
      { label: "AVTs" },
    ],
    keys: 3,
    rows: datasets.flatMap(rows),
    notes: [
      ...(few ? [`* fewer than ${FEW_CLUSTERS} AVTs: the interval covers less than 95 %`] : []),
      ...aloneNotes(datasets),
    ],
  };
  const changed = changedTable(comparison, most);
  const differing: Table = {
    id: "settings",
    title: "Settings that differ",
    caption: "The comparison is about all of these at once.",
    columns: [{ label: "Setting" }, { label: "A" }, { label: "B" }],
    keys: 1,
    rows: settings.map((one) => [one.setting, one.a, one.b].map(textCell)),
    notes: [],
  };
  return {
    title: "Two runs compared",
    synthetic,
    facts: [
      `A: ${a}`,
      `B: ${b}`,
      ...(same_suite
        ? []
        : ["WARNING: the runs are on different builds or releases; records are matched by id alone"]),
      ...(only_in.a.length > 0 ? [`only in A: ${only_in.a.join(", ")}`] : []),
      ...(only_in.b.length > 0 ? [`only in B: ${only_in.b.join(", ")}`] : []),
    ],
    sections: [
      section("Differences", { tables: [table] }),
      section("What changed", {
        tables: [...(settings.length > 0 ? [differing] : []), ...(changed === null ? [] : [changed])],
      }),
    ],
  };
}
