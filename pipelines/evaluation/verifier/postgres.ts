import { SourceError } from "../../errors.js";
import type { VerifierView } from "../../record/views.js";
import type { ExecutionCache } from "./execution-cache.js";
import type { Verification } from "./verification.js";

const faulty = (detail: string): Verification => ({
  verdict: "gold_error",
  detail,
  flags: [],
  duration_ms: { prediction: 0, reference: 0 },
});

/**
 * Decides an answer to a PostgreSQL record: by results, or for a Management task by the state it leaves (spec 2 and 13).
 * A task's own tests decide where the record says so (it was built with --run-upstream-tests); where they are stood in
 * for, the verdict is flagged.
 *
 * @param dump the record's database: a dump's file or folder
 */
export async function verifyOnPostgres(
  view: VerifierView,
  prediction: readonly string[],
  dump: string,
  executions: ExecutionCache,
): Promise<Verification> {
  const { postgres } = executions.engines;
  if (postgres === undefined) return faulty("there is no PostgreSQL here");
  if (view.reference_sql.length === 0) return faulty("the record has no reference SQL");
  let template: string;
  try {
    ({ template } = await postgres.template(dump));
  } catch (error) {
    if (!(error instanceof SourceError)) throw error;
    return faulty(`the database ${view.database_path}: ${error.message}`);
  }
  // Loaded when the first record needs it; the driver with it.
  const { judgeTask, runTask } = await import("../../sql/postgres/index.js");
  const server = await postgres.server();
  const task = {
    template,
    category: view.category,
    reference: view.reference_sql,
    setup: view.setup_sql,
    cleanup: view.cleanup_sql,
    comparison: view.comparison,
  };
  if (view.success === "tests") {
    const { verifyByTests } = await import("../../sql/python-tests/index.js");
    return verifyByTests(server, { ...task, test_cases: view.test_cases }, prediction);
  }
  const about = JSON.stringify([dump, task.category, task.setup, task.cleanup]);
  const { flags, ...decided } = await judgeTask(server, task, prediction, (statements) =>
    executions.keep(`${about}\u0000${JSON.stringify(statements)}`, () => runTask(server, task, statements)),
  );
  return { ...decided, flags: view.test_cases.length > 0 ? [...flags, "tests_not_run"] : flags };
}
