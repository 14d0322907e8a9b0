import { join } from "node:path";
import type { VerifierView } from "../../record/views.js";
import { compareExecutions } from "../../sql/index.js";
import type { Verdict } from "../metrics/index.js";
import { databaseExists, type ExecutionCache } from "./execution-cache.js";

export { ExecutionCache } from "./execution-cache.js";

/** How an answer was decided: the verdict of spec 9's closed list, why, and what should be known of the decision. */
export interface Verification {
  verdict: Verdict;
  /** One sentence where the verdict alone does not say it: SQLite's message, a limit. */
  detail?: string;
  /** Such as `both_empty`: a match that deserves a look. */
  flags: string[];
  /** Milliseconds that prediction and reference took, 0 for a result that was still known. */
  duration_ms: { prediction: number; reference: number };
}

/**
 * Decides whether a SQL answer is right: agreement of execution results under the record's comparison policy (spec 4,
 * "Verifier"). Whatever SQL does is a verdict, never an exception, and a fault of the gold is never the model's.
 *
 * @param view what the verifier may read of the record
 * @param prediction one SQL statement
 * @param databases the folder that the view's path is relative to
 */
export async function verify(
  view: VerifierView,
  prediction: string,
  databases: string,
  executions: ExecutionCache,
): Promise<Verification> {
  const database = join(databases, view.database_path);
  const [reference] = view.reference_sql;
  const gold = (detail: string): Verification => ({
    verdict: "gold_error",
    detail,
    flags: [],
    duration_ms: { prediction: 0, reference: 0 },
  });
  if (!view.verifiable) return gold("the record is not verifiable here");
  if (view.engine !== "sqlite") return gold(`no verifier for the engine ${view.engine} in this version`);
  if (reference === undefined || view.reference_sql.length > 1) {
    return gold(`expected one reference statement, found ${view.reference_sql.length}`);
  }
  // One after the other: the reference is usually known, and the two would only share a core.
  const expected = await executions.run(database, reference);
  if (expected.outcome !== "rows" && !(await databaseExists(database))) {
    return gold(`the database ${view.database_path} is not there`);
  }
  const given = await executions.run(database, prediction);
  const { policy, ordered } = view.comparison;
  const { verdict, flags, detail } = compareExecutions(policy, ordered, given, expected);
  return {
    verdict,
    ...(detail === undefined ? {} : { detail }),
    flags: Object.keys(flags).sort(),
    duration_ms: { prediction: given.duration_ms, reference: expected.duration_ms },
  };
}
