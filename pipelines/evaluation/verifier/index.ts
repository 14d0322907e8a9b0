import { join } from "node:path";
import type { VerifierView } from "../../record/views.js";
import { compareExecutions } from "../../sql/index.js";
import { databaseExists, type ExecutionCache } from "./execution-cache.js";
import { verifyOnPostgres } from "./postgres.js";
import type { Verification } from "./verification.js";

export { ExecutionCache } from "./execution-cache.js";

export type { Verification } from "./verification.js";

/**
 * Decides whether a SQL answer is right: agreement of execution results under the record's comparison policy (spec 4,
 * "Verifier"). Whatever SQL does is a verdict, never an exception, and a fault of the gold is never the model's.
 *
 * @param view what the verifier may read of the record
 * @param prediction SQL; a list is run in order, as a reference of several statements is. SQLite takes one statement
 * @param databases the folder that the view's path is relative to
 */
export async function verify(
  view: VerifierView,
  prediction: string | readonly string[],
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
  const statements = typeof prediction === "string" ? [prediction] : prediction;
  if (view.engine === "postgres") return verifyOnPostgres(view, statements, database, executions);
  if (reference === undefined || view.reference_sql.length > 1) {
    return gold(`expected one reference statement, found ${view.reference_sql.length}`);
  }
  // One after the other: the reference is usually known, and the two would only share a core.
  const expected = await executions.run(database, reference);
  if (expected.outcome !== "rows" && !(await databaseExists(database))) {
    return gold(`the database ${view.database_path} is not there`);
  }
  const given = await executions.run(database, statements.join(";\n"));
  const { policy, ordered } = view.comparison;
  const { verdict, flags, detail } = compareExecutions(policy, ordered, given, expected);
  return {
    verdict,
    ...(detail === undefined ? {} : { detail }),
    flags: Object.keys(flags).sort(),
    duration_ms: { prediction: given.duration_ms, reference: expected.duration_ms },
  };
}
