/** The equivalent of the paper's Table 10: askers against each other under the deterministic oracle. */

import { mean } from "../../metrics/aggregate.js";
import { type Cell, type Table, textCell } from "../document/types.js";
import { datasetName } from "../labels.js";
import { HOW_TO_READ, levelCell, pointsCell } from "../measures.js";
import { PUBLISHED } from "../published/numbers.js";
import type { InferenceRow } from "./inference.js";

/** An asker on a dataset, measured. */
export interface PromptRow extends InferenceRow {
  /** The asker's own name, whatever the person calls the run. */
  readonly prompt: string;
}

/** The equal mean over the datasets on which every asker ran; no SD, as in the paper. */
function meanRows(rows: readonly PromptRow[]): Cell[][] {
  const prompts = [...new Set(rows.map(({ policy }) => policy))];
  const shared = [...new Set(rows.map(({ dataset }) => dataset))].filter((dataset) =>
    prompts.every((policy) => rows.some((row) => row.policy === policy && row.dataset === dataset)),
  );
  if (shared.length < 2) return [];
  return prompts.map((policy) => {
    const own = rows.filter((row) => row.policy === policy && shared.includes(row.dataset));
    const paper =
      shared.length === 6 && own.every(({ incomparable }) => incomparable === null)
        ? PUBLISHED.prompts.get(`mean ${own[0]!.prompt}`)
        : undefined;
    const cell = (name: "asker" | "precision" | "recall" | "f1" | "gain"): Cell => ({
      kind: "value",
      unit: name === "gain" ? "points" : "percent",
      mean: mean(own.flatMap((row) => row[name].mean ?? [])),
      ...(name === "asker" && paper?.sr !== undefined ? { paper: paper.sr } : {}),
      ...((name === "precision" || name === "recall") && paper?.[name] !== undefined
        ? { paper: paper[name] }
        : {}),
    });
    return [
      textCell(`Mean of ${shared.length}`),
      textCell(policy),
      cell("asker"),
      cell("precision"),
      cell("recall"),
      cell("f1"),
      cell("gain"),
    ];
  });
}

/** SR, precision, recall, F1 and gain of each asker; null where there are not two askers to compare. */
export function promptTable(rows: readonly PromptRow[]): Table | null {
  if (new Set(rows.map(({ policy }) => policy)).size < 2) return null;
  const body = rows.map((row): Cell[] => {
    const paper =
      row.incomparable === null ? PUBLISHED.prompts.get(`${row.dataset} ${row.prompt}`) : undefined;
    return [
      textCell(datasetName(row.dataset)),
      textCell(row.policy),
      levelCell(row.asker, paper?.sr),
      levelCell(row.precision, paper?.precision),
      levelCell(row.recall, paper?.recall),
      levelCell(row.f1),
      pointsCell(row.gain),
    ];
  });
  return {
    id: "prompts",
    title: "Askers compared under the deterministic oracle (equivalent of the paper's Table 10)",
    caption: `All askers have the same budget of questions and the same solver. Mean rows average the datasets on which every asker ran, with equal weight and without SD. ${HOW_TO_READ}`,
    columns: [
      { label: "Dataset" },
      { label: "Asker" },
      { label: "SR", unit: "%" },
      { label: "Precision", unit: "%" },
      { label: "Recall", unit: "%" },
      { label: "F1", unit: "%" },
      { label: "Gain over not asking", unit: "points" },
    ],
    keys: 2,
    rows: [...body, ...meanRows(rows)],
    notes: [],
  };
}
