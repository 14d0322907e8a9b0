import type { StageContext } from "../../engine/stage.js";
import { describeSqlite, type SchemaDescription } from "../../sql/index.js";
import { type DatabaseFile, databasePath } from "./items.js";

const known = new Map<string, SchemaDescription>();

/** What is in a source's database. Three stages of every row ask; the file's hash says when the answer is the same. */
export function describeOriginal(file: DatabaseFile, context: StageContext): SchemaDescription {
  const { sha256 } = file.from === "source" ? file : file.file;
  const description = known.get(sha256) ?? describeSqlite(databasePath(file, context));
  known.set(sha256, description);
  return description;
}
