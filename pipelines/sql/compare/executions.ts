import type { ComparisonPolicy } from "../../../schemas/types/record.js";
import type { Execution, Failure } from "../execution.js";
import { describeFailure } from "../failure.js";
import { birdEx } from "./bird-ex.js";
import { birdInteract } from "./bird-interact.js";
import { multiset } from "./multiset.js";
import { strict } from "./strict.js";
import type { ComparisonResult, Policy, SqlVerdict } from "./verdict.js";

const POLICIES: Record<ComparisonPolicy, Policy> = {
  bird_ex: birdEx,
  multiset,
  bird_interact: birdInteract,
  strict,
};

/** A gold that is too large or refused is a fault of the gold as much as one that fails. */
function goldVerdict(failure: Failure): SqlVerdict {
  return failure.outcome === "timeout" ? "gold_timeout" : "gold_error";
}

/**
 * Whether a prediction's result agrees with the gold's under a policy (spec 4). A gold without a result is named before
 * anything is said about the prediction: its fault is never scored as the model's, and two failures are no match.
 *
 * @example
 * compareExecutions("multiset", false, await sandbox.run(prediction), await sandbox.run(gold)).verdict // "match"
 */
export function compareExecutions(
  policy: ComparisonPolicy,
  ordered: boolean,
  prediction: Execution,
  gold: Execution,
): ComparisonResult {
  const answer = { policy, ordered, flags: {} };
  if (gold.outcome !== "rows") {
    return { ...answer, verdict: goldVerdict(gold), detail: describeFailure(gold) };
  }
  if (prediction.outcome !== "rows") {
    const detail = describeFailure(prediction);
    return { ...answer, verdict: `prediction_${prediction.outcome}`, detail };
  }
  const { equal, detail, approximate } = POLICIES[policy](prediction, gold, ordered);
  const bothEmpty = prediction.rows.length === 0 && gold.rows.length === 0;
  return {
    policy,
    ordered,
    verdict: equal ? "match" : "mismatch",
    flags: { ...(bothEmpty && { both_empty: true }), ...(approximate && { approximate_matching: true }) },
    ...(detail !== undefined && { detail }),
  };
}
