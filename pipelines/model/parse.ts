import { fences } from "./reply/fences.js";
import { looseObjects } from "./reply/loose-objects.js";
import { jsonObjects, type Objects } from "./reply/objects.js";
import { isSql, sqlInProse } from "./reply/prose-sql.js";
import { type Answer, withoutThoughts } from "./reply/thought.js";

/** Why a reply has no answer that can be used; a closed list. `reason` is for people. */
export interface Unanswered {
  /** `truncated`: it ends in the middle; `wrong_shape`: there is JSON, but not what was asked for; `no_answer`: neither. */
  readonly outcome: "truncated" | "wrong_shape" | "no_answer";
  readonly reason: string;
}
export type JsonReply<T> = { readonly outcome: "parsed"; readonly value: T } | Unanswered;
export type SqlReply =
  | { readonly outcome: "parsed"; readonly sql: string; readonly from: "json" | "fence" | "prose" }
  | Unanswered;

/** Says whether an object is what a prompt asked for. Extra fields are nobody's concern. */
export type Shape<T> = (
  value: Readonly<Record<string, unknown>>,
) => value is Readonly<Record<string, unknown>> & T;

const no = (outcome: Unanswered["outcome"], reason: string): Unanswered => ({ outcome, reason });

/** After an answer inside a thought that never ends: white space and fences only, or it was a draft. */
const NOTHING = /^[\s`]*$/;

/** The last object of the right shape that is no part of a thought. */
function chosen<T>(
  { found }: Objects,
  { text, openThought, isThought }: Answer,
  shape: Shape<T>,
): T | undefined {
  const last = found.findLast(({ start, value }) => !isThought(start) && shape(value));
  if (last === undefined) return undefined;
  const inThought = openThought !== undefined && last.start > openThought;
  return inThought && !NOTHING.test(text.slice(last.end)) ? undefined : (last.value as T);
}

/**
 * Reads the JSON object that a reply holds, whatever stands around it: thoughts, prose, fences. Of several objects of the
 * right shape the last one is the answer, because models think and show examples before they answer. Loose syntax is
 * mended where no strict JSON fits. An object that ends in the middle is `truncated`, never made whole.
 *
 * @param text a reply whose outcome is `answered`; a `truncated` one needs no parsing
 * @param shape tells the object that was asked for
 */
export function parseJsonReply<T>(text: string, shape: Shape<T>): JsonReply<T> {
  if (text.trim() === "") return no("no_answer", "the reply is empty");
  const strict = jsonObjects(text);
  const answer = withoutThoughts(text, strict.found);
  const value = chosen(strict, answer, shape);
  if (value !== undefined) return { outcome: "parsed", value };
  const loose = looseObjects(answer.text);
  const mended = chosen(loose, answer, shape);
  if (mended !== undefined) return { outcome: "parsed", value: mended };
  if (loose.unclosedAt !== undefined) return no("truncated", "the reply ends in the middle of an object");
  if (answer.openThought !== undefined) return no("no_answer", "the reply is a thought that never ends");
  const [first] = loose.found;
  if (first === undefined) return no("no_answer", "the reply holds no JSON object");
  const names = Object.keys(first.value).slice(0, 10).join(", ");
  return no("wrong_shape", `the reply's object is not of the shape asked for: it has ${names || "no field"}`);
}

const hasOutput: Shape<{ output: unknown }> = (value): value is typeof value & { output: unknown } =>
  Object.hasOwn(value, "output") && (typeof value.output === "string" || value.output === null);

const SQL_FENCE = /^(?:sql|sqlite3?|postgres|postgresql|pgsql|psql|plpgsql|mysql|duckdb)$/;

/** The last fenced block that is SQL: by its language, or, where that is left out, by its first word. */
function fencedSql(text: string, inThought = false): string | undefined {
  const sql = fences(text).filter(
    (fence) =>
      fence.text !== "" && (SQL_FENCE.test(fence.language) || (fence.language === "" && isSql(fence.text))),
  );
  const last = sql.at(-1);
  return last === undefined || (inThought && !NOTHING.test(text.slice(last.end))) ? undefined : last.text;
}

/**
 * Reads the SQL of a reply: the `output` of the JSON object that was asked for; else the last fenced block of SQL (models
 * reason first and answer last, so of two blocks the second counts); else a statement in the prose.
 *
 * @param text a reply whose outcome is `answered`; a `truncated` one needs no parsing
 */
export function parseSqlReply(text: string): SqlReply {
  const json = parseJsonReply(text, hasOutput);
  if (json.outcome === "parsed") {
    const { output } = json.value;
    if (typeof output !== "string" || output.trim() === "")
      return no("no_answer", "the reply's output is empty");
    return { outcome: "parsed", sql: fencedSql(output) ?? output.trim(), from: "json" };
  }
  const thoughtless = withoutThoughts(text);
  const answer = thoughtless.text.trim();
  const inThought = thoughtless.openThought !== undefined;
  if (json.outcome === "truncated" && /^(?:```\w*\s*)?\{/.test(answer)) return json;
  const fenced = fencedSql(answer, inThought);
  if (fenced !== undefined) return { outcome: "parsed", sql: fenced, from: "fence" };
  if (inThought) return no("no_answer", "the reply is a thought that never ends");
  const prose = sqlInProse(answer);
  if (prose !== undefined && prose !== "") return { outcome: "parsed", sql: prose, from: "prose" };
  return json.outcome === "truncated" ? json : no("no_answer", "the reply holds no SQL");
}
