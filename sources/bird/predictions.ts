import { readFile } from "node:fs/promises";
import { basename } from "node:path";
import { SourceError, UserError } from "../../pipelines/errors.js";
import { found, isObject } from "../row-check.js";
import type { BirdSplit } from "./question-files.js";

/** What a model answered to one question: SQL, or nothing. */
export interface Prediction {
  sql: string | null;
  /** The database that the file names beside the answer; null where it names none. */
  db_id: string | null;
}

/** A file of predictions. */
export interface Predictions {
  /** File name without folders. */
  name: string;
  /** By `<split>/<question id>`. */
  answers: ReadonlyMap<string, Prediction>;
}

/** What BIRD's own evaluator splits an answer at. */
const SEPARATOR = "\t----- bird -----\t";

const keyOf = (split: BirdSplit, id: number): string => `${split}/${id}`;

/** What a file says to a question; undefined where it has no entry for it. */
export function predictionFor(
  { answers }: Predictions,
  { split, question_id }: { split: BirdSplit; question_id: number },
): Prediction | undefined {
  return answers.get(keyOf(split, question_id));
}

/** BIRD's ids are bare and mean its dev questions; ours may also say the split: `train/17`. */
function readId(name: string, id: string): string {
  const parts = /^(?:(train|dev)\/)?(\d+)$/.exec(id);
  if (parts === null) {
    throw new SourceError({ file: name, field: id }, `expected a question id such as 17, dev/17 or train/17`);
  }
  return keyOf((parts[1] ?? "dev") as BirdSplit, Number(parts[2]));
}

function readAnswer(name: string, id: string, value: unknown): Prediction {
  // The number 0 stands for a call that gave nothing.
  if (value === 0 || value === null) return { sql: null, db_id: null };
  if (typeof value !== "string") {
    throw new SourceError({ file: name, field: id }, `expected SQL or 0, found ${found(value)}`);
  }
  const cut = value.lastIndexOf(SEPARATOR);
  const sql = (cut === -1 ? value : value.slice(0, cut)).trim();
  return {
    sql: sql === "" ? null : sql,
    db_id: cut === -1 ? null : value.slice(cut + SEPARATOR.length).trim(),
  };
}

/** A line `{"question_id": 17, "split": "dev", "db_id": "…", "sql": "…"}`; split and db_id may be left out. */
function readLine(name: string, line: number, value: unknown): [string, Prediction] {
  if (!isObject(value))
    throw new SourceError({ file: name, line }, `expected an object, found ${found(value)}`);
  const { question_id, split = "dev", db_id = null } = value;
  const id = typeof question_id === "number" ? `${split}/${question_id}` : String(question_id);
  const { sql } = readAnswer(name, id, value.sql ?? value.SQL ?? null);
  return [readId(name, id), { sql, db_id: db_id === null ? null : String(db_id) }];
}

function parseLines(name: string, text: string): [string, Prediction][] {
  return text.split("\n").flatMap((line, at): [string, Prediction][] => {
    if (line.trim() === "") return [];
    try {
      return [readLine(name, at + 1, JSON.parse(line))];
    } catch (cause) {
      if (!(cause instanceof SyntaxError)) throw cause;
      throw new SourceError({ file: name, line: at + 1 }, `expected JSON: ${cause.message}`, { cause });
    }
  });
}

function parseWhole(name: string, text: string): [string, Prediction][] {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (cause) {
    if (!(cause instanceof SyntaxError)) throw cause;
    throw new SourceError({ file: name }, `expected BIRD's predictions in JSON: ${cause.message}`, { cause });
  }
  if (!isObject(value)) {
    throw new SourceError({ file: name }, `expected an object {id: SQL}, found ${found(value)}`);
  }
  return Object.entries(value).map(([id, answer]) => [readId(name, id), readAnswer(name, id, answer)]);
}

/**
 * Reads predictions in BIRD's format (`{"<id>": "<sql>\t----- bird -----\t<db_id>"}`, where the number 0 means that the
 * model gave no answer), or one JSON object a line where the file's name ends in `.jsonl`.
 *
 * @throws UserError when the file cannot be read; SourceError for what is not in the format, ids that come twice included
 */
export async function readPredictions(path: string): Promise<Predictions> {
  const name = basename(path);
  const text = await readFile(path, "utf8").catch((cause: NodeJS.ErrnoException) => {
    throw new UserError(`the predictions ${path} cannot be read: ${cause.message}`, {
      remedy: "give --probe replay=WITHOUT.json,WITH.json two files in BIRD's prediction format",
      cause,
    });
  });
  const content = text.replace(/^\ufeff/, "");
  const entries = /\.jsonl$/i.test(name) ? parseLines(name, content) : parseWhole(name, content);
  const answers = new Map<string, Prediction>();
  for (const [key, prediction] of entries) {
    if (answers.has(key)) {
      throw new SourceError({ file: name, field: key }, "expected each question once, found it twice");
    }
    answers.set(key, prediction);
  }
  return { name, answers };
}
