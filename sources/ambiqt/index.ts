export type { LocatedDatabase } from "./databases.js";
export { locateDatabase } from "./databases.js";
export { AMBIQT } from "./manifest.js";
export type { AmbiqtFile, AmbiqtItem, AmbiqtRow } from "./rows.js";
export { AMBIQT_ROW_FILES, readAmbiqt } from "./rows.js";
export type { ColumnName, SpiderSchema, SpiderTables } from "./spider-tables.js";
export { readSpiderTables } from "./spider-tables.js";
