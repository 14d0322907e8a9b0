/** A model that answers AmbiTab-Bird's prompts on BIRD's own rows: it keeps the question and knows the reference. */
import type { ModelAnswer, ModelClient, ModelRequest } from "../../../pipelines/model/index.js";
import { sha256 } from "../../../pipelines/record/ids.js";
import type { RealRow } from "./readings/real-rows.js";

const answered = (request: ModelRequest, text: string): ModelAnswer => ({
  outcome: "answered",
  key: sha256(JSON.stringify(request)),
  text,
  model: "made-up",
  usage: { prompt_tokens: 0, completion_tokens: 0 },
  stored: false,
});

/** Each point of the rewriter's prompt is meant as it says, under the question's own words or its last ones. */
function writing(prompt: string): object {
  const question = /Question:\n(.*)/.exec(prompt)?.[1] ?? "";
  const points = [...prompt.matchAll(/^\d+\. meant: (.*)\n.*\n?(?: {3}words of the question: "(.*)")?/gm)];
  const ambiguities = points.map(([, meant, words], at) => ({
    term:
      words ??
      question
        .replace(/[?.]+$/, "")
        .split(" ")
        .slice(-2 - at)
        .slice(0, 2)
        .join(" "),
    aliases: [],
    resolution: `What is meant is ${meant}.`,
    response: `I mean ${meant}.`,
    concepts: [],
  }));
  return { request: question, ambiguities };
}

/** Answers as a good rewriter, a probe that needs the clarification, and a judge that would always ask. */
export function madeUpModel(rows: readonly RealRow[]): ModelClient {
  const references = new Map(rows.map(({ question, SQL }) => [question.trim(), SQL]));
  return {
    ask(request) {
      const prompt = request.messages.at(-1)?.content ?? "";
      const [, asked = ""] = /Request:\n(.*)/.exec(prompt) ?? [];
      const sql = prompt.includes("The person has said since") ? references.get(asked) : "SELECT 'no idea'";
      const terms = [...prompt.matchAll(/^\d+\. "/gm)].map((_, at) => ({ item: at + 1, why: "", ask: true }));
      const replies: Partial<Record<ModelRequest["role"], object>> = {
        rewriter: writing(prompt),
        probe: { type: "final_sql", output: sql ?? "" },
        judge: { items: terms },
      };
      return Promise.resolve(answered(request, JSON.stringify(replies[request.role] ?? {})));
    },
  };
}
