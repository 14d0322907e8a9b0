/** The equivalents of the paper's Tables 14 to 17: leakage diagnostics of campaigns. */
import { FEW_CLUSTERS } from "../../bootstrap/index.js";
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
import { pointsCell } from "../measures.js";
import { PUBLISHED } from "../published/numbers.js";
import { policyName } from "./policies.js";

/** A campaign and what the person calls its policy. */
export interface LabelledCampaign {
  readonly label: string | undefined;
  readonly campaign: CampaignResult;
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

const policyKey = ({ label, campaign }: LabelledCampaign): string =>
  label ?? (campaign.asker_model === null ? campaign.asker : `${campaign.asker}, ${campaign.asker_model}`);

/** Key for the paper's tables: an unlabelled campaign of the paper's own asker is its untrained policy. */
function isComparable({ label, campaign }: LabelledCampaign, dataset: string): boolean {
  const { synthetic, asker, asker_model, split, slice, limit } = campaign;
  const known = label !== undefined || (asker === "checklist-ledger" && asker_model === "qwen3-8b");
  if (synthetic || limit !== null || !known) return false;
  if (dataset === "bird" || dataset === "ew-bird") return split === "dev" && slice === null;
  if (dataset === "ambrosia") return slice === "local-test";
  return slice === null;
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
  return pointsCell(value, paper, { decimals: 2, ...(mark === "" ? {} : { mark }) });
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
      const unit = name === "drec_spec_q" ? "components" : "AVTs";
      const warning =
        value.clusters < FEW_CLUSTERS
          ? `; below ${FEW_CLUSTERS}, so the interval covers less than 95 %${value.interval === null ? " (none can be made of one)" : ""}`
          : "";
      if (name === "drec_spec_q" || warning !== "")
        notes.push(`${MARKS.few} ${where}: ${SYMBOLS[name]} resamples ${value.clusters} ${unit}${warning}`);
      for (const why of value.invalid)
        notes.push(`${MARKS.invalid} ${where}: ${SYMBOLS[name]} is invalid, ${why}`);
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
