import { describeFailure } from "../failure.js";
import { type PostgresServer, type PostgresTask, runTask, type TaskVerdict } from "../postgres/index.js";
import { runPython } from "./subprocess.js";

/**
 * Decides a task by its own tests (spec 13, 5): each must pass. The answer is run twice, each time in a fresh database:
 * once with all our bounds, which a statement without end does not pass, and once on the tests' own connection, so that
 * they find its temporary tables and `pred_query_result`.
 *
 * @param options `wholeMs`: time for the tests' program as a whole; 180 s unless told
 * @throws UserError where there is no Python with psycopg2
 */
export async function verifyByTests(
  server: PostgresServer,
  task: PostgresTask & { test_cases: readonly string[] },
  prediction: readonly string[],
  options: { wholeMs?: number } = {},
): Promise<TaskVerdict> {
  const { template, setup, cleanup, reference, test_cases: tests } = task;
  // No test is no proof: it would pass every answer.
  if (tests.length === 0) {
    const detail = "the record says that its own tests decide, and has none";
    return { verdict: "gold_error", detail, flags: [], duration_ms: { prediction: 0, reference: 0 } };
  }
  const { execution } = await runTask(server, { ...task, category: "query" }, prediction);
  const duration_ms = { prediction: execution.duration_ms, reference: 0 };
  if (execution.outcome !== "rows") {
    return {
      verdict: `prediction_${execution.outcome}`,
      detail: describeFailure(execution),
      flags: [],
      duration_ms,
    };
  }
  const answer = await server.withDatabase(template, "clone", (session) =>
    runPython(session, { setup, prediction, reference, cleanup, tests }, options),
  );
  const decided = (verdict: TaskVerdict["verdict"], detail?: string): TaskVerdict => ({
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
