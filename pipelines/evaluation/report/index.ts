/**
 * Reports: tables and figures of any set of runs, the paper's numbers beside ours where they are about the same thing.
 *
 * @example
 * const report = await buildReport({ runs: [{ label: undefined, run: await readRun("out/runs/a") }], campaigns: [] });
 * process.stdout.write(reportText(report));
 */

import type { RunSettings } from "../../../schemas/types/run.js";
import type { Suite } from "../../record/suite.js";
import { type Figure, type Report, type Section, section, type Table } from "./document/types.js";
import { oracleFigure } from "./figures/oracles.js";
import { policyChangeFigure } from "./figures/policy-change.js";
import { promptFigure } from "./figures/prompt-tradeoff.js";
import { sqlAccessFigure } from "./figures/sql-access.js";
import type { LabelledRun } from "./labels.js";
import { sliceTable } from "./slices/table.js";
import { readTraits, type Traits } from "./slices/traits.js";
import { knownAnswerTable, tokenTable, turnTable, verdictTable } from "./tables/effort.js";
import { type InferenceRow, inferenceRows, inferenceTable } from "./tables/inference.js";
import {
  type LabelledCampaign,
  LIMITS,
  leakageRows,
  leakageTable,
  policyDifferenceTable,
  preconditionTable,
  sqlAccessTable,
} from "./tables/leakage.js";
import { changeTable, policiesOf, policyRows, policyTable } from "./tables/policies.js";
import { type PromptRow, promptTable } from "./tables/prompts.js";
import { worstRecords } from "./worst.js";

export { comparisonReport } from "./comparison.js";
export { reportHtml } from "./document/html.js";
export { reportMarkdown } from "./document/markdown.js";
export { reportText } from "./document/text.js";
export type { Figure, Report, Table } from "./document/types.js";
export { drawPng, drawSvg } from "./figures/draw.js";
export { drawFigures, REPORT_FORMATS, type ReportFormat, writeReport } from "./files.js";
export type { LabelledRun } from "./labels.js";
export type { LabelledCampaign } from "./tables/leakage.js";

export interface ReportInput {
  readonly title?: string;
  readonly runs: readonly LabelledRun[];
  readonly campaigns: readonly LabelledCampaign[];
  /** The records of the runs, for slices by kind, SQL and database; without it there are fewer slices. */
  readonly suite?: Suite;
  /** Records per run and dataset whose dialogues are shown. */
  readonly worst?: number;
}

/** Where the responder reads the reference SQL, in words. */
function sqlText(access: RunSettings["oracle_sql"]): string {
  const shown = Object.entries(access ?? {}).map(([dataset, sql]) => `${sql} on ${dataset}`);
  return shown.length === 0 ? "" : ` (reference SQL ${shown.join(", ")})`;
}

/** One line a run: what was evaluated, on what. */
export function runFact({ label, run }: LabelledRun): string {
  const { suite, asker, oracle, oracle_sql, solver, models, seeds, split, slice, limit }: RunSettings =
    run.settings;
  const scope = [split && `split ${split}`, slice && `slice ${slice}`, limit && `first ${limit} records`];
  const by = Object.entries(models ?? {}).map(([role, { model }]) => `${role} ${model}`);
  return [
    `${label === undefined ? "" : `${label}: `}run ${run.name}: ${suite.kind} ${suite.name}, hash ${suite.hash.slice(0, 16)}`,
    `asker ${asker}`,
    `oracle ${oracle}${sqlText(oracle_sql)}`,
    `solver ${solver}`,
    ...(by.length > 0 ? [`models: ${by.join(", ")}`] : []),
    `seeds ${seeds.join(", ")}`,
    ...scope.filter((part) => typeof part === "string" && part !== ""),
    ...(run.settings.synthetic ? ["synthetic"] : []),
  ].join("; ");
}

const present = <T>(items: readonly (T | null)[]): T[] => items.filter((one): one is T => one !== null);

const filled = ({ tables, figures, transcripts }: Section): boolean =>
  tables.length + figures.length + transcripts.length > 0;

function promptRows(runs: readonly LabelledRun[]): PromptRow[] {
  return runs
    .filter(({ run }) => run.settings.oracle === "deterministic")
    .flatMap((one) =>
      inferenceRows([one]).map((row: InferenceRow) => ({ ...row, prompt: one.run.settings.asker })),
    );
}

function comparisons({ runs, campaigns }: ReportInput): Section[] {
  const policies = policyRows(runs);
  const order = policiesOf(policies);
  const leakage = leakageRows(campaigns);
  const prompts = promptRows(runs);
  const access = campaigns.flatMap(({ campaign }) => campaign.sql_access);
  const trained = runs.some(({ label }) => label !== undefined);
  const part = (heading: string, tables: (Table | null)[], figures: (Figure | null)[]): Section =>
    section(heading, { tables: present(tables), figures: present(figures) });
  return [
    part("Askers", [promptTable(prompts)], [promptFigure(prompts)]),
    part(
      "Policies",
      trained ? [changeTable(policies, order), policyTable(policies, order)] : [],
      trained ? [policyChangeFigure(policies, leakage, order)] : [],
    ),
    part(
      "Leakage",
      [
        leakageTable(leakage),
        preconditionTable(leakage),
        sqlAccessTable(campaigns),
        ...campaigns.flatMap((a, at) => campaigns.slice(0, at).map((b) => policyDifferenceTable(a, b))),
      ],
      [sqlAccessFigure(access)],
    ),
  ];
}

/** The diagnostics of campaigns by themselves. */
export function campaignReport(campaigns: readonly LabelledCampaign[]): Report {
  return {
    title: "Leakage diagnostics",
    synthetic: campaigns.some(({ campaign }) => campaign.synthetic),
    facts: campaigns.map(campaignFact),
    sections: comparisons({ runs: [], campaigns }).filter(filled),
  };
}

/** Two campaigns' policies, A − B. */
export function policyReport(a: LabelledCampaign, b: LabelledCampaign): Report {
  const table = policyDifferenceTable(a, b);
  return {
    title: "Two policies' leakage compared",
    synthetic: a.campaign.synthetic || b.campaign.synthetic,
    facts: [a, b].map((one, at) => `${"AB"[at]}: ${campaignFact(one)}`),
    sections: [
      table === null
        ? section("Nothing to compare", {
            paragraphs: ["The campaigns have no dataset and oracle in common."],
          })
        : section("Differences", { tables: [table] }),
    ],
  };
}

/** One line a campaign. */
function campaignFact({ label, campaign }: LabelledCampaign): string {
  const { campaign: name, asker, solver, suite_hash, scopes, limit } = campaign;
  const parts = Object.entries(scopes).flatMap(([dataset, { split, slice }]) =>
    split === null && slice === null
      ? []
      : [`${dataset} ${[split, slice].filter((one) => one !== null).join(" ")}`],
  );
  return [
    `${label === undefined ? "" : `${label}: `}campaign ${name}, suite hash ${suite_hash.slice(0, 16)}`,
    `asker ${asker}`,
    `solver ${solver}`,
    ...parts,
    ...(limit === null ? [] : [`first ${limit} records`]),
  ].join("; ");
}

const READING = [
  "SR: share of answers whose result is right. Precision: share of questions that earned a credit not earned before. Recall: share of the registered ambiguities credited. F1: mean over episodes of their harmonic mean. Records weigh the same within a seed, seeds weigh the same in the mean.",
  "± is the sample SD over seeds: how much the same system differs when it is run again on the same records. Brackets are the 95 % percentile bootstrap over AVTs (2,000 resamples): how much the value would differ on other records of the same kind. Each metric has its own denominator, which is printed.",
  LIMITS,
];

/** Puts a report together; nothing is read from the runs' folders but the dialogues of the worst records. */
export async function buildReport(input: ReportInput): Promise<Report> {
  const { runs, campaigns, suite, worst = 3 } = input;
  const datasets = new Set(runs.flatMap(({ run }) => run.settings.datasets));
  const traits: ReadonlyMap<string, Traits> =
    suite === undefined ? new Map() : await readTraits(suite, datasets);
  const measured = inferenceRows(runs);
  const results = section("Results", {
    tables: present([runs.length > 0 ? inferenceTable(measured) : null, knownAnswerTable(runs)]),
    figures: present([oracleFigure(measured, leakageRows(campaigns))]),
  });
  const effort = section("Questions, tokens and verdicts", {
    tables: runs.length === 0 ? [] : present([turnTable(runs), tokenTable(runs), verdictTable(runs)]),
  });
  const slices = section("Slices", { tables: present(runs.map((one, at) => sliceTable(one, traits, at))) });
  const transcripts = [];
  for (const { run } of runs) transcripts.push(...(await worstRecords(run, traits, worst)));
  const failures = section("Worst records", {
    paragraphs: [
      "The records that the asker solves least often; among equals those that are solved when everything is asked, then those of which least was found out. The dialogue is that of the first seed that failed.",
    ],
    transcripts,
  });
  return {
    title: input.title ?? "Ambiguous text-to-SQL: evaluation report",
    synthetic:
      runs.some(({ run }) => run.settings.synthetic) || campaigns.some(({ campaign }) => campaign.synthetic),
    facts: [...runs.map(runFact), ...campaigns.map(campaignFact)],
    sections: [
      ...[results, ...comparisons(input), effort, slices, failures].filter(filled),
      section("How to read it", { paragraphs: READING }),
    ],
  };
}
