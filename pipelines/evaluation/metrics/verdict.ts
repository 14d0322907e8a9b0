/** How an episode ended (spec 9's closed list), and which metrics that leaves undefined (spec 4). */

export const VERDICTS = [
  "match",
  "mismatch",
  "prediction_error",
  "prediction_timeout",
  "prediction_too_large",
  "prediction_refused",
  "gold_error",
  "gold_timeout",
  "model_error",
  "truncated",
  "no_answer",
  "context_overflow",
] as const;
export type Verdict = (typeof VERDICTS)[number];

/** The gold's faults: there is nothing to succeed at, but what the asker asked can still be measured. */
const GOLD_FAULTS: ReadonlySet<Verdict> = new Set(["gold_error", "gold_timeout"]);

/** The episode leaves the denominator of SR: no success and no failure of the model was seen. */
export const leavesSuccessRate = (verdict: Verdict): boolean =>
  GOLD_FAULTS.has(verdict) || verdict === "model_error";

/**
 * The episode leaves the denominators of precision, recall and F1 too: the model server failed for good, so the dialogue
 * is not the asker's own. (A fault that is not the model's is never scored as the model's: spec 9.)
 */
export const leavesDialogueMetrics = (verdict: Verdict): boolean => verdict === "model_error";
