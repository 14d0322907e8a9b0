import type { ModelClient } from "../../model/index.js";
import { FALLBACK_RATIONALE, labelledAmbiguity, type RoutingAction } from "../../oracle/index.js";
import type { MatcherView } from "../../record/views.js";
import { readAction } from "./action.js";
import { askJson } from "./ask-json.js";
import { MATCHER_REPLY, MATCHER_TEMPLATE, matcherMessages } from "./prompts/matcher.js";
import type { ModelMatcher } from "./types.js";

interface Reply {
  readonly action: string;
  readonly cot?: unknown;
}

const isReply = (
  value: Readonly<Record<string, unknown>>,
): value is Readonly<Record<string, unknown>> & Reply => typeof value.action === "string";

interface Chosen {
  readonly action: RoutingAction;
  readonly why: string;
}

function readReply({ action, cot }: Reply): { value: Chosen } | { complaint: string } {
  const read = readAction(action);
  if (read === undefined) {
    const shown = JSON.stringify(action.slice(0, 80));
    return { complaint: `${shown} is none of labeled("<term>"), unlabeled("<SQL clause>"), unanswerable()` };
  }
  return { value: { action: read, why: typeof cot === "string" ? cot.trim() : "" } };
}

/** The ambiguity that an action labels; a term that is not registered credits nothing. */
function creditsOf(action: RoutingAction, { ambiguities }: MatcherView): string[] {
  const place = action.kind === "labeled" ? labelledAmbiguity(action.term, ambiguities) : undefined;
  const labelled = place === undefined ? undefined : ambiguities[place];
  return labelled === undefined ? [] : [labelled.ambiguity_id];
}

/**
 * The matcher of the model oracles (spec 3; paper B.2 and appendix G): a model chooses one action for the question. It
 * reads the current question and its view of the task, and nothing of the dialogue. The action is recorded as the model
 * gave it, also where its term is not registered, for the offline scorer to judge.
 */
export function modelMatcher(client: ModelClient): ModelMatcher {
  return {
    reads: "routing",
    name: "model",
    async match(question, view, call) {
      const prompt = {
        template: MATCHER_TEMPLATE,
        messages: matcherMessages(view, question),
        shape: isReply,
        read: readReply,
        wanted: MATCHER_REPLY,
      };
      const answer = await askJson(client, prompt, call);
      if ("failed" in answer) return answer;
      const { calls } = answer;
      if ("unread" in answer)
        return {
          credits: [],
          action: { kind: "unanswerable" },
          why: FALLBACK_RATIONALE,
          fallback: true,
          calls,
        };
      const { action, why } = answer.value;
      return { credits: creditsOf(action, view), action, why, calls };
    },
  };
}
