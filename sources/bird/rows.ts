import { join } from "node:path";
import { SourceError } from "../../pipelines/errors.js";
import { readJsonArray } from "../json-array.js";
import { found, isObject, RowCheck } from "../row-check.js";
import { rowSha256 } from "../row-hash.js";
import type { BirdSplit } from "./question-files.js";

/** A question of BIRD, as upstream wrote it. */
export interface BirdQuestion {
  split: BirdSplit;
  /** Upstream's id; in train.json, which has none, the position in the file. Unique in its split. */
  question_id: number;
  db_id: string;
  question: string;
  /** The hints, undivided; "" where there is none. */
  evidence: string;
  sql: string;
  /** null where the file does not say it, as train.json does not. */
  difficulty: string | null;
}

/** A good row, or what is wrong with a bad one; both know where they stand (`row` from 0, `line` from 1). */
export type BirdItem = { file: string; row: number; line: number } & (
  | { kind: "row"; row_sha256: string; value: BirdQuestion }
  | { kind: "error"; error: SourceError }
);

/**
 * The questions of one file, each time it is called from the start. Bad rows do not stop the reading: they come out as
 * errors, a question id that came before among them.
 */
export async function* readQuestions(
  root: string,
  file: string,
  split: BirdSplit,
): AsyncGenerator<BirdItem, void, undefined> {
  const seen = new Map<number, number>();
  for await (const { row, line, value } of readJsonArray(join(root, file), { name: file })) {
    const outcome = checkRow({ file, line, row }, value, split);
    if (outcome instanceof SourceError) {
      yield { file, row, line, kind: "error", error: outcome };
      continue;
    }
    const earlier = seen.get(outcome.question_id);
    if (earlier !== undefined) {
      const problem = `expected each question once, found ${outcome.question_id} here and in row ${earlier}`;
      const error = new SourceError({ file, line, row, field: "question_id" }, problem);
      yield { file, row, line, kind: "error", error };
      continue;
    }
    seen.set(outcome.question_id, row);
    yield { file, row, line, kind: "row", row_sha256: rowSha256(value), value: outcome };
  }
}

/** A text that may be left out or empty. */
function optionalText(row: Record<string, unknown>, field: string, check: RowCheck): string {
  const value = row[field];
  if (value === undefined || value === null) return "";
  if (typeof value === "string") return value;
  check.fault(field, `expected a string, found ${found(value)}`);
  return "";
}

function checkRow(
  place: { file: string; line: number; row: number },
  value: unknown,
  split: BirdSplit,
): BirdQuestion | SourceError {
  if (!isObject(value)) return new SourceError(place, `expected an object, found ${found(value)}`);
  const check = new RowCheck(place);
  const stated = value.question_id ?? place.row;
  if (typeof stated !== "number" || !Number.isSafeInteger(stated) || stated < 0) {
    check.fault("question_id", `expected a whole number from 0, found ${found(stated)}`);
  }
  const db_id = check.name(value, "db_id");
  const question = check.text(value, "question");
  const sql = check.text(value, "SQL");
  const evidence = optionalText(value, "evidence", check);
  const difficulty = optionalText(value, "difficulty", check) || null;
  const error = check.error();
  if (error !== undefined) return error;
  if (db_id === undefined || question === undefined || sql === undefined || typeof stated !== "number") {
    throw new Error("a row without a fault must have all its fields");
  }
  return { split, question_id: stated, db_id, question, evidence, sql, difficulty };
}
