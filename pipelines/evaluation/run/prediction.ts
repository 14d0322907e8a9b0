import type { Prediction, PredictionTurn } from "../../../schemas/types/prediction.js";
import type { Conversation } from "../protocol.js";

/**
 * A conversation as the line that its verifier will read.
 *
 * @param counted whether anybody knew how many ambiguities there are
 */
export function predictionOf(
  { given, told, timings }: Conversation<PredictionTurn>,
  counted: boolean,
): Prediction {
  const { ambiguities, max_turn, ...rest } = told;
  return {
    ...rest,
    ambiguities: counted ? ambiguities : null,
    max_turn: counted ? max_turn : null,
    outcome: given.outcome,
    ...(given.outcome === "sql" ? {} : { detail: given.detail }),
    timings_ms: timings,
  };
}
