/** Reading what asker and solver models reply (spec 4, steps 3 and 4): a decision or a SQL, or why it is neither. */
import { parseJsonReply, parseSqlReply, type Shape } from "../../model/parse.js";
import type { Decision } from "../askers/types.js";
import type { Answer } from "../solvers/types.js";

/** A reply's meaning, or one sentence on what is wrong with it, for the retry and the log. */
export type Read<T> = { readonly value: T } | { readonly problem: string };

type DecisionReply = { type: "clarification"; output: string } | { type: "done" };

const isDecision: Shape<DecisionReply> = (value): value is typeof value & DecisionReply =>
  value.type === "done" ||
  (value.type === "clarification" && typeof value.output === "string" && value.output.trim() !== "");

/** `{"type":"clarification","output":"…"}` or `{"type":"done","output":null}`. */
export function readDecision(text: string): Read<Decision> {
  const reply = parseJsonReply(text, isDecision);
  if (reply.outcome !== "parsed") return { problem: reply.reason };
  const { value } = reply;
  return {
    value: value.type === "done" ? { kind: "stop" } : { kind: "question", text: value.output.trim() },
  };
}

/** `{"reasoning":"…","type":"final_sql","output":"…"}`, or SQL in another dress; what is no SQL has its outcome. */
export function readSql(text: string): Answer {
  const reply = parseSqlReply(text);
  if (reply.outcome === "parsed") return { outcome: "sql", sql: reply.sql };
  return { outcome: reply.outcome === "truncated" ? "truncated" : "no_answer", detail: reply.reason };
}
