/** The equivalents of the paper's Tables 14 to 17: leakage diagnostics of campaigns. */
import { traitsOf } from "../../../record/datasets.js";
import { FEW_CLUSTERS } from "../../bootstrap/index.js";
import type { CampaignLeg } from "../../diagnostics/campaign.js";
import { policyDifference } from "../../diagnostics/compute.js";
import {
  type CampaignResult,
  type DatasetDiagnostics,
  DIAGNOSTICS,
  type Diagnostic,
  type DiagnosticName,
  SYMBOLS,
} from "../../diagnostics/types.js";
import { type Cell, type Column, type Table, textCell } from "../document/types.js";
import { byDataset, byOracle, datasetName, oracleName } from "../labels.js";
import { countCell, levelCell, pointsCell } from "../measures.js";
import { PUBLISHED } from "../published/numbers.js";
import { policyName } from "./policies.js";

/** A campaign and what the person calls its policy. */
export interface LabelledCampaign {
  readonly label: string | undefined;
  readonly campaign: CampaignResult;
  /** The episodes behind it, for comparing two campaigns record by record. */
  readonly legs: readonly CampaignLeg[];
}

/** Diagnostics of one policy under one oracle on one dataset. */
export interface LeakageRow extends DatasetDiagnostics {
  readonly policy: string;
  /** Whether the paper's numbers may stand beside it. */
  readonly comparable: boolean;
}

/** What no interval here covers (spec 5; paper section A.4). */
export const LIMITS =
  "The intervals condition on the recorded runs. They do not cover the gap between the reference oracle and a perfect one, the assumptions of the paper's Theorem 1, or drift between model servers.";

export const policyKey = ({ label, campaign }: LabelledCampaign): string =>
  label ?? (campaign.asker_model === null ? campaign.asker : `${campaign.asker}, ${campaign.asker_model}`);

/** Key for the paper's tables: an unlabelled campaign of the paper's own asker is its untrained policy. */
function isComparable({ label, campaign }: LabelledCampaign, dataset: string): boolean {
  const { synthetic, asker, asker_model, scopes, limit } = campaign;
  const { split, slice } = scopes[dataset] ?? { split: null, slice: null };
  const known = label !== undefined || (asker === "checklist-ledger" && asker_model === "qwen3-8b");
  if (synthetic || limit !== null || !known) return false;
  const asked = traitsOf(dataset).campaign ?? {};
  return (asked.split === undefined || split === asked.split) && slice === (asked.slice ?? null);
}

export function leakageRows(campaigns: readonly LabelledCampaign[]): LeakageRow[] {
  return campaigns
    .flatMap((one) =>
      one.campaign.datasets.map((row) => ({
        ...row,
        policy: policyKey(one),
        comparable: isComparable(one, row.dataset),
      })),
    )
    .sort((a, b) => byOracle(a.oracle, b.oracle) || byDataset(a.dataset, b.dataset));
}

const MARKS = { invalid: "†", few: "*" } as const;

/** A diagnostic in points, with marks for what a reader must know before believing it. */
export function diagnosticCell(value: Diagnostic | null, paper?: Parameters<typeof pointsCell>[1]): Cell {
  if (value === null) return textCell("–");
  if (value.by_definition) return textCell("0 (by definition)");
  const few = value.interval === null || value.clusters < FEW_CLUSTERS;
  const mark = `${value.invalid.length > 0 ? MARKS.invalid : ""}${few ? MARKS.few : ""}`;
  const over = { decimals: 2, ...(mark === "" ? {} : { mark }) };
  // A recall has no sign; a difference does.
  return value.levels.subtrahend === null ? levelCell(value, paper, over) : pointsCell(value, paper, over);
}

const column = (name: DiagnosticName): Column => ({ label: SYMBOLS[name], unit: "points" });

/** Components, warnings and violated preconditions, one sentence each. */
export function leakageNotes(rows: readonly LeakageRow[]): string[] {
  const notes: string[] = [];
  for (const row of rows) {
    const where = `${datasetName(row.dataset)}, ${oracleName(row.oracle)}, ${row.policy}`;
    for (const name of DIAGNOSTICS) {
      const value = row.diagnostics[name];
      if (value === null || value.by_definition) continue;
      const unit = `${name === "drec_spec_q" ? "component" : "AVT"}${value.clusters === 1 ? "" : "s"}`;
      const warning =
        value.clusters < FEW_CLUSTERS
          ? `; below ${FEW_CLUSTERS}, so the interval covers less than 95 %${value.interval === null ? " (none can be made of one)" : ""}`
          : "";
      if (name === "drec_spec_q" || warning !== "")
        notes.push(`${MARKS.few} ${where}: ${SYMBOLS[name]} resamples ${value.clusters} ${unit}${warning}`);
      for (const why of value.invalid)
        notes.push(`${MARKS.invalid} ${where}: ${SYMBOLS[name]} is invalid, ${why}`);
      if (value.volunteered !== 0)
        notes.push(
          `${where}: ${(100 * value.volunteered).toFixed(2)} points of ${SYMBOLS[name]} are credit that only the responses earned, by naming a term that no question named; the matcher's share is ${(100 * ((value.mean ?? 0) - value.volunteered)).toFixed(2)}`,
        );
      const { minuend, subtrahend } = value.alone;
      if (minuend + subtrahend > 0)
        notes.push(`${where}: ${SYMBOLS[name]} leaves out ${minuend + subtrahend} values without a partner`);
    }
  }
  return notes;
}

const READING =
  "Percentage points. ΔJ_resp: SR under the oracle minus SR with the reference responder. ΔJ_full: SR of the full-adversarial asker minus the same under the reference oracle. ΔRec_none: recall of the none-adversarial asker minus the same under the reference oracle. ΔRec_spec^Q: recall, by routing action, of the spec-randomized asker; the deterministic oracle's is the reference recall and is taken from none. SR over all records, recall over records with an ambiguity. Mean ± sample SD over seeds, in brackets the 95 % bootstrap interval (2,000 resamples) over AVTs, for ΔRec_spec^Q over connected components of AVTs and donors; n: pairs or episodes.";

/** Every policy under every oracle (Tables 14 and 16). */
export function leakageTable(rows: readonly LeakageRow[]): Table | null {
  if (rows.length === 0) return null;
  return {
    id: "leakage",
    title: "Leakage diagnostics (equivalent of the paper's Tables 14 and 16)",
    caption: `${READING} ${LIMITS}`,
    columns: [{ label: "Oracle" }, { label: "Policy" }, { label: "Dataset" }, ...DIAGNOSTICS.map(column)],
    keys: 3,
    rows: rows.map((row) => {
      const paperKey = `${row.dataset} ${row.oracle} ${row.policy in POLICY_KEYS ? row.policy : "untrained"}`;
      const paper = row.comparable ? PUBLISHED.leakage.get(paperKey) : undefined;
      return [
        textCell(`${oracleName(row.oracle)}${row.sql === null ? "" : `, SQL ${row.sql}`}`),
        textCell(policyName(row.policy)),
        textCell(datasetName(row.dataset)),
        ...DIAGNOSTICS.map((name) => diagnosticCell(row.diagnostics[name], paper?.[name])),
      ];
    }),
    notes: leakageNotes(rows),
  };
}

const POLICY_KEYS: Readonly<Record<string, true>> = {
  untrained: true,
  "question-f1": true,
  "outcome-llm": true,
};

/** Reference SQL shown minus hidden (Table 15). */
export function sqlAccessTable(campaigns: readonly LabelledCampaign[]): Table | null {
  const rows = campaigns.flatMap((one) =>
    one.campaign.sql_access.map((row) => ({ ...row, comparable: isComparable(one, row.dataset) })),
  );
  if (rows.length === 0) return null;
  const names = ["dj_resp", "dj_full", "drec_none"] as const;
  return {
    id: "sql-access",
    title: "Reference SQL shown minus hidden to the responder (equivalent of the paper's Table 15)",
    caption: `Percentage points: one policy under the oracle with the reference SQL shown to its responder, minus the same with it hidden, paired by record and seed; the matcher is the same. SR of the asker (ΔJ_resp) and of the full-adversarial asker (ΔJ_full), recall of the none-adversarial asker (ΔRec_none). Mean ± sample SD over seeds, 95 % bootstrap interval over AVTs; n: pairs. ${LIMITS}`,
    columns: [{ label: "Oracle" }, { label: "Dataset" }, ...names.map(column)],
    keys: 2,
    rows: rows
      .toSorted((a, b) => byOracle(a.oracle, b.oracle) || byDataset(a.dataset, b.dataset))
      .map((row) => {
        const paper = row.comparable ? PUBLISHED.sqlAccess.get(`${row.dataset} ${row.oracle}`) : undefined;
        return [
          textCell(oracleName(row.oracle)),
          textCell(datasetName(row.dataset)),
          ...names.map((name) => diagnosticCell(row.differences[name], paper?.[name])),
        ];
      }),
    notes: [],
  };
}

/** One policy minus another, paired by record and seed (Table 17). Null without a second campaign. */
export function policyDifferenceTable(a: LabelledCampaign, b: LabelledCampaign): Table | null {
  const rows = a.legs.flatMap((leg) => {
    const other = b.legs.find(
      ({ dataset, oracle, sql }) => dataset === leg.dataset && oracle === leg.oracle && sql === leg.sql,
    );
    if (other === undefined) return [];
    const { dj_resp, drec_spec_q } = policyDifference(leg.runs, other.runs);
    return [{ ...leg, dj_resp, drec_spec_q }];
  });
  if (rows.length === 0) return null;
  const printed = policyKey(a) === "outcome-llm" && policyKey(b) === "question-f1";
  const names = [policyKey(a), policyKey(b)].map(policyName);
  const weak = rows.flatMap(({ dataset, oracle, drec_spec_q }) =>
    drec_spec_q === null
      ? []
      : [
          `${MARKS.few} ${datasetName(dataset)}, ${oracleName(oracle)}: ${SYMBOLS.drec_spec_q} resamples ${drec_spec_q.clusters} components`,
        ],
  );
  return {
    id: `policy-difference-${policyKey(a)}-${policyKey(b)}`.replaceAll(/[^\w-]+/g, "-"),
    title: `${names[0]} minus ${names[1]} (equivalent of the paper's Table 17)`,
    caption: `Percentage points, paired by record and seed: mean ± sample SD over seeds, in brackets the 95 % bootstrap interval (2,000 resamples) over AVTs, for ΔRec_spec^Q over connected components of AVTs and donors; n: pairs. ${LIMITS}`,
    columns: [{ label: "Oracle" }, { label: "Dataset" }, column("dj_resp"), column("drec_spec_q")],
    keys: 2,
    rows: rows
      .toSorted((x, y) => byOracle(x.oracle, y.oracle) || byDataset(x.dataset, y.dataset))
      .map((row) => {
        const comparable = printed && isComparable(a, row.dataset) && isComparable(b, row.dataset);
        const paper = comparable ? PUBLISHED.policyDifference.get(`${row.dataset} ${row.oracle}`) : undefined;
        return [
          textCell(oracleName(row.oracle)),
          textCell(datasetName(row.dataset)),
          diagnosticCell(row.dj_resp, paper?.dj_resp),
          diagnosticCell(row.drec_spec_q, paper?.drec_spec_q),
        ];
      }),
    notes: weak,
  };
}

/** The conditions of Definition 7 on the reference runs, and the records that break them. */
export function preconditionTable(rows: readonly LeakageRow[]): Table | null {
  const checked = new Map(
    rows.flatMap(({ dataset, preconditions }) =>
      preconditions.map((one) => [`${dataset} ${one.asker} ${one.metric}`, { dataset, ...one }] as const),
    ),
  );
  if (checked.size === 0) return null;
  const all = [...checked.values()];
  return {
    id: "preconditions",
    title: "Preconditions on the reference runs",
    caption:
      "Under the reference oracle, full-adversarial must have recall and precision 1 and none-adversarial recall 0 in every episode (paper, Definition 7). A broken one invalidates the diagnostic that rests on it. Episodes: those that define the metric.",
    columns: [
      { label: "Dataset" },
      { label: "Asker" },
      { label: "Metric" },
      { label: "Wanted" },
      { label: "Episodes" },
      { label: "Records that break it" },
    ],
    keys: 3,
    rows: all.map(({ dataset, asker, metric, wanted, episodes, broken }) => [
      textCell(datasetName(dataset)),
      textCell(asker),
      textCell(metric),
      countCell(wanted),
      countCell(episodes),
      countCell(broken.length),
    ]),
    notes: all.flatMap(({ dataset, asker, metric, broken }) =>
      broken.length === 0
        ? []
        : [
            `${datasetName(dataset)}, ${asker}, ${metric}: ${broken
              .slice(0, 10)
              .map(({ record, value }) => `${record} (${value.toFixed(2)})`)
              .join(", ")}${broken.length > 10 ? `, … ${broken.length - 10} more in report.json` : ""}`,
          ],
    ),
  };
}
