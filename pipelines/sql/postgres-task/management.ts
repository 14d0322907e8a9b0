import { createHash } from "node:crypto";
import type { Failure } from "../execution.js";
import { describeFailure } from "../failure.js";
import { differences, type PostgresServer, UnreadableState } from "../postgres/index.js";
import { type ChangedState, changedDifferences, readChangedState } from "./changed-state.js";
import { runList, verifyQuery } from "./query.js";
import { type PostgresTask, TASK_LIMITS, type TaskVerification } from "./task.js";

type Left = (
  | { changed: ChangedState /** Whether anything is other than before. */; anything: boolean }
  | { failure: Failure }
  | { unreadable: string }
) & { duration_ms: number };

/** Runs set-up and a list in a database of its own, and reads what is left there. */
function leaves(
  server: PostgresServer,
  { template, setup }: PostgresTask,
  list: readonly string[],
): Promise<Left> {
  return server.withDatabase(template, "clone", async (session): Promise<Left> => {
    for (const sql of setup) await session.exec(sql, { limits: TASK_LIMITS });
    const before = await session.state(TASK_LIMITS);
    const end = await runList(session, list);
    const { duration_ms } = end;
    if (end.outcome !== "rows") return { failure: end, duration_ms };
    try {
      const changed = await readChangedState(session);
      return { changed, anything: differences(before, changed.state).length > 0, duration_ms };
    } catch (error) {
      if (!(error instanceof UnreadableState)) throw error;
      return { unreadable: error.message, duration_ms };
    }
  });
}

/** What references leave, by server: the same in every episode of a record, and small. */
const known = new WeakMap<PostgresServer, Map<string, Promise<Left>>>();

function referenceLeaves(server: PostgresServer, task: PostgresTask): Promise<Left> {
  const key = createHash("sha256")
    .update(JSON.stringify([task.template, task.setup, task.reference]))
    .digest("hex");
  const ofServer = known.get(server) ?? new Map<string, Promise<Left>>();
  known.set(server, ofServer);
  let left = ofServer.get(key);
  if (left === undefined) {
    left = leaves(server, task, task.reference);
    ofServer.set(key, left);
    // A fault of the machine's is tried again.
    left.catch(() => ofServer.delete(key));
  }
  return left;
}

/** Differences that are in how a routine, trigger or constraint is written; the data is the same. */
const IN_WRITING = /^(?:routine|trigger|constraint|rule|index|policy) /;

/**
 * Decides a Management task by what it changes: tables, rows, views and other definitions that the answer leaves must be
 * those that the reference leaves, each in a database of its own. A deviation of ours from upstream, which has tests for
 * these tasks: a routine that does the same in other words is a mismatch, flagged `definitions_only`.
 */
export async function verifyManagement(
  server: PostgresServer,
  task: PostgresTask,
  prediction: readonly string[],
  fresh = false,
): Promise<TaskVerification> {
  const expected = await (fresh ? leaves(server, task, task.reference) : referenceLeaves(server, task));
  const timed = (given: number) => ({ prediction: given, reference: expected.duration_ms });
  if (!("changed" in expected)) {
    const timedOut = "failure" in expected && expected.failure.outcome === "timeout";
    const detail = "failure" in expected ? describeFailure(expected.failure) : expected.unreadable;
    return { verdict: timedOut ? "gold_timeout" : "gold_error", detail, flags: [], duration_ms: timed(0) };
  }
  // What changes nothing can only be told by its result; the empty answer would leave the same state.
  if (!expected.anything) return verifyQuery(server, task, prediction);
  const given = await leaves(server, task, prediction);
  const duration_ms = timed(given.duration_ms);
  if ("failure" in given) {
    const { failure } = given;
    return {
      verdict: `prediction_${failure.outcome}`,
      detail: describeFailure(failure),
      flags: [],
      duration_ms,
    };
  }
  if ("unreadable" in given) {
    return { verdict: "prediction_error", detail: given.unreadable, flags: [], duration_ms };
  }
  const different = changedDifferences(given.changed, expected.changed);
  if (different.length === 0) return { verdict: "match", flags: [], duration_ms };
  const shown = different.slice(0, 5).join(", ") + (different.length > 5 ? ", …" : "");
  const flags = different.every((name) => IN_WRITING.test(name)) ? ["definitions_only"] : [];
  return { verdict: "mismatch", detail: `what is left differs in ${shown}`, flags, duration_ms };
}
