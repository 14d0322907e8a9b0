/**
 * The askers on models (spec 4 and 6; paper Table 9): direct, checklist-chat, checklist-ledger. A reply that cannot be
 * read is asked for once more with what is wrong with it; after that the asking ends as a fallback stop.
 */
import type { ModelAnswer } from "../../model/types.js";
import {
  ASKING_STYLES,
  type AskingStyle,
  askerMessages,
  askerRetry,
  askerTemplate,
} from "../prompts/asker.js";
import { type Read, readDecision } from "../prompts/reply.js";
import type { AgentAsker, Decision } from "./types.js";

/** What the unread reply is logged as at most: a model that never stops writes long ones. */
const LONGEST_LOGGED = 2000;

/** A reply's text, where the answer has one; what ends an episode never gets here. */
function textOf(answer: ModelAnswer): string {
  if (answer.outcome === "answered" || answer.outcome === "truncated") return answer.text;
  throw new Error(`an episode's client gave the outcome ${answer.outcome} to an asker`);
}

/** A reply that was cut off at the length limit is never read: half an object is none. */
function readAnswer(answer: ModelAnswer): Read<Decision> {
  if (answer.outcome === "truncated") return { problem: "it was cut off at the length limit" };
  return readDecision(textOf(answer));
}

function modelAsker(style: AskingStyle): AgentAsker {
  const template = askerTemplate(style);
  return {
    reads: "agent",
    name: style,
    prompted: true,
    decidesLast: true,
    async decide(view, dialogue, budget, { model, schemaTokens }) {
      const messages = askerMessages(style, view, dialogue, budget, schemaTokens);
      const first = await model.ask({ role: "asker", template, messages });
      const read = readAnswer(first);
      if ("value" in read) return read.value;
      const before = first.outcome === "truncated" ? undefined : textOf(first);
      const retry = askerRetry(messages, before, read.problem);
      const second = await model.ask({ role: "asker", template, messages: retry });
      const again = readAnswer(second);
      if ("value" in again) return again.value;
      const reply = textOf(second);
      return { kind: "fallback_stop", reply: reply.slice(0, LONGEST_LOGGED) };
    },
  };
}

/** Every model asker, in the order of spec 12. */
export const MODEL_ASKERS: readonly AgentAsker[] = ASKING_STYLES.map(modelAsker);
