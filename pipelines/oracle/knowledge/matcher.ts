/**
 * The matcher of the deterministic knowledge oracle (spec 3; paper section B.2, Table 6): ranks a record's ambiguities and
 * credits the best one. It reads terms, concepts and resolutions, and of the dialogue only what was credited before.
 */
import { canonicalTarget, withoutProtocolWords } from "../canonical.js";
import { tokenise } from "../normalise.js";
import { type PhraseBook, phraseBook } from "../phrases.js";
import { named } from "../target.js";
import type { KnowledgeView, Matcher, MatchResult, Turn } from "../types.js";
import { conceptOverlaps } from "./concepts.js";
import { LEVEL, termHits } from "./term-hits.js";

/** The recorded reasons. They name the rule and never a term: the offline scorer may read them. */
export const KNOWLEDGE_RATIONALES = {
  canonical: "canonical: the question asks what is meant by it",
  quoted: "quoted: the question puts its whole term in quotation marks",
  plain: "plain: the question names its whole term",
  concepts: "concepts: the question names enough of what its hint is about",
  none: "none: the question names no term and too few concepts",
} as const;
type Rule = keyof typeof KNOWLEDGE_RATIONALES;

interface Ranked {
  readonly ambiguity: number;
  readonly rule: Rule;
  readonly level: number;
  readonly units: number;
  readonly resolved: boolean;
  readonly place: number;
}

/** Better first (spec 3): whole-term hits, concept overlap, not yet resolved, earliest mention, annotation order. */
const compare = (a: Ranked, b: Ranked): number =>
  b.level - a.level ||
  b.units - a.units ||
  Number(a.resolved) - Number(b.resolved) ||
  a.place - b.place ||
  a.ambiguity - b.ambiguity;

function rank(question: string, history: readonly Turn[], view: KnowledgeView, book: PhraseBook): Ranked[] {
  const plain = withoutProtocolWords(question);
  const tokens = tokenise(plain);
  const { hits, said } = termHits(plain, tokens, book);
  const resolved = new Set(history.flatMap(({ credits }) => credits));
  return conceptOverlaps(plain, tokens, said, view)
    .flatMap(({ units, place, enough }, ambiguity): Ranked[] => {
      const hit = hits.get(ambiguity);
      if (hit === undefined && !enough) return [];
      const rule = hit === undefined ? "concepts" : hit.level === LEVEL.quoted ? "quoted" : "plain";
      const isResolved = resolved.has(view.ambiguities[ambiguity]?.ambiguity_id ?? "");
      const level = hit?.level ?? LEVEL.none;
      return [{ ambiguity, rule, level, units, resolved: isResolved, place: hit?.place ?? place }];
    })
    .sort(compare);
}

/**
 * Credits one ambiguity at most. One that is already resolved is credited again where nothing else is asked about: its
 * resolution is restated, and it is for the metrics to see no new credit.
 */
export const knowledgeMatcher = {
  name: "deterministic-knowledge",
  match(question, history, view): MatchResult {
    const book = phraseBook(view.ambiguities);
    const asked = canonicalTarget(question);
    const canonical = asked === undefined ? undefined : named(asked, book);
    const best = canonical === undefined ? rank(question, history, view, book)[0] : undefined;
    const ambiguity = view.ambiguities[canonical ?? best?.ambiguity ?? -1];
    if (ambiguity === undefined) {
      return { credits: [], action: { kind: "unanswerable" }, why: KNOWLEDGE_RATIONALES.none };
    }
    return {
      credits: [ambiguity.ambiguity_id],
      action: { kind: "labeled", term: ambiguity.term },
      why: KNOWLEDGE_RATIONALES[best?.rule ?? "canonical"],
    };
  },
} satisfies Matcher<KnowledgeView>;
