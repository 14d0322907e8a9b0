import { describeFailure } from "../failure.js";
import type { PostgresServer } from "../postgres/index.js";
import { runPython } from "./python/run.js";
import { runList } from "./query.js";
import { type PostgresTask, TASK_LIMITS, type TaskVerification } from "./task.js";

export { findInterpreter } from "./python/interpreter.js";

/**
 * Decides a task by its own tests (spec 13, 5): each must pass. The answer is run twice, each time in a fresh database:
 * once with all our bounds, which a statement without end does not pass, and once on the tests' own connection, so that
 * they find its temporary tables and `pred_query_result`.
 *
 * @throws UserError where there is no Python with psycopg2
 */
export async function verifyByTests(
  server: PostgresServer,
  task: PostgresTask & { test_cases: readonly string[] },
  prediction: readonly string[],
): Promise<TaskVerification> {
  const { template, setup, cleanup, reference, test_cases: tests } = task;
  const first = await server.withDatabase(template, "clone", async (session) => {
    for (const sql of setup) await session.exec(sql, { limits: TASK_LIMITS });
    return runList(session, prediction);
  });
  const duration_ms = { prediction: first.duration_ms, reference: 0 };
  if (first.outcome !== "rows") {
    return { verdict: `prediction_${first.outcome}`, detail: describeFailure(first), flags: [], duration_ms };
  }
  const answer = await server.withDatabase(template, "clone", (session) =>
    runPython(session, { setup, prediction, reference, cleanup, tests }),
  );
  const decided = (verdict: TaskVerification["verdict"], detail?: string): TaskVerification => ({
    verdict,
    ...(detail === undefined ? {} : { detail }),
    flags: ["own_tests"],
    duration_ms,
  });
  if ("stopped" in answer) return decided("mismatch", `the tests gave no answer: ${answer.stopped}`);
  if (answer.prediction !== "rows")
    return decided(`prediction_${answer.prediction}`, "it fails on the tests' connection");
  const failed = answer.tests.findIndex(({ passed }) => !passed);
  if (failed < 0 && answer.tests.length === tests.length) return decided("match");
  return decided(
    "mismatch",
    `test ${failed + 1} of ${tests.length} fails: ${answer.tests[failed]?.why ?? "it did not run"}`,
  );
}
