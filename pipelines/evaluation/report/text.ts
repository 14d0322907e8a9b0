import type { RunSettings } from "../../../schemas/types/run.js";
import type {
  ConditionSummary,
  DatasetSummary,
  MeasureSummary,
  RunSummary,
  SeriesSummary,
} from "../../../schemas/types/summary.js";
import { CONDITIONS, type Condition } from "../run/summary.js";
import { wrapped } from "./document/text.js";
import { leftOutLines } from "./left-out.js";

/** Percent with one decimal; a dash where the metric is not defined. */
const percent = (value: number | null): string => (value === null ? "–" : (100 * value).toFixed(1));

/** `52.3 ± 0.4 (n 1,556)`: mean, sample SD over seeds where there are several, and the denominator. */
function cell({ mean, sd, n }: MeasureSummary): string {
  if (mean === null) return "–";
  const spread = sd === null ? "" : ` ± ${percent(sd)}`;
  return `${percent(mean)}${spread} (n ${n.toLocaleString("en-US")})`;
}

function points({ mean, sd }: SeriesSummary): string {
  if (mean === null) return "–";
  const spread = sd === null ? "" : ` ± ${percent(sd)}`;
  return `${mean < 0 ? "−" : "+"}${percent(Math.abs(mean))}${spread} points`;
}

/** What is said of a run before its numbers: what was evaluated, on what, and what the numbers are not. */
export function runHeader(settings: RunSettings): string[] {
  const { suite, asker, oracle, solver, seeds, split, slice, limit } = settings;
  const scope = [
    split && `split ${split}`,
    slice && `slice ${slice}`,
    limit && `first ${limit} records`,
  ].filter(Boolean);
  const sql = Object.entries(settings.oracle_sql ?? {}).map(([dataset, shown]) => `${shown} on ${dataset}`);
  const lines = [
    `${suite.kind} ${suite.name}, hash ${suite.hash.slice(0, 16)}`,
    `asker ${asker}, oracle ${oracle}, solver ${solver}, seeds ${seeds.join(", ")}${scope.length > 0 ? `, ${scope.join(", ")}` : ""}`,
  ];
  if (sql.length > 0) lines.push(`reference SQL before the oracle's responder: ${sql.join(", ")}`);
  for (const [role, { model }] of Object.entries(settings.models ?? {})) lines.push(`${role} model ${model}`);
  if (settings.synthetic) {
    lines.push("SYNTHETIC: the solver reads what only the verifier may; SR tests the harness and no model.");
  }
  return lines;
}

/** A table's rows for one dataset: header first. Whoever prints it lays out the columns. */
export function metricRows(summary: DatasetSummary): string[][] {
  const row = (condition: Condition): string[] => {
    const measures: ConditionSummary = summary[condition];
    return [condition, ...(["sr", "precision", "recall", "f1"] as const).map((name) => cell(measures[name]))];
  };
  return [["", "SR %", "precision %", "recall %", "F1 %"], ...CONDITIONS.map(row)];
}

/** Lines of left-out episodes that a report shows. */
const MOST_LEFT_OUT = 20;

/** What the flags of verdicts mean, for how many episodes they say it. */
const FLAGS: Readonly<Record<string, string>> = {
  tests_not_run: "verdicts by comparison, because the task's own tests were not run",
  both_empty: "verdicts on two empty results",
  approximate_matching: "verdicts whose rows were too many to be matched exactly",
};

function flagLines(flags: Readonly<Record<string, number>>): string[] {
  return Object.entries(flags).map(
    ([flag, count]) => `${FLAGS[flag] ?? "verdicts flagged"} (${flag}): ${count.toLocaleString("en-US")}`,
  );
}

/** What stands under a dataset's table: gain, gap, closed forms, and every episode that SR leaves out. */
export function notes(summary: DatasetSummary): string[] {
  const lines = [
    `asking gain ${points(summary.asking_gain)} of SR over asking nothing`,
    `gap to full disambiguation ${points(summary.gap_to_full)}`,
  ];
  const { expected_sr } = summary;
  if (expected_sr !== undefined) {
    lines.push("SR against its closed form, and how many SD apart:");
    for (const condition of CONDITIONS) {
      const known = expected_sr[condition];
      const seen = summary[condition].sr.mean;
      if (known === undefined || seen === null) continue;
      const apart = known.sd === 0 ? "" : ` (${Math.abs((seen - known.mean) / known.sd).toFixed(1)})`;
      lines.push(
        `  ${condition} ${percent(seen)} against ${percent(known.mean)} ± ${percent(known.sd)}${apart}`,
      );
    }
  }
  for (const condition of CONDITIONS) {
    const counts = Object.entries(summary.verdicts[condition] ?? {}).map(
      ([verdict, count]) => `${count.toLocaleString("en-US")} ${verdict}`,
    );
    lines.push(`verdicts under ${condition}: ${counts.length === 0 ? "not run" : counts.join(", ")}`);
  }
  if (summary.fallback_stops > 0)
    lines.push(`fallback stops, which have no recall and no F1: ${summary.fallback_stops}`);
  if (summary.oracle_fallbacks !== undefined && summary.oracle_fallbacks > 0)
    lines.push(
      `answers of the oracle that could not be read, and count as refusals: ${summary.oracle_fallbacks}`,
    );
  lines.push(...flagLines(summary.flags ?? {}));
  if (summary.left_out.length > 0) {
    const left = leftOutLines(summary.left_out);
    const records = new Set(summary.left_out.map(({ record }) => record)).size;
    const many = records === 1 ? "1 record" : `${records.toLocaleString("en-US")} records`;
    lines.push(`episodes that are in no denominator of SR: ${summary.left_out.length}, of ${many}`);
    lines.push(...left.slice(0, MOST_LEFT_OUT).map((one) => `  ${one}`));
    if (left.length > MOST_LEFT_OUT)
      lines.push(`  … ${left.length - MOST_LEFT_OUT} more lines; all episodes are in summary.json`);
  }
  return lines;
}

const READING = `SR: share of answers whose result is right.
Precision: share of questions that cleared up something new.
Recall: share of ambiguities cleared up. F1: mean over episodes of their harmonic mean.
n: episodes that define the value. ± SD over seeds.`;

/** The whole report as plain text, WIDTH columns wide; `layOut` aligns a table. */
export function textReport(
  summary: RunSummary,
  settings: RunSettings,
  layOut: (rows: string[][]) => string,
): string {
  const parts = [[`run ${summary.run}`, ...runHeader(settings)].map(wrapped).join("\n")];
  for (const [name, dataset] of Object.entries(summary.datasets)) {
    const heading = `${name}: ${dataset.episodes.toLocaleString("en-US")} episodes`;
    parts.push([heading, layOut(metricRows(dataset)), ...notes(dataset).map(wrapped)].join("\n"));
  }
  return [...parts, READING].join("\n\n");
}
