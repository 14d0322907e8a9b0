export type { Address } from "./connection.js";
export type { DumpFile } from "./dump/read.js";
export {
  openPostgres,
  type PostgresOptions,
  type PostgresServer,
} from "./server.js";
export { type DatabaseState, differences, UnreadableState } from "./state.js";
export { judgeTask, type PostgresTask, runTask, type TaskRun, type TaskVerdict } from "./task.js";
export type { ExecOptions, Isolation, PostgresRun, PostgresSession, TaskSession } from "./task-session.js";
export type { LoadedTemplate } from "./template.js";
