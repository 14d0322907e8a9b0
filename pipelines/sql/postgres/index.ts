export type { Address } from "./connection.js";
export type { DumpFile } from "./dump/read.js";
export {
  openPostgres,
  type PostgresOptions,
  type PostgresRun,
  type PostgresServer,
  type TaskSession,
} from "./server.js";
export type { ExecOptions, Isolation, PostgresSession } from "./session.js";
export { type DatabaseState, differences, UnreadableState } from "./state.js";
export { judgeTask, type PostgresTask, runTask, type TaskRun, type TaskVerdict } from "./task.js";
export type { LoadedTemplate } from "./template.js";
