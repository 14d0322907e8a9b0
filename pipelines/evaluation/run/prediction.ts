import type { Prediction } from "../../../schemas/types/prediction.js";
import type { Conversation } from "../protocol.js";
import type { Task } from "../task.js";

/** A conversation as the line that its verifier will read. */
export function predictionOf({ oracleHidden }: Task, { given, told, timings }: Conversation): Prediction {
  const { ambiguities, max_turn, ...rest } = told;
  return {
    ...rest,
    ambiguities: oracleHidden === true ? null : ambiguities,
    max_turn: oracleHidden === true ? null : max_turn,
    outcome: given.outcome,
    ...(given.outcome === "sql" ? {} : { detail: given.detail }),
    timings_ms: timings,
  };
}
