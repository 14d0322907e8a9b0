/** The room's door: models behind roles, every answer stored, replies parsed. */
export { exportArchive, importArchive } from "./archive.js";
export { checkModels, type RoleCheck } from "./check.js";
export { type ModelClientOptions, type OpenModelClient, openModelClient, storePath } from "./client.js";
export {
  configureModels,
  type EndpointSettings,
  type Models,
  modelsOfEnvironment,
  type RoleSettings,
  readModels,
  shownAddress,
} from "./configuration.js";
export { type MissingAnswers, MissingAnswersError } from "./missing.js";
export { NO_MODEL } from "./no-model.js";
export { type JsonReply, parseJsonReply, parseSqlReply, type Shape, type SqlReply } from "./parse.js";
export { ResponseStore } from "./response-store.js";
export type { Decoding } from "./roles.js";
export * from "./types.js";
export type { RoleUsage } from "./usage.js";
