/** The equivalent of the paper's Figure 6: precision and asking gain against recall, asker by asker. */
import type { Estimate } from "../../bootstrap/index.js";
import type { Figure } from "../document/types.js";
import { datasetName } from "../labels.js";
import type { PromptRow } from "../tables/prompts.js";
import { paletteScale } from "./colours.js";
import { centredCorrelation, leastSquaresLines, type Point } from "./statistics.js";

interface Dot {
  dataset: string;
  asker: string;
  x: number;
  y: number;
  xLow: number;
  xHigh: number;
  yLow: number;
  yHigh: number;
}

function dots(rows: readonly PromptRow[], of: (row: PromptRow) => Estimate): Dot[] {
  return rows.flatMap((row) => {
    const [recall, value] = [row.recall, of(row)];
    if (recall.mean === null || value.mean === null) return [];
    const [x, y] = [100 * recall.mean, 100 * value.mean];
    const [dx, dy] = [100 * (recall.sd ?? 0), 100 * (value.sd ?? 0)];
    const names = { dataset: datasetName(row.dataset), asker: row.policy };
    return [{ ...names, x, y, xLow: x - dx, xHigh: x + dx, yLow: y - dy, yHigh: y + dy }];
  });
}

const asPoints = (all: readonly Dot[]): Point[] => all.map(({ dataset, x, y }) => ({ group: dataset, x, y }));

/** `r = −0.93 over 18 points`. */
function correlationText(all: readonly Dot[]): string {
  const r = centredCorrelation(asPoints(all));
  return r === null
    ? "no correlation: nothing varies"
    : `r = ${r < 0 ? "−" : ""}${Math.abs(r).toFixed(2)} within datasets, ${all.length} points`;
}

/** Some room around what is drawn, error bars included; shares stay between 0 and 100. */
function domain(values: readonly number[], share: boolean): [number, number] {
  const [low, high] = [Math.min(...values), Math.max(...values)];
  const room = Math.max(2, 0.08 * (high - low));
  return share ? [Math.max(0, low - room), Math.min(100, high + room)] : [low - room, high + room];
}

function panel(title: string, yTitle: string, all: readonly Dot[], share: boolean): object {
  const datasets = paletteScale(all.map(({ dataset }) => dataset));
  const colour = {
    field: "dataset",
    type: "nominal",
    scale: datasets,
    title: "Dataset",
    legend: { symbolType: "circle" },
  };
  const across = domain(
    all.flatMap(({ xLow, xHigh }) => [xLow, xHigh]),
    true,
  );
  const up = domain(
    all.flatMap(({ yLow, yHigh }) => [yLow, yHigh]),
    share,
  );
  const askers = [...new Set(all.map(({ asker }) => asker))];
  const axis = (field: string, name: string) => ({
    field,
    type: "quantitative",
    title: name,
    scale: { zero: false, nice: false, domain: name === "Recall (%)" ? across : up },
  });
  const lines = leastSquaresLines(asPoints(all)).map(({ group, x, y }) => ({ dataset: group, x, y }));
  return {
    title: { text: title, subtitle: correlationText(all) },
    width: 330,
    height: 290,
    layer: [
      {
        data: { values: lines },
        mark: { type: "line", strokeWidth: 1.4, opacity: 0.55, clip: true },
        encoding: { x: axis("x", "Recall (%)"), y: axis("y", yTitle), color: colour },
      },
      {
        data: { values: all },
        mark: { type: "rule", strokeWidth: 1.1 },
        encoding: {
          x: axis("xLow", "Recall (%)"),
          x2: { field: "xHigh" },
          y: axis("y", yTitle),
          color: colour,
        },
      },
      {
        data: { values: all },
        mark: { type: "rule", strokeWidth: 1.1 },
        encoding: {
          x: axis("x", "Recall (%)"),
          y: axis("yLow", yTitle),
          y2: { field: "yHigh" },
          color: colour,
        },
      },
      {
        data: { values: all },
        mark: { type: "point", filled: true, size: 78, opacity: 1 },
        encoding: {
          x: axis("x", "Recall (%)"),
          y: axis("y", yTitle),
          color: colour,
          shape: {
            field: "asker",
            type: "nominal",
            sort: askers,
            title: "Asker",
            legend: { symbolFillColor: "#1b2430" },
          },
        },
      },
    ],
  };
}

/** Null where there are not two askers to compare. */
export function promptFigure(rows: readonly PromptRow[]): Figure | null {
  if (new Set(rows.map(({ policy }) => policy)).size < 2) return null;
  const precision = dots(rows, (row) => row.precision);
  const gain = dots(rows, (row) => row.gain);
  return {
    id: "figure-prompts",
    title: "Askers' tradeoffs under the deterministic oracle (equivalent of the paper's Figure 6)",
    caption:
      "Colours: datasets; shapes: askers; error bars: ± one sample SD over seeds. (a) Macro precision against macro recall, percent. (b) Asking gain, SR(asker) − SR(none) within each run, in points, against recall. Lines: least squares through each dataset's means. r: Pearson over the dataset–asker means after each dataset's mean is taken from both variables, so that differences between datasets say nothing; descriptive, not causal.",
    spec: {
      hconcat: [
        panel("(a) Precision against recall", "Precision (%)", precision, true),
        panel("(b) Asking gain against recall", "Asking gain (points)", gain, false),
      ],
      bounds: "flush",
      spacing: 75,
    },
  };
}
