import { existsSync } from "node:fs";
import { join } from "node:path";
import { SourceError } from "../../pipelines/errors.js";
import { digestFile } from "../fetch/hash.js";
import { readJsonArray } from "../json-array.js";
import { found, isObject, RowCheck } from "../row-check.js";
import { rowSha256 } from "../row-hash.js";
import type { IndexRule } from "./spider-index.js";
import { spiderIndexRule } from "./spider-index.js";

/** A row of AmbiQT's column-synonym file, as upstream wrote it; only the fields that the conversion needs. */
export interface AmbiqtRow {
  /** Position in the file, from 0. */
  row: number;
  /** Of the whole upstream row's canonical JSON (RFC 8785), hex. */
  row_sha256: string;
  /** Position of the question in Spider's dev.json, from 0 (see `spiderIndexRule` for rows that do not say it). */
  orig_example_idx: number;
  db_id: string;
  question: string;
  orig_query: string;
  query1: string;
  query2: string;
  /** Table → column → the names that may stand for the column; two in every good row, not checked here. */
  extra_map: Record<string, Record<string, string[]>>;
}

/** A good row, or what is wrong with a bad one; both know where they stand (`row` from 0, `line` from 1). */
export type AmbiqtItem =
  | { kind: "row"; row: number; line: number; value: AmbiqtRow }
  | { kind: "error"; row: number; line: number; error: SourceError };

export interface AmbiqtFile {
  /** Relative to the source's folder, forward slashes. */
  file: string;
  bytes: number;
  sha256: string;
  /** Reads the file from the start, each time it is called. Throws a SourceError where the file is not a JSON array. */
  rows(): AsyncGenerator<AmbiqtItem, void, undefined>;
}

/** Where the rows may be, best first: upstream's own file before one made again by its published procedure. */
export const AMBIQT_ROW_FILES = [
  "benchmark/col-synonyms/validation.json",
  "benchmark/col-synonyms/validation.regenerated.json",
] as const;

/**
 * The column-synonym rows of an AmbiQT folder (spec 2, "ambiqt"). Bad rows do not stop the reading: they come out as
 * errors. Rows that are whole but that the conversion drops (several columns, one alternative) are good rows here.
 *
 * @throws SourceError when neither file is there.
 */
export async function readAmbiqt(root: string): Promise<AmbiqtFile> {
  const file = AMBIQT_ROW_FILES.find((candidate) => existsSync(join(root, candidate)));
  if (file === undefined) {
    throw new SourceError(
      { file: AMBIQT_ROW_FILES[0] },
      `expected the rows here or in ${AMBIQT_ROW_FILES[1]}`,
    );
  }
  const digest = await digestFile(join(root, file));
  return { file, ...digest, rows: () => readRows(root, file) };
}

async function* readRows(root: string, file: string): AsyncGenerator<AmbiqtItem, void, undefined> {
  const index = await spiderIndexRule(root);
  const seen = new Map<string, number>();
  for await (const { row, line, value } of readJsonArray(join(root, file), { name: file })) {
    const outcome = checkRow(file, row, line, value, index);
    if (outcome instanceof SourceError) {
      yield { kind: "error", row, line, error: outcome };
      continue;
    }
    const earlier = claim(seen, outcome);
    if (earlier === undefined) {
      yield { kind: "row", row, line, value: outcome };
    } else {
      const error = new SourceError(
        { file, line, row, field: "extra_map" },
        `expected each column of question ${outcome.orig_example_idx} once, found ${earlier.column} here and in row ${earlier.row}`,
      );
      yield { kind: "error", row, line, error };
    }
  }
}

/** Notes the ids of a row (question, table, column); gives the earlier row when one of them is taken. */
function claim(seen: Map<string, number>, row: AmbiqtRow): { column: string; row: number } | undefined {
  const ids = Object.entries(row.extra_map).flatMap(([table, columns]) =>
    Object.keys(columns).map((column) => ({
      column: `${table}.${column}`,
      id: JSON.stringify([table, column]),
    })),
  );
  for (const { column, id } of ids) {
    const earlier = seen.get(`${row.orig_example_idx} ${id}`);
    if (earlier !== undefined) return { column, row: earlier };
  }
  for (const { id } of ids) seen.set(`${row.orig_example_idx} ${id}`, row.row);
  return undefined;
}

function checkRow(
  file: string,
  row: number,
  line: number,
  value: unknown,
  index: IndexRule,
): AmbiqtRow | SourceError {
  const place = { file, line, row };
  if (!isObject(value)) return new SourceError(place, `expected an object, found ${found(value)}`);
  const check = new RowCheck(place);
  const db_id = check.name(value, "db_id");
  const question = check.text(value, "question");
  const orig_query = check.text(value, "orig_query");
  const query1 = check.text(value, "query1");
  const query2 = check.text(value, "query2");
  const extra_map = checkExtraMap(value.extra_map, check);
  let orig_example_idx: number | undefined;
  const stated = value.orig_example_idx;
  if (stated === undefined) {
    // Without a database and a question there is nothing to look it up by, and the row is bad already.
    if (db_id !== undefined && question !== undefined) {
      const looked = index({ db_id, question, row });
      if (typeof looked === "number") orig_example_idx = looked;
      else check.fault("orig_example_idx", looked);
    }
  } else if (typeof stated === "number" && Number.isSafeInteger(stated) && stated >= 0) {
    orig_example_idx = stated;
  } else {
    check.fault("orig_example_idx", `expected a whole number from 0, found ${found(stated)}`);
  }
  const error = check.error();
  if (error !== undefined) return error;
  if (
    db_id === undefined ||
    question === undefined ||
    orig_query === undefined ||
    query1 === undefined ||
    query2 === undefined ||
    extra_map === undefined ||
    orig_example_idx === undefined
  ) {
    throw new Error("a row without a fault must have all its fields");
  }
  const row_sha256 = rowSha256(value);
  return { row, row_sha256, orig_example_idx, db_id, question, orig_query, query1, query2, extra_map };
}

function checkExtraMap(value: unknown, check: RowCheck): AmbiqtRow["extra_map"] | undefined {
  const expected = "expected {table: {column: [names]}}";
  if (!isObject(value)) return check.fault("extra_map", `${expected}, found ${found(value)}`);
  const map: [string, Record<string, string[]>][] = [];
  for (const [table, columns] of Object.entries(value)) {
    if (!isObject(columns))
      return check.fault("extra_map", `${expected}, found ${found(columns)} for "${table}"`);
    const names: [string, string[]][] = [];
    for (const [column, alternatives] of Object.entries(columns)) {
      const where = `"${table}"."${column}"`;
      if (!Array.isArray(alternatives)) {
        return check.fault("extra_map", `${expected}, found ${found(alternatives)} for ${where}`);
      }
      const texts = alternatives.filter((one) => typeof one === "string" && one.trim() !== "");
      if (texts.length !== alternatives.length) {
        const bad = alternatives.find((one) => typeof one !== "string" || one.trim() === "");
        return check.fault("extra_map", `${expected}, found ${found(bad)} among the names of ${where}`);
      }
      names.push([column, texts]);
    }
    map.push([table, Object.fromEntries(names)]);
  }
  return Object.fromEntries(map);
}
