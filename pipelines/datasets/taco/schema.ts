import type { FileRef } from "../../engine/files.js";
import type { StageContext } from "../../engine/stage.js";
import { describeSqlite, type SchemaDescription, type TableDescription } from "../../sql/index.js";

/** SQLite's own notion of equal names: ASCII letters compare without case, all else exactly. */
export function sameName(a: string, b: string): boolean {
  return foldName(a) === foldName(b);
}

export const foldName = (name: string): string => name.replace(/[A-Z]/g, (letter) => letter.toLowerCase());

const known = new Map<string, SchemaDescription>();

/** What is in a stored database. Hundreds of statements share one, so each content is described once. */
export function schemaOf(file: FileRef, context: StageContext): SchemaDescription {
  let schema = known.get(file.sha256);
  if (schema === undefined) {
    schema = describeSqlite(context.files.path(file));
    known.set(file.sha256, schema);
  }
  return schema;
}

export function findTable(schema: SchemaDescription, name: string): TableDescription | undefined {
  return schema.tables.find((table) => sameName(table.name, name));
}
