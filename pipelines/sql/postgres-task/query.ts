import { cleanForBirdInteract, compareExecutions } from "../compare/index.js";
import type { Execution } from "../execution.js";
import type { Isolation, PostgresServer, TaskSession } from "../postgres/index.js";
import { type PostgresTask, rowCap, TASK_LIMITS, type TaskVerification } from "./task.js";

const EMPTY: Execution = {
  outcome: "refused",
  reason: "empty",
  message: "there is no statement",
  duration_ms: 0,
  rewrites: [],
};

/** Runs a list on one connection: it ends at the first string that does not end in rows, and the last one's end counts. */
export async function runList(session: TaskSession, list: readonly string[]): Promise<Execution> {
  let last: Execution = EMPTY;
  let duration = 0;
  for (const sql of list) {
    last = await session.exec(sql, { limits: TASK_LIMITS, ...rowCap(sql) });
    duration += last.duration_ms;
    if (last.outcome !== "rows") break;
  }
  return { ...last, duration_ms: duration };
}

/** Why a read-only session does not do for these statements. */
const NEEDS_A_DATABASE = new Set(["write", "several_statements"]);
const needsOwnDatabase = (execution: Execution): boolean =>
  execution.outcome === "refused" && NEEDS_A_DATABASE.has(execution.reason);

interface Runs {
  given: Execution;
  expected: Execution;
}

/**
 * The official order of work (spec 13, 4 and 6): set-up, the answer as it stands, then both cleaned lists on the same
 * connection, the answer's first. Under any other policy nothing is cleaned, and each list is run once.
 */
async function runBoth(
  session: TaskSession,
  { setup, reference, comparison }: PostgresTask,
  prediction: readonly string[],
): Promise<Runs> {
  for (const sql of setup) await session.exec(sql, { limits: TASK_LIMITS });
  const given = await runList(session, prediction);
  if (comparison.policy !== "bird_interact") return { given, expected: await runList(session, reference) };
  const again =
    given.outcome === "rows" ? await runList(session, prediction.map(cleanForBirdInteract)) : given;
  const expected = await runList(session, reference.map(cleanForBirdInteract));
  return { given: again, expected };
}

/**
 * Decides a Query task by its result. What only reads shares a database of the template; what writes gets one of its own,
 * as does a task with a set-up, so that nothing of it meets another task.
 */
export async function verifyQuery(
  server: PostgresServer,
  task: PostgresTask,
  prediction: readonly string[],
): Promise<TaskVerification> {
  const run = (isolation: Isolation): Promise<Runs> =>
    server.withDatabase(task.template, isolation, (session) => runBoth(session, task, prediction));
  let runs = task.setup.length === 0 ? await run("rollback") : await run("clone");
  if (needsOwnDatabase(runs.given) || needsOwnDatabase(runs.expected)) runs = await run("clone");
  const { policy, ordered } = task.comparison;
  const { verdict, flags, detail } = compareExecutions(policy, ordered, runs.given, runs.expected);
  return {
    verdict,
    ...(detail === undefined ? {} : { detail }),
    flags: Object.keys(flags).sort(),
    duration_ms: { prediction: runs.given.duration_ms, reference: runs.expected.duration_ms },
  };
}
