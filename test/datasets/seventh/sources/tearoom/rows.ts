import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { SourceError } from "../../../../../pipelines/errors.js";
import { readJsonLines } from "../../../../../sources/json-lines.js";
import { found, RowCheck } from "../../../../../sources/row-check.js";
import { rowSha256 } from "../../../../../sources/row-hash.js";

export const QUESTIONS = "questions.jsonl";
export const SCRIPT = "tearoom.sql";

/** A question whose `term` may be either of two columns of the table. */
export interface TearoomRow {
  question: string;
  term: string;
  table: string;
  columns: [string, string];
}

export type TearoomItem =
  | { kind: "row"; row: number; row_sha256: string; value: TearoomRow }
  | { kind: "error"; row: number; error: SourceError };

/** A typed row, or what is wrong with it, for each line of the file. The file is read whole: it has six lines. */
export function readTearoom(root: string): TearoomItem[] {
  return readJsonLines(readFileSync(join(root, QUESTIONS), "utf8"), QUESTIONS).map((item): TearoomItem => {
    const { row, line } = item;
    if (item.kind === "error") return { kind: "error", row, error: item.error };
    const check = new RowCheck({ file: QUESTIONS, row, line });
    const [question, term, table] = ["question", "term", "table"].map((field) =>
      check.text(item.value, field),
    );
    const { columns } = item.value;
    const [first, second] = Array.isArray(columns) && columns.length === 2 ? (columns as unknown[]) : [];
    if (typeof first !== "string" || typeof second !== "string")
      check.fault("columns", `expected two column names, found ${found(columns)}`);
    const error = check.error();
    if (error !== undefined) return { kind: "error", row, error };
    const value: TearoomRow = {
      question: question ?? "",
      term: term ?? "",
      table: table ?? "",
      columns: [String(first), String(second)],
    };
    return { kind: "row", row, row_sha256: rowSha256(item.value), value };
  });
}
