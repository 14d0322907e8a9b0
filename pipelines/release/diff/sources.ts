/** How two copies of a source differ: which files, which rows of them, which tables. */
import { basename, join } from "node:path";
import { readJsonArray } from "../../../sources/index.js";
import { filesBelow } from "../../audit/checksums.js";
import { hashFile } from "../../engine/files.js";
import { SourceError, UserError } from "../../errors.js";
import { readJsonl } from "../../record/jsonl.js";
import { type DatabasesDiff, diffDatabases } from "./databases.js";
import { diffKeyed, type Keyed, type KeyedDiff } from "./keyed.js";

/** One file whose bytes differ. `rows` stands where both copies could be read as rows, `problem` where they could not. */
export interface SourceFileChange {
  readonly file: string;
  readonly rows?: KeyedDiff;
  /** The field by which rows were told apart; null: by their position. */
  readonly key?: string | null;
  readonly problem?: string;
}

export interface SourceDiff {
  readonly kind: "sources";
  readonly before: { readonly name: string };
  readonly after: { readonly name: string };
  readonly same: number;
  readonly added: readonly string[];
  readonly removed: readonly string[];
  readonly files: readonly SourceFileChange[];
  readonly databases: DatabasesDiff;
}

/** The fields that upstream datasets call a row by, in the order in which they are tried. */
const KEY_FIELDS = ["question_id", "instance_id", "id"];
const DATABASE = /\.(sqlite|db)$/;

type Rows = () => AsyncGenerator<{ row: number; value: object }>;

async function* jsonRows(path: string): AsyncGenerator<{ row: number; value: object }> {
  for await (const { row, value } of readJsonArray(path)) {
    yield { row, value: value !== null && typeof value === "object" ? value : { value } };
  }
}

async function* jsonlRows(path: string): AsyncGenerator<{ row: number; value: object }> {
  for await (const { line, value } of readJsonl(path)) yield { row: line - 1, value };
}

function rowsOf(path: string): Rows | undefined {
  if (path.endsWith(".json")) return () => jsonRows(path);
  return path.endsWith(".jsonl") ? () => jsonlRows(path) : undefined;
}

const fieldOf = (value: object, field: string): unknown => (value as Record<string, unknown>)[field];

/** The first field that every row of both copies has, each time with another value; null where there is none. */
async function keyField(copies: readonly Rows[]): Promise<string | null> {
  let left = KEY_FIELDS;
  for (const rows of copies) {
    const seen = new Map<string, Set<string>>(KEY_FIELDS.map((field) => [field, new Set()]));
    for await (const { value } of rows()) {
      left = left.filter((field) => {
        const known = fieldOf(value, field);
        const values = seen.get(field);
        if ((typeof known !== "number" && typeof known !== "string") || values?.has(String(known)))
          return false;
        values?.add(String(known));
        return true;
      });
    }
  }
  return left[0] ?? null;
}

async function* keyed(path: string, rows: Rows, key: string | null): AsyncGenerator<Keyed> {
  for await (const { row, value } of rows()) {
    const name = key === null ? `row ${row}` : String(fieldOf(value, key));
    yield { key: name, value, place: `${basename(path)}, row ${row}` };
  }
}

async function changedFile(file: string, before: string, after: string): Promise<SourceFileChange> {
  const [old, now] = [rowsOf(before), rowsOf(after)];
  if (old === undefined || now === undefined) return { file };
  try {
    const key = await keyField([old, now]);
    const rows = await diffKeyed(
      () => keyed(before, old, key),
      () => keyed(after, now, key),
    );
    return { file, key, rows };
  } catch (error) {
    // A file that is no list of rows (a schema, a dictionary) is compared by its bytes.
    if (error instanceof SourceError) return { file, problem: error.message };
    throw error;
  }
}

/**
 * Compares two folders that hold copies of one source. Rows of `.json` arrays and `.jsonl` files are matched by the field
 * that upstream calls them by, else by position; databases by table.
 *
 * @throws UserError when the two have no file in common
 */
export async function diffSources(before: string, after: string): Promise<SourceDiff> {
  const [old, now] = [new Set(filesBelow(before)), new Set(filesBelow(after))];
  const both = [...now].filter((file) => old.has(file));
  if (both.length === 0) {
    throw new UserError(`${before} and ${after} have no file in common`, {
      remedy: "name two releases, two builds, or two copies of one source",
    });
  }
  const files: SourceFileChange[] = [];
  for (const file of both) {
    if (DATABASE.test(file)) continue;
    const [a, b] = [join(before, file), join(after, file)];
    if ((await hashFile(a)).sha256 !== (await hashFile(b)).sha256) files.push(await changedFile(file, a, b));
  }
  const databases = await diffDatabases(
    { folder: before, paths: [...old].filter((file) => DATABASE.test(file)) },
    { folder: after, paths: [...now].filter((file) => DATABASE.test(file)) },
  );
  return {
    kind: "sources",
    before: { name: before },
    after: { name: after },
    same: both.length - files.length - databases.changed.length,
    added: [...now].filter((file) => !old.has(file) && !DATABASE.test(file)),
    removed: [...old].filter((file) => !now.has(file) && !DATABASE.test(file)),
    files,
    databases,
  };
}
