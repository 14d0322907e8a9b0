import type { ModelClient } from "../../model/index.js";
import { REFUSAL } from "../../oracle/index.js";
import type { OracleSql } from "../../record/views.js";
import { askJson } from "./ask-json.js";
import { RESPONDER_REPLY, RESPONDER_TEMPLATE, responderMessages } from "./prompts/responder.js";
import type { ModelResponder } from "./types.js";

interface Reply {
  readonly output: string;
}

const isReply = (
  value: Readonly<Record<string, unknown>>,
): value is Readonly<Record<string, unknown>> & Reply => typeof value.output === "string";

/**
 * The responder of the model oracles (spec 3; paper B.2 and appendix G): a model words the answer to the chosen action.
 * What it says is passed on as it is; that it may say too much is what the leakage diagnostics measure. The standard
 * refusal stands where its reply cannot be read.
 */
export function modelResponder(client: ModelClient, sql: OracleSql): ModelResponder {
  return {
    reads: "annotations",
    name: `model, SQL ${sql}`,
    sql,
    async respond(question, routed, view, call) {
      const prompt = {
        template: RESPONDER_TEMPLATE,
        messages: responderMessages(view, question, routed),
        shape: isReply,
        read: ({ output }: Reply) =>
          output.trim() === "" ? { complaint: "its output is empty" } : { value: output.trim() },
        wanted: RESPONDER_REPLY,
      };
      const answer = await askJson(client, prompt, call);
      if ("failed" in answer) return answer;
      if ("unread" in answer) return { text: REFUSAL, fallback: true, calls: answer.calls };
      return { text: answer.value, calls: answer.calls };
    },
  };
}
