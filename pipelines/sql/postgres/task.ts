import type { Comparison } from "../../../schemas/types/record.js";
import { cleanForBirdInteract, compareExecutions, type SqlVerdict } from "../compare/index.js";
import type { Execution } from "../execution.js";
import type { PostgresServer } from "./server.js";
import { type DatabaseState, differences, UnreadableState } from "./state.js";
import type { TaskSession } from "./task-session.js";

/** A task on PostgreSQL as the verifier knows it (spec 13). */
export interface PostgresTask {
  template: string;
  category: "query" | "management";
  reference: readonly string[];
  setup: readonly string[];
  cleanup: readonly string[];
  comparison: Pick<Comparison, "policy" | "ordered">;
}

/** How a prediction stands to the reference, with what each took. */
export interface TaskVerdict {
  verdict: SqlVerdict;
  detail?: string;
  flags: string[];
  duration_ms: { prediction: number; reference: number };
}

/** The end of a list of statements and, for Management tasks, what it has left in the database. */
export interface TaskRun {
  execution: Execution;
  state?: DatabaseState;
}

/** The evaluator's time-out for a statement (spec 13.2), and its cap on rows (13.3). */
const LIMITS = { timeoutMs: 60_000 };
const ROWS_TAKEN = 10_000;

/** The cap holds only where the string begins with one of two words. */
const capOf = (sql: string) => (/^\s*(?:select|with)/i.test(sql) ? { take: ROWS_TAKEN } : {});

async function runList(session: TaskSession, statements: readonly string[]): Promise<Execution> {
  let last: Execution = {
    outcome: "refused",
    reason: "empty",
    message: "there is no statement",
    duration_ms: 0,
    rewrites: [],
  };
  let duration = 0;
  for (const sql of statements) {
    last = await session.exec(sql, { limits: LIMITS, ...capOf(sql) });
    duration += last.duration_ms;
    if (last.outcome !== "rows") break;
  }
  return { ...last, duration_ms: duration };
}

/** A state that cannot be read (tables too large, a policy that fails) is the fault of what made it. */
async function stateOf(session: TaskSession, execution: Execution): Promise<TaskRun> {
  try {
    return { execution, state: await session.state() };
  } catch (error) {
    if (!(error instanceof UnreadableState)) throw error;
    const { duration_ms } = execution;
    const message = `what it left in the database cannot be read: ${error.message}`;
    return { execution: { outcome: "error", message, duration_ms, rewrites: [] } };
  }
}

/** Whether a run needs a database of its own, as the server said it. */
const needsClone = ({ execution }: TaskRun): boolean =>
  execution.outcome === "refused" && ["write", "several_statements"].includes(execution.reason);

/**
 * Runs a list as the official evaluator does (spec 13.1 to 13.4): the task's preparations, whose errors are ignored, then
 * the list up to its first error, then the cleaning up. It runs in a database of its own, unless the server finds that it
 * only reads: then a read-only transaction does the same.
 */
export async function runTask(
  server: PostgresServer,
  task: Pick<PostgresTask, "template" | "category" | "setup" | "cleanup">,
  statements: readonly string[],
): Promise<TaskRun> {
  const { template, category, setup, cleanup } = task;
  const manages = category === "management";
  const within = async (session: TaskSession): Promise<TaskRun> => {
    for (const sql of setup) await session.exec(sql, { limits: LIMITS });
    const execution = await runList(session, statements);
    const left = manages && execution.outcome === "rows" ? await stateOf(session, execution) : { execution };
    for (const sql of cleanup) await session.exec(sql, { limits: LIMITS });
    return left;
  };
  if (!manages && setup.length === 0 && cleanup.length === 0) {
    const run = await server.withDatabase(template, "rollback", within);
    if (!needsClone(run)) return run;
  }
  return server.withDatabase(template, "clone", within);
}

/**
 * What each side of a task is run as. Under `bird_interact` both are cleaned first (spec 13.6); the prediction must run as
 * it was given too. Prediction and reference never share a database: a prediction could prepare what the reference finds.
 */
async function queryVerdict(
  task: PostgresTask,
  prediction: readonly string[],
  run: (statements: readonly string[]) => Promise<TaskRun>,
): Promise<TaskVerdict> {
  const { policy, ordered } = task.comparison;
  const cleans = policy === "bird_interact";
  const cleaned = (statements: readonly string[]) =>
    cleans ? statements.map((sql) => cleanForBirdInteract(sql)) : statements;
  const { execution: expected } = await run(cleaned(task.reference));
  const { execution: plain } = await run(prediction);
  const rewritten = cleaned(prediction);
  const same = rewritten.every((sql, at) => sql === prediction[at]);
  const given = same || plain.outcome !== "rows" ? plain : (await run(rewritten)).execution;
  const { verdict, flags, detail } = compareExecutions(policy, ordered, given, expected);
  return {
    verdict,
    ...(detail !== undefined && { detail }),
    flags: Object.keys(flags).sort(),
    duration_ms: { prediction: given.duration_ms, reference: expected.duration_ms },
  };
}

/** How many differences a verdict names. */
const NAMED = 3;

/**
 * Management tasks are decided by what is left in the database: rows of every table and every definition. Where the
 * reference leaves it as it was, its result decides as well.
 */
async function managementVerdict(
  task: PostgresTask,
  prediction: readonly string[],
  run: (statements: readonly string[]) => Promise<TaskRun>,
): Promise<TaskVerdict> {
  const { policy, ordered } = task.comparison;
  const expected = await run(task.reference);
  const given = await run(prediction);
  const duration_ms = {
    prediction: given.execution.duration_ms,
    reference: expected.execution.duration_ms,
  };
  const compared = compareExecutions(policy, ordered, given.execution, expected.execution);
  if (expected.state === undefined || given.state === undefined) {
    const { verdict, detail } = compared;
    return { verdict, ...(detail !== undefined && { detail }), flags: [], duration_ms };
  }
  const changed = differences(given.state, expected.state);
  if (changed.length > 0) {
    const more = changed.length > NAMED ? ` and ${changed.length - NAMED} more` : "";
    const detail = `the database differs in ${changed.slice(0, NAMED).join(", ")}${more}`;
    return { verdict: "mismatch", detail, flags: ["state_compared"], duration_ms };
  }
  const untouched = await run([NOTHING]);
  if (untouched.state !== undefined && differences(untouched.state, expected.state).length === 0) {
    const { verdict, detail } = compared;
    const flags = ["state_compared", "state_unchanged"];
    return { verdict, ...(detail !== undefined && { detail }), flags, duration_ms };
  }
  return { verdict: "match", flags: ["state_compared"], duration_ms };
}

/** A statement that changes nothing: what it leaves is the task's starting state. */
const NOTHING = "SELECT 1";

/**
 * Decides whether a prediction is right: by results for queries, by the changed state for Management tasks.
 *
 * @param run how a list is run; a caller may keep what it knows already
 */
export async function judgeTask(
  server: PostgresServer,
  task: PostgresTask,
  prediction: readonly string[],
  run: (statements: readonly string[]) => Promise<TaskRun> = (statements) =>
    runTask(server, task, statements),
): Promise<TaskVerdict> {
  const judge = task.category === "management" ? managementVerdict : queryVerdict;
  return judge(task, prediction, run);
}
