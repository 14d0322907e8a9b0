import { readFileSync } from "node:fs";
import { SourceError, UserError } from "../../errors.js";
import { sha256 } from "../../record/ids.js";
import type { Answer, RecordedSolver } from "./types.js";

/** What stands between SQL and database id in BIRD's prediction files. */
const BIRD_SEPARATOR = "\t----- bird -----\t";

const withoutDatabase = (text: string): string => text.split(BIRD_SEPARATOR)[0]!;

type Fields = Record<string, unknown>;

/** The object that a text is, `undefined` for other JSON; throws a SyntaxError where it is no JSON. */
function objectIn(text: string): Fields | undefined {
  const value: unknown = JSON.parse(text);
  return value !== null && typeof value === "object" && !Array.isArray(value) ? (value as Fields) : undefined;
}

function fromJsonLines(text: string, file: string): Map<string, unknown> {
  const answers = new Map<string, unknown>();
  text.split("\n").forEach((line, index) => {
    if (line.trim() === "") return;
    const place = { file, line: index + 1 };
    let value: Fields | undefined;
    try {
      value = objectIn(line);
    } catch (cause) {
      throw new SourceError(place, "expected a JSON object a line", { cause });
    }
    if (value === undefined) throw new SourceError(place, "expected a JSON object a line");
    const { record_id, id = record_id, sql } = value;
    if (typeof id !== "string" && typeof id !== "number") {
      throw new SourceError({ ...place, field: "record_id" }, "expected a record id");
    }
    if (answers.has(String(id)))
      throw new SourceError({ ...place, field: "record_id" }, `${id} is answered twice`);
    answers.set(String(id), sql);
  });
  return answers;
}

/** The keys of a JSON object as they stand in its text, repeated ones too, which JSON.parse silently merges. */
function writtenKeys(text: string): string[] {
  const keys: string[] = [];
  let depth = 0;
  let keyNext = false;
  for (const [token] of text.matchAll(/"(?:[^"\\]|\\.)*"|[{}[\],]/gs)) {
    if (token === "{" || token === "[") keyNext = ++depth === 1;
    else if (token === "}" || token === "]") depth -= 1;
    else if (token === ",") keyNext = depth === 1;
    else if (depth === 1 && keyNext) {
      keys.push(JSON.parse(token) as string);
      keyNext = false;
    }
  }
  return keys;
}

function fromBirdObject(whole: Fields, text: string, file: string): Map<string, unknown> {
  const seen = new Set<string>();
  for (const key of writtenKeys(text)) {
    if (seen.has(key)) throw new SourceError({ file, field: key }, `${key} is answered twice`);
    seen.add(key);
  }
  return new Map(Object.entries(whole));
}

const startsWithObject = (text: string): boolean => {
  try {
    return objectIn(text.trimStart().split("\n", 1)[0]!) !== undefined;
  } catch (error) {
    if (error instanceof SyntaxError) return false;
    throw error;
  }
};

/** BIRD's object, or JSONL; told apart by whether the whole text is one JSON object that names no record. */
function parsePredictions(text: string, file: string): Map<string, unknown> {
  let whole: Fields | undefined;
  try {
    whole = objectIn(text);
  } catch (cause) {
    if (!(cause instanceof SyntaxError)) throw cause;
    if (text.trim() === "" || startsWithObject(text)) return fromJsonLines(text, file);
    const problem = `expected BIRD's object of answers, or a JSON object a line (${cause.message})`;
    throw new SourceError({ file }, problem, { cause });
  }
  if (whole === undefined)
    throw new SourceError({ file }, "expected BIRD's object of answers, or a JSON object a line");
  return "record_id" in whole || "sql" in whole
    ? fromJsonLines(text, file)
    : fromBirdObject(whole, text, file);
}

/**
 * Reads recorded answers: BIRD's `{"<id>": "<sql>\t----- bird -----\t<db_id>"}` or JSONL with `record_id` and `sql`.
 * An id that is answered twice is a SourceError in either. An entry that is no text (BIRD's files hold the number 0 where the model gave nothing) is `no_answer`.
 */
export function replaySolver(file: string): RecordedSolver & { sha256: string; answers: number } {
  let text: string;
  try {
    text = readFileSync(file, "utf8");
  } catch (cause) {
    throw new UserError(`the predictions ${file} cannot be read`, {
      remedy: "use --solver replay=FILE",
      cause,
    });
  }
  const answers = parsePredictions(text.replace(/^\uFEFF/, ""), file);
  return {
    reads: "recording",
    name: "replay",
    sha256: sha256(text),
    answers: answers.size,
    solve(recordId): Answer {
      const found = answers.get(recordId);
      if (typeof found !== "string")
        return { outcome: "no_answer", detail: `no recorded answer for ${recordId}` };
      const sql = withoutDatabase(found).trim();
      if (sql === "") return { outcome: "no_answer", detail: "the recorded answer is empty" };
      return { outcome: "sql", sql };
    },
  };
}
