/**
 * What every record promises about its deterministic oracle (spec 3, "Guarantees tested on every record"). A record that
 * breaks a promise is a construction fault: its dataset repairs it or drops it with a reason.
 */
import { adversarialQuestion, canonicalQuestion, GENERIC_QUESTIONS, REFUSAL } from "./canonical.js";
import { normalKey } from "./normalise.js";
import type { IntentView, KnowledgeView, Matcher, Responder, Turn } from "./types.js";

export type GuaranteeCode =
  /** Two ambiguities have a term or alias in common. */
  | "shared_phrase"
  /** A canonical question (alone or with the adversarial suffix) earned no credit, or not exactly its own. */
  | "canonical_uncredited"
  | "canonical_misrouted"
  /** It was credited rightly but not answered with the ambiguity's frozen answer. */
  | "response_not_verbatim"
  /** Asked again, it earned another credit or another answer than the first time. */
  | "repeat_differs"
  /** A question that names a resolved ambiguity and one that is not was credited to the resolved one, or to neither. */
  | "unresolved_not_preferred"
  /** A generic question earned credit, or was answered with more than the refusal. */
  | "generic_credited"
  | "generic_answered";

/** A promise that does not hold; `question` is what was asked (for `shared_phrase`: the phrase). */
export interface BrokenGuarantee {
  readonly code: GuaranteeCode;
  readonly question: string;
  readonly detail: string;
}

/** What differs between the deterministic oracles' promises. */
export interface OraclePromises<View extends IntentView> {
  /** The answer that the responder must give, letter for letter. */
  readonly answerOf: (ambiguity: View["ambiguities"][number]) => string | undefined;
  /** Between two that are named alike, what is not resolved yet is credited. */
  readonly prefersUnresolved: boolean;
}

/** Frozen responses; the intent oracle is without memory. */
export const INTENT_PROMISES: OraclePromises<IntentView> = {
  answerOf: ({ response }) => response,
  prefersUnresolved: false,
};

/** Stored resolutions. */
export const KNOWLEDGE_PROMISES: OraclePromises<KnowledgeView> = {
  answerOf: ({ resolution }) => resolution,
  prefersUnresolved: true,
};

interface ProvenOracle<View extends IntentView> extends OraclePromises<View> {
  readonly matcher: Matcher<View>;
  readonly responder: Responder<View>;
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

async function ask<View extends IntentView>(
  question: string,
  history: readonly Turn[],
  view: View,
  { matcher, responder }: ProvenOracle<View>,
): Promise<Turn> {
  const { credits } = await matcher.match(question, history, view);
  return { question, credits, response: await responder.respond(question, credits, history, view) };
}

/** The canonical questions in annotation order, then each once more. */
async function brokenByCanonical<View extends IntentView>(
  wording: (term: string) => string,
  view: View,
  oracle: ProvenOracle<View>,
): Promise<BrokenGuarantee[]> {
  const broken: BrokenGuarantee[] = [];
  const history: Turn[] = [];
  for (const ambiguity of view.ambiguities) {
    const { ambiguity_id, term } = ambiguity;
    const turn = await ask(wording(term), history, view, oracle);
    const { question, credits, response } = turn;
    if (credits.length === 0) {
      broken.push({ code: "canonical_uncredited", question, detail: `should credit ${ambiguity_id}` });
    } else if (credits.length > 1 || credits[0] !== ambiguity_id) {
      const detail = `credits ${credits.join(", ")}, should credit ${ambiguity_id}`;
      broken.push({ code: "canonical_misrouted", question, detail });
    } else if (response !== oracle.answerOf(ambiguity)) {
      broken.push({ code: "response_not_verbatim", question, detail: `answer of ${ambiguity_id}` });
    }
    history.push(turn);
  }
  for (const { question, credits, response } of [...history]) {
    const again = await ask(question, history, view, oracle);
    if (again.response !== response || again.credits.join() !== credits.join()) {
      const detail = `credits ${again.credits.join(", ")} after ${credits.join(", ")}`;
      broken.push({ code: "repeat_differs", question, detail });
    }
  }
  return broken;
}

/** Marks that may stand around a term which holds none of them. */
const QUOTES = ["“”", '""', "``"] as const;

function inQuotes(term: string): string | undefined {
  const pair = QUOTES.find(([open, close]) => !term.includes(open!) && !term.includes(close!));
  return pair === undefined ? undefined : `${pair[0]}${term}${pair[1]}`;
}

/** Both terms of a pair in one question, the first of which has been resolved: the other must be credited. */
async function brokenByPairs<View extends IntentView>(
  view: View,
  oracle: ProvenOracle<View>,
): Promise<BrokenGuarantee[]> {
  const broken: BrokenGuarantee[] = [];
  for (const done of view.ambiguities) {
    const history = [await ask(canonicalQuestion(done.term), [], view, oracle)];
    for (const open of view.ambiguities) {
      const [first, second] = [inQuotes(done.term), inQuotes(open.term)];
      if (open === done || first === undefined || second === undefined) continue;
      const { question, credits } = await ask(`What do ${first} and ${second} mean?`, history, view, oracle);
      if (credits.length === 1 && credits[0] === open.ambiguity_id) continue;
      const detail = `credits ${credits.join(", ") || "nothing"}, should credit ${open.ambiguity_id}`;
      broken.push({ code: "unresolved_not_preferred", question, detail });
    }
  }
  return broken;
}

async function brokenByGeneric<View extends IntentView>(
  view: View,
  oracle: ProvenOracle<View>,
): Promise<BrokenGuarantee[]> {
  const broken: BrokenGuarantee[] = [];
  const history: Turn[] = [];
  for (let turn = 0; turn < view.ambiguities.length + 2; turn += 1) {
    const asked = await ask(GENERIC_QUESTIONS[turn % 2 === 0 ? 0 : 1], history, view, oracle);
    const { question, credits, response } = asked;
    if (credits.length > 0) broken.push({ code: "generic_credited", question, detail: credits.join(", ") });
    if (response !== REFUSAL) broken.push({ code: "generic_answered", question, detail: response });
    history.push(asked);
  }
  return broken;
}

/**
 * Asks what the full, full-adversarial and none-adversarial askers ask, each in an episode of its own, repeats the first
 * two, asks about pairs where the oracle prefers what is open, and lists the promises that do not hold. An empty list
 * means: recall = precision = 1 for the first two askers, recall = 0 for the third.
 */
export async function checkGuarantees<View extends IntentView>(
  view: View,
  matcher: Matcher<View>,
  responder: Responder<View>,
  promises: OraclePromises<View> = INTENT_PROMISES,
): Promise<readonly BrokenGuarantee[]> {
  const oracle = { ...promises, matcher, responder };
  return [
    ...sharedPhrases(view),
    ...(await brokenByCanonical(canonicalQuestion, view, oracle)),
    ...(await brokenByCanonical(adversarialQuestion, view, oracle)),
    ...(oracle.prefersUnresolved ? await brokenByPairs(view, oracle) : []),
    ...(await brokenByGeneric(view, oracle)),
  ];
}
