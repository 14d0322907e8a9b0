import { existsSync } from "node:fs";
import { join } from "node:path";
import { SourceError, SourceErrors } from "../../pipelines/errors.js";
import { digestFile } from "../fetch/hash.js";
import { readJsonArray } from "../json-array.js";
import { found, isObject, RowCheck } from "../row-check.js";

/** A column by the names that the database itself uses. */
export interface ColumnName {
  table: string;
  column: string;
}

/** A column and how tables.json says it in words ("first name" for Fname), where it does. */
export interface SpokenColumn extends ColumnName {
  words?: string;
}

/** What tables.json declares of one database. */
export interface SpiderSchema {
  db_id: string;
  tables: string[];
  columns: SpokenColumn[];
  /** Every column of a primary key; composite keys give one entry a column. */
  primary_keys: ColumnName[];
  /** Both sides of each foreign key; of a composite key, each pair of columns. */
  foreign_keys: { from: ColumnName; to: ColumnName }[];
}

/** The schemas of tables.json by database id, and the file they were read from. */
export interface SpiderTables {
  /** Relative to the source's folder. */
  file: string;
  sha256: string;
  schemas: Map<string, SpiderSchema>;
}

const FILES = ["spider/tables.json", "tables.json"] as const;

/**
 * The schemas that Spider declares, by database id.
 *
 * @throws SourceError when the file is not there or is not a JSON array; SourceErrors naming every bad row.
 */
export async function readSpiderTables(root: string): Promise<SpiderTables> {
  const file = FILES.find((candidate) => existsSync(join(root, candidate)));
  if (file === undefined) throw new SourceError({ file: FILES[0] }, "expected Spider's schemas here");
  const schemas = new Map<string, SpiderSchema>();
  const rowOf = new Map<string, number>();
  const errors: SourceError[] = [];
  for await (const { row, line, value } of readJsonArray(join(root, file), { name: file })) {
    const schema = readSchema({ file, line, row }, value);
    if (schema instanceof SourceError) {
      errors.push(schema);
      continue;
    }
    const earlier = rowOf.get(schema.db_id);
    if (earlier === undefined) {
      rowOf.set(schema.db_id, row);
      schemas.set(schema.db_id, schema);
    } else {
      const problem = `expected each database once, found "${schema.db_id}" here and in row ${earlier}`;
      errors.push(new SourceError({ file, line, row, field: "db_id" }, problem));
    }
  }
  if (errors.length > 0) throw new SourceErrors("ambiqt", errors);
  return { file, sha256: (await digestFile(join(root, file))).sha256, schemas };
}

function readSchema(
  place: { file: string; line: number; row: number },
  value: unknown,
): SpiderSchema | SourceError {
  if (!isObject(value)) return new SourceError(place, `expected an object, found ${found(value)}`);
  const check = new RowCheck(place);
  const db_id = check.name(value, "db_id");
  const tables = readTables(value.table_names_original, check);
  const columns = tables && readColumns(value.column_names_original, value.column_names, tables, check);
  const primary_keys: ColumnName[] = [];
  const foreign_keys: SpiderSchema["foreign_keys"] = [];
  if (columns !== undefined) {
    for (const index of flat(value.primary_keys, "primary_keys", check)) {
      const column = pick(columns, index, "primary_keys", check);
      if (column !== undefined) primary_keys.push(column);
    }
    for (const [a, b] of pairs(value.foreign_keys, check)) {
      const from = pick(columns, a, "foreign_keys", check);
      const to = pick(columns, b, "foreign_keys", check);
      if (from !== undefined && to !== undefined) foreign_keys.push({ from, to });
    }
  }
  const error = check.error();
  if (error !== undefined) return error;
  if (db_id === undefined || tables === undefined || columns === undefined) {
    throw new Error("a schema without a fault must have all its fields");
  }
  return {
    db_id,
    tables,
    columns: columns.filter((column) => column !== undefined),
    primary_keys,
    foreign_keys,
  };
}

function readTables(value: unknown, check: RowCheck): string[] | undefined {
  const field = "table_names_original";
  if (!Array.isArray(value)) return check.fault(field, `expected a list of names, found ${found(value)}`);
  const bad = value.find((name) => typeof name !== "string" || name === "");
  if (bad !== undefined) return check.fault(field, `expected a name, found ${found(bad)}`);
  return value.filter((name) => typeof name === "string");
}

/** Columns by their index in the file; the entry `[-1, "*"]`, which stands for all columns, is undefined. */
function readColumns(
  value: unknown,
  spoken: unknown,
  tables: string[],
  check: RowCheck,
): (SpokenColumn | undefined)[] | undefined {
  const field = "column_names_original";
  if (!Array.isArray(value))
    return check.fault(field, `expected a list of [table, name], found ${found(value)}`);
  const columns: (SpokenColumn | undefined)[] = [];
  for (const [index, entry] of value.entries()) {
    const [at, column]: unknown[] = Array.isArray(entry) ? entry : [];
    if (at === -1 && column === "*") {
      columns.push(undefined);
      continue;
    }
    const table = typeof at === "number" ? tables[at] : undefined;
    if (table === undefined || typeof column !== "string") {
      return check.fault(field, `expected [table, name] at ${index}, found ${JSON.stringify(entry)}`);
    }
    const words: unknown =
      Array.isArray(spoken) && Array.isArray(spoken[index]) ? spoken[index][1] : undefined;
    columns.push(typeof words === "string" && words !== "" ? { table, column, words } : { table, column });
  }
  return columns;
}

function pick(
  columns: (SpokenColumn | undefined)[],
  index: unknown,
  field: string,
  check: RowCheck,
): ColumnName | undefined {
  const column = typeof index === "number" ? columns[index] : undefined;
  return column ?? check.fault(field, `expected the index of a column, found ${found(index)}`);
}

/** Indices of a list that may hold lists (composite keys). */
function flat(value: unknown, field: string, check: RowCheck): unknown[] {
  if (Array.isArray(value)) return value.flat();
  check.fault(field, `expected a list, found ${found(value)}`);
  return [];
}

/** `[a, b]` and, for composite keys, `[[a, c], [b, d]]`, which pairs a with b and c with d. */
function pairs(value: unknown, check: RowCheck): [unknown, unknown][] {
  if (!Array.isArray(value)) {
    check.fault("foreign_keys", `expected a list, found ${found(value)}`);
    return [];
  }
  const result: [unknown, unknown][] = [];
  for (const entry of value) {
    const [left, right]: unknown[] = Array.isArray(entry) && entry.length === 2 ? entry : [];
    if (Array.isArray(left) && Array.isArray(right) && left.length === right.length) {
      for (const [at, one] of left.entries()) result.push([one, right[at]]);
    } else if (left === undefined || Array.isArray(left) || Array.isArray(right)) {
      check.fault("foreign_keys", `expected a pair of column indices, found ${JSON.stringify(entry)}`);
    } else {
      result.push([left, right]);
    }
  }
  return result;
}
