/**
 * What every record promises about its deterministic oracle (spec 3, "Guarantees tested on every record"). A record that
 * breaks a promise is a construction fault: its dataset repairs it or drops it with a reason.
 */
import { adversarialQuestion, canonicalQuestion, GENERIC_QUESTIONS, REFUSAL } from "./canonical.js";
import { normalKey } from "./normalise.js";
import type { IntentView, Matcher, Responder, Turn } from "./types.js";

export type GuaranteeCode =
  /** Two ambiguities have a term or alias in common. */
  | "shared_phrase"
  /** A canonical question (alone or with the adversarial suffix) earned no credit, or not exactly its own. */
  | "canonical_uncredited"
  | "canonical_misrouted"
  /** It was credited rightly but not answered with the ambiguity's frozen response. */
  | "response_not_verbatim"
  /** A generic question earned credit, or was answered with more than the refusal. */
  | "generic_credited"
  | "generic_answered";

/** A promise that does not hold; `question` is what was asked (for `shared_phrase`: the phrase). */
export interface BrokenGuarantee {
  readonly code: GuaranteeCode;
  readonly question: string;
  readonly detail: string;
}

function sharedPhrases(view: IntentView): BrokenGuarantee[] {
  const owners = new Map<string, Set<string>>();
  for (const { ambiguity_id, term, aliases } of view.ambiguities) {
    for (const key of [term, ...aliases].map(normalKey)) {
      if (key !== "") owners.set(key, (owners.get(key) ?? new Set()).add(ambiguity_id));
    }
  }
  return [...owners]
    .filter(([, ids]) => ids.size > 1)
    .map(([key, ids]) => ({
      code: "shared_phrase",
      question: key,
      detail: `shared by ${[...ids].join(", ")}`,
    }));
}

/**
 * Asks what the full, full-adversarial and none-adversarial askers ask, each in an episode of its own, and lists the
 * promises that do not hold. An empty list means: recall = precision = 1 for the first two, recall = 0 for the third.
 */
export async function checkGuarantees<View extends IntentView>(
  view: View,
  matcher: Matcher<View>,
  responder: Responder<View>,
): Promise<readonly BrokenGuarantee[]> {
  const broken = sharedPhrases(view);
  for (const wording of [canonicalQuestion, adversarialQuestion]) {
    const history: Turn[] = [];
    for (const { ambiguity_id, term, response: frozen } of view.ambiguities) {
      const question = wording(term);
      const { credits } = await matcher.match(question, history, view);
      const response = await responder.respond(question, credits, history, view);
      if (credits.length === 0) {
        broken.push({ code: "canonical_uncredited", question, detail: `should credit ${ambiguity_id}` });
      } else if (credits.length > 1 || credits[0] !== ambiguity_id) {
        const detail = `credits ${credits.join(", ")}, should credit ${ambiguity_id}`;
        broken.push({ code: "canonical_misrouted", question, detail });
      } else if (response !== frozen) {
        broken.push({ code: "response_not_verbatim", question, detail: `response of ${ambiguity_id}` });
      }
      history.push({ question, response, credits });
    }
  }
  const history: Turn[] = [];
  for (let turn = 0; turn < view.ambiguities.length + 2; turn += 1) {
    const question = GENERIC_QUESTIONS[turn % 2 === 0 ? 0 : 1];
    const { credits } = await matcher.match(question, history, view);
    const response = await responder.respond(question, credits, history, view);
    if (credits.length > 0) broken.push({ code: "generic_credited", question, detail: credits.join(", ") });
    if (response !== REFUSAL) broken.push({ code: "generic_answered", question, detail: response });
    history.push({ question, response, credits });
  }
  return broken;
}
