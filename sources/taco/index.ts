export type { TacoDatabase } from "./databases.js";
export { locateTacoDatabase } from "./databases.js";
export type { QueryFile, TacoLayout } from "./layout.js";
export { findQueryFiles } from "./layout.js";
export { TACO } from "./manifest.js";
export type { TacoFiles, TacoItem, TacoRow } from "./rows.js";
export { readTaco } from "./rows.js";
