/** The equivalent of the paper's Figure 4: what showing the responder the reference SQL changes. */

import type { SqlAccess } from "../../diagnostics/types.js";
import { type Diagnostic, SYMBOLS } from "../../diagnostics/types.js";
import { defaultOracleSql } from "../../oracles/index.js";
import type { Figure } from "../document/types.js";
import { byDataset, datasetName, oracleName } from "../labels.js";
import { oracleScale } from "./colours.js";

/** Datasets whose responder reads the SQL by default (spec 3) stand above the line. */
const shownByDefault = (dataset: string): boolean => defaultOracleSql(dataset) === "shown";

interface Dot {
  dataset: string;
  oracle: string;
  value: number;
  low: number;
  high: number;
}

function dot(dataset: string, oracle: string, value: Diagnostic | null): Dot[] {
  if (value === null || value.mean === null) return [];
  const { lo, hi } = value.interval ?? { lo: value.mean, hi: value.mean };
  return [
    {
      dataset: datasetName(dataset),
      oracle: oracleName(oracle),
      value: 100 * value.mean,
      low: 100 * lo,
      high: 100 * hi,
    },
  ];
}

/** Null where no campaign has both conditions. */
export function sqlAccessFigure(rows: readonly SqlAccess[]): Figure | null {
  if (rows.length === 0) return null;
  const datasets = [...new Set(rows.map(({ dataset }) => dataset))].sort(byDataset);
  const scale = oracleScale(rows.map(({ oracle }) => oracle));
  const above = datasets.filter(shownByDefault).length;
  const y = {
    field: "dataset",
    type: "nominal",
    sort: datasets.map(datasetName),
    title: null,
    axis: { ticks: false, domain: false },
  };
  const panel = (letter: string, name: "dj_resp" | "dj_full"): object => {
    const values = rows.flatMap(({ dataset, oracle, differences }) =>
      dot(dataset, oracle, differences[name]),
    );
    const colour = {
      field: "oracle",
      type: "nominal",
      scale,
      title: null,
      legend: { orient: "top", symbolType: "circle" },
    };
    const yOffset = { field: "oracle", type: "nominal", sort: scale.domain, scale: { paddingOuter: 0.9 } };
    const line =
      above > 0 && above < datasets.length
        ? [
            {
              data: { values: [{ dataset: datasetName(datasets[above]!) }] },
              mark: { type: "rule", strokeDash: [3, 3], color: "#8a94a3" },
              encoding: { y: { ...y, bandPosition: 0 }, x: { value: 0 }, x2: { value: "width" } },
            },
          ]
        : [];
    return {
      title: `(${letter}) ${SYMBOLS[name]}`,
      width: 300,
      height: { step: 46, for: "position" },
      layer: [
        {
          data: { values: [{ zero: 0 }] },
          mark: { type: "rule", color: "#5c6878" },
          encoding: { x: { field: "zero", type: "quantitative" } },
        },
        ...line,
        {
          data: { values },
          mark: { type: "rule", strokeWidth: 1.6 },
          encoding: {
            y,
            yOffset,
            color: colour,
            x: { field: "low", type: "quantitative", title: "shown − hidden (points)" },
            x2: { field: "high" },
          },
        },
        {
          data: { values },
          mark: { type: "point", filled: true, size: 62, opacity: 1 },
          encoding: { y, yOffset, color: colour, x: { field: "value", type: "quantitative" } },
        },
      ],
    };
  };
  return {
    id: "figure-sql-access",
    title: "Leakage when the responder reads the reference SQL (equivalent of the paper's Figure 4)",
    caption:
      "Reference SQL shown minus hidden to the LLM responder, in percentage points; the matcher is the same. (a) SR of the asker, (b) SR of the full-adversarial asker. Bars: paired 95 % AVT-cluster bootstrap intervals. Above the dashed line the responder reads the SQL by default, below it does not.",
    spec: { hconcat: [panel("a", "dj_resp"), panel("b", "dj_full")], spacing: 40 },
  };
}
