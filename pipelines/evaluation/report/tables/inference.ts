/** The equivalent of the paper's Table 8: three success rates and the asking metrics, dataset by dataset, oracle by oracle. */

import type { Estimate } from "../../bootstrap/index.js";
import type { CampaignResult, DatasetDiagnostics, DiagnosticName } from "../../diagnostics/types.js";
import { type Cell, type Table, textCell, type ValueCell } from "../document/types.js";
import {
  byDataset,
  byOracle,
  datasetName,
  incomparable,
  type LabelledRun,
  oracleKey,
  oracleName,
  policyOf,
} from "../labels.js";
import { gainOf, HOW_TO_READ, levelCell, metricOf, pointsCell } from "../measures.js";
import { PUBLISHED } from "../published/numbers.js";

/** One dataset of one run, measured. */
export interface InferenceRow {
  readonly dataset: string;
  readonly oracle: string;
  readonly policy: string;
  readonly none: Estimate;
  readonly asker: Estimate;
  readonly full: Estimate;
  readonly precision: Estimate;
  readonly recall: Estimate;
  readonly f1: Estimate;
  readonly gain: Estimate;
  readonly gap: Estimate;
  readonly incomparable: string | null;
}

/** The metrics of every dataset of every run, in the paper's order. */
export function inferenceRows(runs: readonly LabelledRun[]): InferenceRow[] {
  return runs
    .flatMap((one) =>
      one.run.settings.datasets.map((dataset): InferenceRow => {
        const { run } = one;
        return {
          dataset,
          oracle: oracleKey(run.settings),
          policy: policyOf(one),
          none: metricOf(run, dataset, "none", "sr"),
          asker: metricOf(run, dataset, "asker", "sr"),
          full: metricOf(run, dataset, "full", "sr"),
          precision: metricOf(run, dataset, "asker", "precision"),
          recall: metricOf(run, dataset, "asker", "recall"),
          f1: metricOf(run, dataset, "asker", "f1"),
          gain: gainOf(run, dataset, "asker", "none"),
          gap: gainOf(run, dataset, "full", "asker"),
          incomparable:
            run.settings.asker === "checklist-ledger"
              ? incomparable(run, dataset, "pooled")
              : "another asker",
        };
      }),
    )
    .sort((a, b) => byDataset(a.dataset, b.dataset) || byOracle(a.oracle, b.oracle));
}

/** Marks the largest mean of each column within a dataset, where there is more than one row to choose from. */
function strengthen(rows: readonly (readonly Cell[])[], groups: readonly string[]): Cell[][] {
  return rows.map((row, at) =>
    row.map((cell, column) => {
      if (cell.kind !== "value" || cell.mean === null) return cell;
      const rivals = rows.flatMap((other, place) => {
        const rival = other[column]!;
        return groups[place] === groups[at] && rival.kind === "value" && rival.mean !== null
          ? [rival.mean]
          : [];
      });
      const best = rivals.length > 1 && cell.mean === Math.max(...rivals) && Math.min(...rivals) < cell.mean;
      return best ? ({ ...cell, strong: true } satisfies ValueCell) : cell;
    }),
  );
}

/** Success, precision and recall of every run; the largest mean of a dataset's column stands out. */
export function inferenceTable(measured: readonly InferenceRow[]): Table {
  const rows = measured.map((row): Cell[] => {
    const paper =
      row.incomparable === null ? PUBLISHED.inference.get(`${row.dataset} ${row.oracle}`) : undefined;
    return [
      textCell(datasetName(row.dataset)),
      textCell(oracleName(row.oracle)),
      textCell(row.policy),
      levelCell(row.none, paper?.none),
      levelCell(row.asker, paper?.asker),
      levelCell(row.full, paper?.full),
      levelCell(row.precision, paper?.precision),
      levelCell(row.recall, paper?.recall),
      levelCell(row.f1),
      pointsCell(row.gain),
      pointsCell(row.gap),
    ];
  });
  const column = (label: string, unit: string) => ({ label, unit });
  return {
    id: "inference",
    title: "Success and asking, by dataset and oracle (equivalent of the paper's Table 8)",
    caption: `SR: share of answers whose result is right, without asking (none), with the asker, and with every ambiguity asked about (full). Precision: share of questions that earned a new credit, over episodes with a question. Recall: share of registered ambiguities credited, over records that have one. F1: mean of the episodes' harmonic means. Gain: SR(asker) − SR(none); gap: SR(full) − SR(asker), within each run; negative gaps are kept. ${HOW_TO_READ}`,
    columns: [
      { label: "Dataset" },
      { label: "Oracle" },
      { label: "Asker" },
      column("SR none", "%"),
      column("SR asker", "%"),
      column("SR full", "%"),
      column("Precision", "%"),
      column("Recall", "%"),
      column("F1", "%"),
      column("Gain", "points"),
      column("Gap", "points"),
    ],
    keys: 3,
    rows: strengthen(
      rows,
      measured.map(({ dataset }) => dataset),
    ),
    notes: comparabilityNotes(measured),
  };
}

/** Says beside which rows the paper's numbers stand, and why not beside the others. */
export function comparabilityNotes(
  rows: readonly { readonly dataset: string; readonly incomparable: string | null }[],
): string[] {
  const reasons = new Map<string, Set<string>>();
  for (const { dataset, incomparable: why } of rows) {
    if (why === null) continue;
    reasons.set(why, (reasons.get(why) ?? new Set()).add(datasetName(dataset)));
  }
  return [...reasons].map(
    ([why, datasets]) => `not set beside the paper's numbers (${why}): ${[...datasets].join(", ")}`,
  );
}

/** The diagnostics of a dataset under an oracle, from whichever campaign has them. */
export function diagnosticsFor(
  campaigns: readonly CampaignResult[],
  dataset: string,
  oracle: string,
): DatasetDiagnostics | undefined {
  return campaigns
    .flatMap(({ datasets }) => datasets)
    .find((one) => one.dataset === dataset && one.oracle === oracle);
}

export const DIAGNOSTIC_ORDER: readonly DiagnosticName[] = ["dj_resp", "drec_spec_q", "dj_full", "drec_none"];
