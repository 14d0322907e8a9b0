import type { PostgresServer } from "../postgres/index.js";
import { verifyManagement } from "./management.js";
import { verifyQuery } from "./query.js";
import type { PostgresTask, TaskVerification } from "./task.js";

export type { PostgresTask, TaskVerification } from "./task.js";
export { findInterpreter, verifyByTests } from "./tests.js";

/**
 * Decides a PostgreSQL answer by running it: a Query task by its result (under `bird_interact` in the official
 * evaluator's order of work), a Management task by the state that it leaves. Whatever SQL does is a verdict.
 *
 * @param prediction the answer, each element sent as one string
 * @param options `fresh`: run the reference again, also where what it leaves is known
 */
export function verifyPostgresTask(
  server: PostgresServer,
  task: PostgresTask,
  prediction: readonly string[],
  options: { fresh?: boolean } = {},
): Promise<TaskVerification> {
  return task.category === "management"
    ? verifyManagement(server, task, prediction, options.fresh === true)
    : verifyQuery(server, task, prediction);
}
