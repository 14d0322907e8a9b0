import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { SourceError, type SourcePlace } from "../../pipelines/errors.js";
import { findJsonFault } from "../json-fault.js";
import { found, isObject, RowCheck } from "../row-check.js";
import { rowSha256 } from "../row-hash.js";
import { findQueryFiles, type QueryFile } from "./layout.js";

/** A query file, as upstream wrote it; only the fields that the conversion needs. */
export interface TacoRow {
  region: string;
  /** The database's name, which is also its folder's and its file's. */
  database: string;
  sql: string;
  /** `table.column` of each table that the statement was made from, as upstream lists them. */
  columns: string[];
  /** Of the file's canonical JSON (RFC 8785), hex. */
  row_sha256: string;
}

/** A good file, or what is wrong with a bad one. */
export type TacoItem = { source: QueryFile } & (
  | { kind: "row"; value: TacoRow }
  | { kind: "error"; error: SourceError }
);

export interface TacoFiles {
  /** Region → its folder of databases. */
  databases: ReadonlyMap<string, string>;
  /** Query file → sha256, in the order in which they are read. */
  hashes: ReadonlyMap<string, string>;
  /** The databases that good files name, each once. */
  named: readonly { region: string; database: string }[];
  /** Reads every file, one after the other, each time it is called. */
  rows(): AsyncGenerator<TacoItem, void, undefined>;
}

/**
 * The query files of a TACO folder (spec 2, "taco"). A bad file does not stop the reading: it comes out as an error. SQL
 * that is no good is not the reader's matter.
 *
 * @throws SourceError when there is no query file.
 */
export async function readTaco(root: string, options: { allRegions?: boolean } = {}): Promise<TacoFiles> {
  const { files, databases } = await findQueryFiles(root, options);
  const hashes = new Map<string, string>();
  const named = new Map<string, { region: string; database: string }>();
  for (const source of files) {
    const content = await readFile(join(root, source.path));
    hashes.set(source.path, createHash("sha256").update(content).digest("hex"));
    const row = checkFile(source, content.toString("utf8"));
    if (row instanceof SourceError) continue;
    const { region, database } = row;
    named.set(JSON.stringify([region, database]), { region, database });
  }
  async function* rows(): AsyncGenerator<TacoItem, void, undefined> {
    for (const source of files) {
      const outcome = checkFile(source, await readFile(join(root, source.path), "utf8"));
      yield outcome instanceof SourceError
        ? { source, kind: "error", error: outcome }
        : { source, kind: "row", value: outcome };
    }
  }
  return { databases, hashes, named: [...named.values()], rows };
}

/** Where a text breaks, in lines and columns from 1. */
function placeOf(file: string, text: string, offset: number): SourcePlace {
  const before = text.slice(0, offset).split("\n");
  return { file, line: before.length, column: (before.at(-1)?.length ?? 0) + 1 };
}

function parse(file: string, content: string): { value: unknown } | SourceError {
  const text = content.replace(/^\ufeff/, "");
  try {
    return { value: JSON.parse(text) as unknown };
  } catch (cause) {
    if (!(cause instanceof SyntaxError)) throw cause;
    const fault = findJsonFault(text);
    if (fault === undefined) return new SourceError({ file }, `expected JSON: ${cause.message}`, { cause });
    return new SourceError(placeOf(file, text, fault.offset), `expected ${fault.expected}`, { cause });
  }
}

/** `tables` is `{table: ["table.column", …]}`; a file may lack it, for nothing is decided by it alone. */
function listedColumns(value: unknown, check: RowCheck): string[] {
  if (value === undefined) return [];
  const expected = "expected {table: [table.column]}";
  if (!isObject(value)) {
    check.fault("tables", `${expected}, found ${found(value)}`);
    return [];
  }
  return Object.entries(value).flatMap(([table, columns]) => {
    if (Array.isArray(columns) && columns.every((column) => typeof column === "string")) return columns;
    check.fault("tables", `${expected}, found ${found(columns)} for "${table}"`);
    return [];
  });
}

function checkFile({ region, path }: QueryFile, content: string): TacoRow | SourceError {
  const parsed = parse(path, content);
  if (parsed instanceof SourceError) return parsed;
  const { value } = parsed;
  if (!isObject(value)) return new SourceError({ file: path }, `expected an object, found ${found(value)}`);
  const check = new RowCheck({ file: path });
  const database = check.name(value, "database");
  const sql = check.text(value, "sql");
  const columns = listedColumns(value.tables, check);
  const error = check.error();
  if (error !== undefined) return error;
  if (database === undefined || sql === undefined) {
    throw new Error("a file without a fault must have all its fields");
  }
  return { region, database, sql, columns, row_sha256: rowSha256(value) };
}
