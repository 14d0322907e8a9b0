import type { SyntheticSolverView } from "../../../record/views.js";
import type { Exchange } from "../../askers/index.js";
import type { Answer, SyntheticSolver } from "../types.js";

/** A row that no database holds: the wrong reading of a record that has no other. */
const DISTRACTOR = "SELECT 'a reading that is never right: 5c3f09d1b7e84a26' AS distractor";

/** A reference of several strings as one answer. A semicolon on a line of its own ends what a comment would hide. */
const asOneAnswer = (reference: readonly string[]): string => reference.join("\n;\n");

const squeeze = (text: string): string => text.replace(/\s+/g, " ").trim();

/** Whether some answer holds the ambiguity's response or resolution, white space aside. */
function isResolved(
  { response, resolution }: { response: string; resolution: string },
  clarifications: readonly Exchange[],
): boolean {
  return clarifications.some(({ response: said }) => {
    const text = squeeze(said);
    return [response, resolution].some((known) => known.trim() !== "" && text.includes(squeeze(known)));
  });
}

/**
 * The reference SQL once every counted ambiguity is resolved in the transcript, else a reading drawn uniformly from the
 * record's own (spec 4, "Solvers"; ours). A record without alternatives has two readings: the reference and a distractor
 * that never matches. SR is therefore known in closed form: 1 when resolved, else 1 / readings.
 */
export function answerAsResolved(
  view: SyntheticSolverView,
  clarifications: readonly Exchange[],
  below: (limit: number) => number,
): Answer {
  if (view.reference_sql.length === 0)
    return { outcome: "no_answer", detail: "the record has no reference SQL" };
  const reference = asOneAnswer(view.reference_sql);
  const counted = view.ambiguities.filter(({ counts }) => counts);
  if (counted.every((one) => isResolved(one, clarifications)))
    return { outcome: "sql", sql: reference, expected: 1 };
  const others = view.alternative_sql.length > 0 ? view.alternative_sql : [DISTRACTOR];
  const readings = [reference, ...others];
  return { outcome: "sql", sql: readings[below(readings.length)]!, expected: 1 / readings.length };
}

export const referenceWhenResolved: SyntheticSolver = {
  reads: "verifier",
  name: "reference-when-resolved",
  solve: (view, clarifications, draws) =>
    answerAsResolved(view, clarifications, (limit) => draws.below(limit)),
};
