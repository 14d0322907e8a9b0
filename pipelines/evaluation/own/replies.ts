/**
 * What parts of a user's own reply, in JSON or as objects of a module: read once, for both. Each reader gives the meaning
 * or one sentence on what is wrong, so that the conformance check and a run say the same.
 *
 * | call | reply |
 * | --- | --- |
 * | decide | `{"type":"clarification","output":"<question>"}` or `{"type":"done","output":null}` |
 * | solve | `{"type":"final_sql","output":"<SQL>"}`, with `null` for no answer |
 * | match | `{"credits":["<ambiguity_id>"],"why":"<reason>"}` |
 * | respond | `{"output":"<answer>"}` |
 *
 * A module may also give what the library's own interfaces give: `{kind:"question",text}`, `{outcome:"sql",sql}`, a string.
 */
import type { Dataset } from "../../../schemas/types/record.js";
import type { MatchResult } from "../../oracle/index.js";
import type { OracleView } from "../../record/views.js";
import type { Decision } from "../askers/types.js";
import type { Read } from "../prompts/reply.js";
import type { Answer } from "../solvers/types.js";

type Fields = Readonly<Record<string, unknown>>;

const shown = (value: unknown): string => (JSON.stringify(value) ?? "nothing").slice(0, 200);

const isObject = (value: unknown): value is Fields =>
  value !== null && typeof value === "object" && !Array.isArray(value);

const isText = (value: unknown): value is string => typeof value === "string" && value.trim() !== "";

export function readDecisionReply(reply: unknown): Read<Decision> {
  if (!isObject(reply)) return { problem: `a decision must be an object, not ${shown(reply)}` };
  const { type = reply.kind, output = reply.text } = reply;
  if (type === "done" || type === "stop") return { value: { kind: "stop" } };
  if (type !== "clarification" && type !== "question") {
    return { problem: `"type" must be "clarification" or "done", not ${shown(type)}` };
  }
  if (!isText(output)) return { problem: `"output" must hold the question, not ${shown(output)}` };
  return { value: { kind: "question", text: output.trim() } };
}

const ENDS: ReadonlySet<unknown> = new Set(["no_answer", "truncated", "model_error", "context_overflow"]);

export function readSolverReply(reply: unknown): Read<Answer> {
  if (!isObject(reply)) return { problem: `an answer must be an object, not ${shown(reply)}` };
  const { type = reply.outcome, output = reply.sql, detail } = reply;
  if (ENDS.has(type)) {
    const outcome = type as Exclude<Answer["outcome"], "sql">;
    return { value: { outcome, detail: isText(detail) ? detail : "the solver says so" } };
  }
  if (type !== "final_sql" && type !== "sql") {
    return { problem: `"type" must be "final_sql", not ${shown(type)}` };
  }
  if (output === null) return { value: { outcome: "no_answer", detail: "the solver gives no SQL" } };
  if (typeof output !== "string") return { problem: `"output" must hold the SQL, not ${shown(output)}` };
  return { value: { outcome: "sql", sql: output } };
}

/** An own matcher credits ids; where it names no routing action, the first credit's term is it. */
export function readMatchReply(
  reply: unknown,
  { ambiguities }: { readonly dataset?: Dataset } & Pick<OracleView, "ambiguities">,
): Read<MatchResult> {
  if (!isObject(reply)) return { problem: `a match must be an object, not ${shown(reply)}` };
  const { credits, why = "" } = reply;
  if (!Array.isArray(credits)) return { problem: `"credits" must be a list of ids, not ${shown(credits)}` };
  if (typeof why !== "string") return { problem: `"why" must be text, not ${shown(why)}` };
  const ids = [...new Set(credits)] as string[];
  const unknown = ids.find((id) => !ambiguities.some(({ ambiguity_id }) => ambiguity_id === id));
  if (unknown !== undefined)
    return { problem: `"credits" names ${shown(unknown)}, which is no ambiguity of the view` };
  const first = ambiguities.find(({ ambiguity_id }) => ambiguity_id === ids[0]);
  const action =
    first === undefined
      ? ({ kind: "unanswerable" } as const)
      : ({ kind: "labeled", term: first.term } as const);
  return { value: { credits: ids, action, why } };
}

export function readResponseReply(reply: unknown): Read<string> {
  const output = isObject(reply) ? reply.output : reply;
  return isText(output)
    ? { value: output }
    : { problem: `"output" must hold the answer, not ${shown(output)}` };
}
