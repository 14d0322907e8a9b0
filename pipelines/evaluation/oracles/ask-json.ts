/** One call of an oracle's model with a strict JSON reply (spec 3): repaired, then asked once more, then given up. */
import type { ModelClient, ModelMessage } from "../../model/index.js";
import { parseJsonReply, type Shape } from "../../model/parse.js";
import type { OracleCall, OracleFailure } from "./types.js";

/** A prompt, and how its reply is read: `read` says why a well-formed object is no answer. */
export interface JsonQuestion<T, R> {
  readonly template: string;
  readonly messages: readonly ModelMessage[];
  readonly shape: Shape<T>;
  readonly read: (value: T) => { readonly value: R } | { readonly complaint: string };
  /** The JSON asked for, in words, for the second try. */
  readonly wanted: string;
}

export type JsonAnswer<R> =
  | { readonly value: R; readonly calls: readonly string[] }
  | { readonly unread: string; readonly calls: readonly string[] }
  | OracleFailure;

/** How much of a bad reply is shown to the model again: enough to see its form. */
const SHOWN_AGAIN = 2000;

function again(question: { messages: readonly ModelMessage[]; wanted: string }, reply: string, why: string) {
  const complaint = `Your reply could not be read: ${why}. Reply again with one JSON object and nothing else: ${question.wanted}`;
  const shown = reply.trim().slice(0, SHOWN_AGAIN) || "(nothing)";
  return [
    ...question.messages,
    { role: "assistant" as const, content: shown },
    { role: "user" as const, content: complaint },
  ];
}

/**
 * Asks, and once more with what was wrong with the reply (cut off at the length limit, no JSON, not the object that was
 * asked for). `unread` is the second complaint. A prompt that does not fit, and a server that fails for good, are not the
 * reply's fault and end it at once.
 *
 * @throws ModelError where no retry can help (a refused key, an unknown model)
 */
export async function askJson<T, R>(
  client: ModelClient,
  question: JsonQuestion<T, R>,
  { sample, signal }: OracleCall,
): Promise<JsonAnswer<R>> {
  const calls: string[] = [];
  let { messages } = question;
  let unread = "";
  for (let attempt = 1; attempt <= 2; attempt += 1) {
    const answer = await client.ask(
      { role: "oracle", template: question.template, messages, sample },
      signal,
    );
    calls.push(answer.key);
    if (!("text" in answer)) return { failed: answer.outcome, detail: answer.detail };
    if (answer.outcome === "truncated") unread = "it was cut off at the length limit; be shorter";
    else {
      const reply = parseJsonReply(answer.text, question.shape);
      if (reply.outcome !== "parsed") unread = reply.reason;
      else {
        const read = question.read(reply.value);
        if ("value" in read) return { value: read.value, calls };
        unread = read.complaint;
      }
    }
    messages = again(question, answer.text, unread);
  }
  return { unread, calls };
}
