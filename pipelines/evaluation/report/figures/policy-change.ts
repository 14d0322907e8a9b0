/** The equivalent of the paper's Figure 5: what a policy changes against the first one. */
import { SYMBOLS } from "../../diagnostics/types.js";
import type { Figure } from "../document/types.js";
import { byDataset, datasetName, oracleName } from "../labels.js";
import type { LeakageRow } from "../tables/leakage.js";
import { changeOf, POLICY_METRICS, type PolicyRow, policyName } from "../tables/policies.js";
import { oracleScale, paletteScale } from "./colours.js";

interface Dot {
  dataset: string;
  group: string;
  value: number;
  low: number;
  high: number;
}

/** Each panel places its own dots. */
const APART = { resolve: { scale: { y: "independent", yOffset: "independent", color: "shared" } } };

const HEADINGS = { sr: "SR", precision: "Precision", recall: "Recall" } as const;

function dot(dataset: string, group: string, change: number | null, band: number | null): Dot[] {
  if (change === null) return [];
  const [value, half] = [100 * change, 100 * (band ?? 0)];
  return [{ dataset: datasetName(dataset), group, value, low: value - half, high: value + half }];
}

interface Scale {
  domain: string[];
  range: string[];
}

/** Dots on their gray bands, datasets below each other, policies or oracles within one. */
function panel(
  title: string,
  values: readonly Dot[],
  datasets: readonly string[],
  scale: Scale,
  width: number,
  first: boolean,
): object {
  const y = {
    field: "dataset",
    type: "nominal",
    sort: datasets,
    scale: { domain: datasets },
    title: null,
    axis: { ticks: false, domain: false, labels: first },
  };
  const yOffset = {
    field: "group",
    type: "nominal",
    sort: scale.domain,
    scale: { domain: scale.domain, paddingOuter: 0.35 },
  };
  return {
    title,
    width,
    height: { step: 18 * scale.domain.length + 10, for: "position" },
    layer: [
      {
        data: { values: [{ zero: 0 }] },
        mark: { type: "rule", color: "#5c6878" },
        encoding: { x: { field: "zero", type: "quantitative" } },
      },
      {
        data: { values },
        mark: { type: "rule", strokeWidth: 8, color: "#c3cad4", opacity: 0.9 },
        encoding: {
          y,
          yOffset,
          x: { field: "low", type: "quantitative", title: "points" },
          x2: { field: "high" },
        },
      },
      {
        data: { values },
        mark: { type: "point", filled: true, size: 62, opacity: 1 },
        encoding: {
          y,
          yOffset,
          x: { field: "value", type: "quantitative" },
          color: {
            field: "group",
            type: "nominal",
            scale,
            title: null,
            legend: { orient: "top", columns: 3 },
          },
        },
      },
    ],
  };
}

function metricPanels(
  rows: readonly PolicyRow[],
  base: string,
  others: readonly string[],
  datasets: readonly string[],
): object[] {
  const scale = paletteScale(others.map(policyName));
  return POLICY_METRICS.map((metric, at) => {
    const values = rows
      .filter(({ policy }) => others.includes(policy))
      .flatMap((row) => {
        const from = rows.find((one) => one.policy === base && one.dataset === row.dataset);
        if (from === undefined) return [];
        const { change, band } = changeOf(from.measures[metric], row.measures[metric]);
        return dot(row.dataset, policyName(row.policy), change, band);
      });
    return panel(`${at === 0 ? "(a) " : ""}${HEADINGS[metric]}`, values, datasets, scale, 190, at === 0);
  });
}

/** ΔJ_resp and ΔRec_spec^Q of one policy against the base, oracle by oracle. */
function leakagePanels(
  rows: readonly LeakageRow[],
  base: string,
  others: readonly string[],
  datasets: readonly string[],
): object[] {
  const own = rows.filter(
    ({ policy, dataset }) => others.includes(policy) && datasets.includes(datasetName(dataset)),
  );
  const [policy] = own.map((row) => row.policy);
  const shown = own.filter((row) => row.policy === policy);
  if (shown.length === 0) return [];
  const scale = oracleScale(shown.map(({ oracle }) => oracle));
  const there = datasets.filter((name) => shown.some(({ dataset }) => datasetName(dataset) === name));
  return (["dj_resp", "drec_spec_q"] as const).map((name, at) => {
    const values = shown.flatMap((row) => {
      const from = rows.find(
        (one) => one.policy === base && one.dataset === row.dataset && one.oracle === row.oracle,
      );
      const [now, before] = [row.diagnostics[name], from?.diagnostics[name] ?? null];
      if (now === null || before === null || now.by_definition) return [];
      const { change, band } = changeOf(before, now);
      return dot(row.dataset, oracleName(row.oracle), change, band);
    });
    const title = `(${"bc"[at]}) ${SYMBOLS[name]}, ${policyName(policy!)}`;
    return panel(title, values, there, scale, 300, at === 0);
  });
}

/** Null without a second policy. */
export function policyChangeFigure(
  rows: readonly PolicyRow[],
  leakage: readonly LeakageRow[],
  order: readonly string[],
): Figure | null {
  const [base, ...others] = order;
  if (base === undefined || others.length === 0) return null;
  const datasets = [...new Set(rows.map(({ dataset }) => dataset))].sort(byDataset).map(datasetName);
  const leaks = leakagePanels(leakage, base, others, datasets);
  const top = { hconcat: metricPanels(rows, base, others, datasets), spacing: 18, ...APART };
  return {
    id: "figure-policy-change",
    title: `Change from ${policyName(base)} (equivalent of the paper's Figure 5)`,
    caption: `(a) SR, precision and recall under the deterministic oracle, policy minus ${policyName(base)}, in percentage points; Bird and EW-Bird: development records.${leaks.length > 0 ? " (b, c) Change of two leakage diagnostics, oracle by oracle." : ""} Gray bands: ± 1.96 standard errors of the difference of the seed means, which is decoding variation and not sampling of tasks.`,
    spec: {
      vconcat: [top, ...(leaks.length > 0 ? [{ hconcat: leaks, spacing: 18, ...APART }] : [])],
      spacing: 30,
      resolve: { scale: { color: "independent", yOffset: "independent", y: "independent" } },
    },
  };
}
