/** The question-F1 reward (spec 4; paper section D.1, Equation 2). */
import { coverage, harmonicMean } from "./episode.js";

/**
 * R_F1 of a dialogue, in [0, 1]: `credits` holds the ids credited to each question, `ambiguities` is |Amb|. Without
 * ambiguities, 1 for asking nothing and 0 for asking; with them, the harmonic mean of precision and recall, 0 when
 * nothing was asked or no question was productive.
 */
export function questionF1Reward(credits: readonly (readonly string[])[], ambiguities: number): number {
  const asked = coverage(credits, ambiguities);
  if (ambiguities === 0) return asked.questions === 0 ? 1 : 0;
  return harmonicMean(asked);
}
