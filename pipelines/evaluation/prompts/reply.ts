/** Reading what asker and solver models reply (spec 4, step 3 and 4): a decision or a SQL, or why it is neither. */
import type { Decision } from "../askers/types.js";

/** A reply's meaning, or one sentence on what is wrong with it, for the retry and the log. */
export type Read<T> = { readonly value: T } | { readonly problem: string };

function objectIn(text: string): Read<Record<string, unknown>> {
  try {
    return { value: JSON.parse(text) as Record<string, unknown> };
  } catch {
    return { problem: "it holds no JSON object" };
  }
}

const quoted = (value: unknown): string => JSON.stringify(value) ?? "nothing";

/** `{"type":"clarification","output":"…"}` or `{"type":"done","output":null}`. */
export function readDecision(text: string): Read<Decision> {
  const object = objectIn(text);
  if ("problem" in object) return object;
  const { type, output } = object.value;
  if (type === "done") return { value: { kind: "stop" } };
  if (type !== "clarification") {
    return { problem: `"type" must be "clarification" or "done", not ${quoted(type)}` };
  }
  if (typeof output !== "string" || output.trim() === "") {
    return { problem: `"output" must hold the question, not ${quoted(output)}` };
  }
  return { value: { kind: "question", text: output.trim() } };
}

/** `{"reasoning":"…","type":"final_sql","output":"…"}`, or SQL in another dress. */
export function readSql(text: string): Read<string> {
  const object = objectIn(text);
  if ("problem" in object) return object;
  const { output } = object.value;
  return typeof output === "string" ? { value: output } : { problem: "no SQL" };
}
