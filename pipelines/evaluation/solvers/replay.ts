import { readFileSync } from "node:fs";
import { SourceError, UserError } from "../../errors.js";
import { sha256 } from "../../record/ids.js";
import type { Answer, RecordedSolver } from "./types.js";

/** What stands between SQL and database id in BIRD's prediction files. */
const BIRD_SEPARATOR = "\t----- bird -----\t";

const withoutDatabase = (text: string): string => text.split(BIRD_SEPARATOR)[0]!;

function fromJsonLines(text: string, file: string): Map<string, unknown> {
  const answers = new Map<string, unknown>();
  text.split("\n").forEach((line, index) => {
    if (line.trim() === "") return;
    const place = { file, line: index + 1 };
    let value: unknown;
    try {
      value = JSON.parse(line);
    } catch (cause) {
      throw new SourceError(place, "expected a JSON object a line", { cause });
    }
    if (value === null || typeof value !== "object" || Array.isArray(value)) {
      throw new SourceError(place, "expected a JSON object a line");
    }
    const { record_id, id = record_id, sql } = value as { record_id?: unknown; id?: unknown; sql?: unknown };
    if (typeof id !== "string" && typeof id !== "number") {
      throw new SourceError({ ...place, field: "record_id" }, "expected a record id");
    }
    if (answers.has(String(id)))
      throw new SourceError({ ...place, field: "record_id" }, `${id} is answered twice`);
    answers.set(String(id), sql);
  });
  return answers;
}

/** BIRD's object, or JSONL; told apart by whether the whole text is one JSON object that names no record. */
function parsePredictions(text: string, file: string): Map<string, unknown> {
  if (text.trimStart().startsWith("{")) {
    try {
      const whole = JSON.parse(text) as Record<string, unknown>;
      if (!("record_id" in whole) && !("sql" in whole)) return new Map(Object.entries(whole));
    } catch {
      // Not one object: lines, each of which is checked on its own.
    }
  }
  return fromJsonLines(text, file);
}

/**
 * Reads recorded answers: BIRD's `{"<id>": "<sql>\t----- bird -----\t<db_id>"}` or JSONL with `record_id` and `sql`.
 * An entry that is no text (BIRD's files hold the number 0 where the model gave nothing) is `no_answer`.
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
  const answers = parsePredictions(text, file);
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
