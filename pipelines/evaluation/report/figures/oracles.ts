/** The equivalent of the paper's Figure 3: success, asking and leakage by dataset and oracle. */
import type { Estimate } from "../../bootstrap/index.js";
import { type DiagnosticName, SYMBOLS } from "../../diagnostics/types.js";
import type { Figure } from "../document/types.js";
import { datasetName, oracleName } from "../labels.js";
import type { InferenceRow } from "../tables/inference.js";
import { DIAGNOSTIC_ORDER } from "../tables/inference.js";
import type { LeakageRow } from "../tables/leakage.js";
import { oracleScale } from "./colours.js";

interface Bar {
  dataset: string;
  oracle: string;
  value: number;
  low: number;
  high: number;
}

interface Measures extends Bar {
  none: number | null;
  full: number | null;
}

const percent = (value: number | null): number | null => (value === null ? null : 100 * value);

function bar(dataset: string, oracle: string, { mean, sd }: Estimate): Bar[] {
  if (mean === null) return [];
  const [value, spread] = [100 * mean, 100 * (sd ?? 0)];
  return [
    {
      dataset: datasetName(dataset),
      oracle: oracleName(oracle),
      value,
      low: value - spread,
      high: value + spread,
    },
  ];
}

/** Encodings that all panels share: datasets side by side, oracles beside each other within one. */
function places(datasets: readonly string[], scale: { domain: string[]; range: string[] }) {
  return {
    x: {
      field: "dataset",
      type: "nominal",
      sort: datasets,
      title: null,
      // The longest name breaks, so that names stand beside each other in narrow panels.
      axis: {
        labelAngle: 0,
        ticks: false,
        labelPadding: 6,
        labelExpr: "split(replace(datum.label, 'BIRD-', 'BIRD-|'), '|')",
      },
      // One bar alone would be as wide as three.
      scale: { domain: datasets, paddingInner: scale.domain.length > 1 ? 0.22 : 0.6, paddingOuter: 0.2 },
    },
    xOffset: { field: "oracle", type: "nominal", sort: scale.domain },
    color: {
      field: "oracle",
      type: "nominal",
      scale,
      title: null,
      legend: { orient: "top", symbolType: "square" },
    },
  };
}

const errorBars = {
  mark: { type: "rule", strokeWidth: 1.1, color: "#1b2430" },
  encoding: { y: { field: "low", type: "quantitative" }, y2: { field: "high" }, color: { value: "#1b2430" } },
};

/** Panels have widths of their own and colours in common. */
const APART = { resolve: { scale: { x: "independent", xOffset: "independent", color: "shared" } } };

type Places = ReturnType<typeof places>;

function successPanel(values: readonly Measures[], shared: Places, width: number): object {
  return {
    title: "(a) SR: nothing asked (pale), asker (solid), all asked (line)",
    width,
    height: 190,
    data: { values },
    encoding: { x: shared.x, xOffset: shared.xOffset },
    layer: [
      {
        mark: { type: "bar" },
        encoding: {
          y: { field: "value", type: "quantitative", title: "SR (%)", scale: { domain: [0, 100] } },
          color: shared.color,
        },
      },
      {
        mark: { type: "bar", fill: "#ffffff", opacity: 0.62 },
        encoding: { y: { field: "none", type: "quantitative" } },
      },
      {
        mark: { type: "tick", thickness: 2.2, color: "#000000", opacity: 1 },
        encoding: { y: { field: "full", type: "quantitative" } },
      },
      errorBars,
    ],
  };
}

function barPanel(
  title: string,
  unit: string,
  values: readonly Bar[],
  shared: Places,
  width: number,
  percentAxis: boolean,
): object {
  return {
    title,
    width,
    height: 150,
    data: { values },
    encoding: { x: shared.x, xOffset: shared.xOffset },
    layer: [
      {
        mark: { type: "bar" },
        encoding: {
          y: {
            field: "value",
            type: "quantitative",
            title: unit,
            ...(percentAxis ? { scale: { domain: [0, 100] } } : {}),
          },
          color: shared.color,
        },
      },
      errorBars,
    ],
  };
}

/** An open circle at zero stands for what is zero by definition. */
function leakagePanel(
  letter: string,
  name: DiagnosticName,
  rows: readonly LeakageRow[],
  shared: Places,
  width: number,
): object {
  const bars = rows.flatMap(({ dataset, oracle, diagnostics }) => {
    const value = diagnostics[name];
    return value === null || value.by_definition ? [] : bar(dataset, oracle, value);
  });
  const zeros = rows.flatMap(({ dataset, oracle, diagnostics }) =>
    diagnostics[name]?.by_definition === true
      ? [{ dataset: datasetName(dataset), oracle: oracleName(oracle), value: 0, low: 0, high: 0 }]
      : [],
  );
  const panel = barPanel(`(${letter}) ${SYMBOLS[name]}`, "points", bars, shared, width, false) as {
    layer: object[];
  };
  return {
    ...panel,
    layer: [
      ...panel.layer,
      {
        data: { values: zeros },
        mark: { type: "point", filled: false, opacity: 1, size: 38, strokeWidth: 1.4 },
        encoding: { y: { field: "value", type: "quantitative" }, color: shared.color },
      },
    ],
  };
}

/** Null where nothing was measured. One asker at a time: the first that the rows have. */
export function oracleFigure(all: readonly InferenceRow[], leakage: readonly LeakageRow[]): Figure | null {
  const [first] = all;
  if (first === undefined) return null;
  const rows = all.filter(({ policy }) => policy === first.policy);
  const leaks = leakage.filter(({ policy }) => policy === leakage[0]?.policy);
  const datasets = [...new Set(rows.map(({ dataset }) => datasetName(dataset)))];
  const scale = oracleScale([...rows, ...leaks].map(({ oracle }) => oracle));
  const shared = places(datasets, scale);
  const success = rows.flatMap(({ dataset, oracle, none, asker, full }): Measures[] =>
    bar(dataset, oracle, asker).map((one) => ({
      ...one,
      none: percent(none.mean),
      full: percent(full.mean),
    })),
  );
  const width = Math.max(scale.domain.length > 1 ? 520 : 430, 122 * datasets.length);
  const half = Math.round((width - 60) / 2);
  const asking = (["recall", "precision"] as const).map((metric, at) =>
    barPanel(
      `(${"bc"[at]}) Asker ${metric}`,
      "%",
      rows.flatMap((row) => bar(row.dataset, row.oracle, row[metric])),
      shared,
      half,
      true,
    ),
  );
  const panels = DIAGNOSTIC_ORDER.map((name, at) => leakagePanel("defg"[at]!, name, leaks, shared, half));
  const leakRows =
    leaks.length === 0
      ? []
      : [
          { hconcat: panels.slice(0, 2), spacing: 45, ...APART },
          { hconcat: panels.slice(2), spacing: 45, ...APART },
        ];
  return {
    id: "figure-oracles",
    title: `Success, asking${leaks.length > 0 ? " and leakage" : ""} by dataset and oracle (equivalent of the paper's Figure 3)`,
    caption: `Asker: ${first.policy}. (a) Success rate in percent without asking (pale), with the asker (solid) and with every ambiguity asked about (black line). (b, c) The asker's macro recall and precision in percent.${leaks.length > 0 ? " (d–g) Leakage diagnostics in percentage points; open circles: zero by definition, because the deterministic oracle is the reference; its ΔRec_spec^Q is the reference recall." : ""} Error bars: ± one sample SD over seeds, which is decoding variation.`,
    spec: {
      vconcat: [
        successPanel(success, shared, width),
        { hconcat: asking, spacing: 45, ...APART },
        ...leakRows,
      ],
      spacing: 26,
      ...APART,
    },
  };
}
