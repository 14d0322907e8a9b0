import { existsSync } from "node:fs";
import { join } from "node:path";
import {
  type AmbiqtItem,
  type LocatedDatabase,
  locateDatabase,
  readAmbiqt,
  readSpiderTables,
  type SpiderSchema,
} from "../../../sources/ambiqt/index.js";
import { hashFile } from "../../engine/files.js";
import type { SourceStream } from "../../engine/pipeline.js";
import type { BuildSettings } from "../../engine/stage.js";
import { SourceError } from "../../errors.js";
import { sameName } from "../../sql/index.js";
import type { SourceRow } from "./items.js";

/** `<index>.<table>.<column>` of a row, all its columns where it has several: unique, since the reader checks it. */
function coordinates(row: { orig_example_idx: number; extra_map: SourceRow["extra_map"] }): string {
  const columns = Object.entries(row.extra_map).flatMap(([table, map]) =>
    Object.keys(map).map((column) => `${table}.${column}`),
  );
  return `${row.orig_example_idx}.${columns.join("+")}`;
}

/** Both kinds of key that tables.json declares of one database, as plain columns. */
function declaredKeys(schema: SpiderSchema | undefined): SourceRow["declared_keys"] {
  if (schema === undefined) return [];
  return [...schema.primary_keys, ...schema.foreign_keys.flatMap(({ from, to }) => [from, to])];
}

/** How tables.json says the row's column in words ("first name" for Fname). */
function spokenName(extra_map: SourceRow["extra_map"], schema: SpiderSchema | undefined): string | null {
  const [table, columns] = Object.entries(extra_map)[0] ?? ["", {}];
  const [column] = Object.keys(columns);
  const found = schema?.columns.find(
    (one) => sameName(one.table, table) && column !== undefined && sameName(one.column, column),
  );
  return found?.words ?? null;
}

/** A file of up to so many rows (upstream's has 1,240) is read once and kept; a larger one is read twice. */
const KEPT_ROWS = 20_000;

/**
 * Opens AmbiQT's column-synonym rows together with Spider's databases. Every file that is read is hashed first, and its
 * hash travels in the item, so that a changed database redoes just the rows that use it.
 */
export async function openAmbiqt(
  root: string,
  _settings: BuildSettings,
  version: string,
): Promise<SourceStream<SourceRow>> {
  const file = await readAmbiqt(root);
  const tables = await readSpiderTables(root);
  const databases = new Map<string, LocatedDatabase>();
  const database = async (db_id: string): Promise<LocatedDatabase> => {
    let known = databases.get(db_id);
    if (known === undefined) {
      known = await locateDatabase(root, db_id);
      databases.set(db_id, known);
    }
    return known;
  };
  // One pass to learn which databases the rows name: the lock must list every input before the first row is built.
  const inputs: Record<string, string> = { [file.file]: file.sha256 };
  inputs[tables.file] = tables.sha256;
  // Where it is there, rows that do not state their question's index get it from here.
  const questions = ["spider/dev.json", "dev.json"].find((name) => existsSync(join(root, name)));
  if (questions !== undefined) inputs[questions] = (await hashFile(join(root, questions))).sha256;
  const kept: AmbiqtItem[] = [];
  let all = true;
  for await (const item of file.rows()) {
    if (kept.length < KEPT_ROWS) kept.push(item);
    else all = false;
    if (item.kind !== "row") continue;
    const found = await database(item.value.db_id);
    if (found.kind === "sqlite" || found.kind === "sql") inputs[found.path] = found.sha256;
  }
  return {
    root,
    version,
    inputs: Object.fromEntries(Object.entries(inputs).sort(([a], [b]) => (a < b ? -1 : 1))),
    async *items() {
      for await (const item of all ? kept : file.rows()) {
        const { row } = item;
        const unreadable = { key: `ambiqt/validation/row-${row}`, row };
        if (item.kind === "error") {
          yield { bad: item.error, ...unreadable };
          continue;
        }
        const { row_sha256, row: _row, ...fields } = item.value;
        const found = await database(fields.db_id);
        const schema = tables.schemas.get(fields.db_id);
        if (found.kind === "broken") {
          const place = { file: file.file, row, line: item.line, field: "db_id" };
          yield {
            bad: new SourceError(place, `names the database ${fields.db_id}, but ${found.reason}`),
            ...unreadable,
          };
          continue;
        }
        yield {
          key: `ambiqt/validation/${coordinates(fields)}`,
          origin: { file: file.file, file_sha256: file.sha256, row, row_sha256 },
          value: {
            ...fields,
            database: found,
            declared_keys: declaredKeys(schema),
            spoken_name: spokenName(fields.extra_map, schema),
            source_version: version,
          },
        };
      }
    },
  };
}
