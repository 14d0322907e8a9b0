/** What runs are called in tables, and whether they may stand beside the paper's numbers. */
import type { RunSettings } from "../../../schemas/types/run.js";
import { describedDatasets, traitsOf } from "../../record/datasets.js";
import type { ReadRun } from "../run/read.js";

export const datasetName = (dataset: string): string => traitsOf(dataset).title ?? dataset;

/** Sorts as the paper does; a dataset that is not described comes after those that are. */
export function byDataset(a: string, b: string): number {
  const order = describedDatasets();
  const place = (name: string): number => (order.includes(name) ? order.indexOf(name) : order.length);
  return place(a) - place(b) || (a < b ? -1 : Number(a > b));
}

/** `google/gemma-3-27b-it` → `gemma-3-27b`: a model as the paper writes it, for keys. */
export const modelKey = (model: string): string =>
  model
    .replace(/^.*\//, "")
    .toLowerCase()
    .replace(/-(?:it|instruct)$/, "");

const modelOf = ({ models }: RunSettings, role: string): string | undefined => {
  const model = models?.[role]?.model;
  return model === undefined ? undefined : modelKey(model);
};

/** `deterministic`, or the model that an LLM oracle is made of; a hybrid says so. */
export function oracleKey(settings: RunSettings): string {
  const { oracle } = settings;
  if (oracle === "deterministic") return oracle;
  const model = modelOf(settings, "oracle");
  if (model === undefined) return oracle;
  return oracle === "llm" ? model : `${model} (${oracle})`;
}

const ORACLE_NAMES: Readonly<Record<string, string>> = {
  deterministic: "Deterministic",
  "qwen3-14b": "Qwen3-14B",
  "gemma-3-27b": "Gemma-3-27B",
};
export const oracleName = (key: string): string => ORACLE_NAMES[key] ?? key;

/** The reference first, then by name. */
export function byOracle(a: string, b: string): number {
  const place = (name: string): number => {
    const at = Object.keys(ORACLE_NAMES).indexOf(name);
    return at < 0 ? 9 : at;
  };
  return place(a) - place(b) || (a < b ? -1 : Number(a > b));
}

/** A run and what the person calls it; without a name it is called by its asker. */
export interface LabelledRun {
  readonly label: string | undefined;
  readonly run: ReadRun;
}

/** The asker's model is named where there is one, for it decides as much as the prompt does. */
export function policyOf({ label, run }: LabelledRun): string {
  const model = modelOf(run.settings, "asker");
  return label ?? (model === undefined ? run.settings.asker : `${run.settings.asker}, ${model}`);
}

export const POLICY_NAMES: Readonly<Record<string, string>> = {
  untrained: "Untrained",
  "question-f1": "Question-F1 reward",
  "outcome-deterministic": "Outcome reward (deterministic oracle)",
  "outcome-llm": "Outcome reward (LLM oracle)",
};

/** Which records a table is about: Bird and EW-Bird are pooled in some tables and dev alone in others. */
export type Scope = "pooled" | "dev" | "leakage";

const scopeFits = (dataset: string, { split, slice }: RunSettings, scope: Scope): boolean => {
  const { campaign = {} } = traitsOf(dataset);
  if (campaign.split !== undefined)
    return slice === null && split === (scope === "pooled" ? null : campaign.split);
  if (campaign.slice !== undefined && scope === "leakage") return slice === campaign.slice;
  return slice === null && (split === null || split === "all");
};

const PAPER_ASKER = "qwen3-8b";
const PAPER_SOLVER = "qwen3-coder-30b-a3b";

/**
 * Why a run's numbers on a dataset must not stand beside the paper's; null where they may. The paper's are one asker
 * model with one solver on whole pools, so that anything else would compare two things at once.
 *
 * @param ownAsker the asker's model is what differs by intent (a trained policy with a label of the paper's)
 */
export function incomparable(run: ReadRun, dataset: string, scope: Scope, ownAsker = false): string | null {
  const { settings } = run;
  if (settings.synthetic) return "synthetic";
  if (settings.limit !== null) return `only the first ${settings.limit} records`;
  if (!scopeFits(dataset, settings, scope)) return "another split or slice";
  const [asker, solver] = [modelOf(settings, "asker"), modelOf(settings, "solver")];
  if (!ownAsker && asker !== PAPER_ASKER) return `asker ${asker ?? settings.asker}, not ${PAPER_ASKER}`;
  if (solver !== PAPER_SOLVER) return `solver ${solver ?? settings.solver}, not ${PAPER_SOLVER}`;
  return null;
}
