/**
 * The matcher of the deterministic intent oracle (spec 3; paper section B.2, Table 6): single-answer, without memory.
 * A question about an ambiguity that is already resolved is credited again; it is for the metrics to see no new credit.
 */
import { phraseBook } from "./phrases.js";
import { findTarget, type Target } from "./target.js";
import type { IntentView, Matcher, MatchResult } from "./types.js";

/** The recorded reasons. They name the rule and never a term: the offline scorer may read them. */
export const RATIONALES: Readonly<Record<Target["rule"], string>> = {
  canonical: "canonical: the question asks what is meant by it",
  quoted: "quoted: the question puts it in quotation marks",
  earliest: "earliest: the first one that the question names",
  tie: "tie: two are named at the same place",
  none: "none: nothing registered is named",
};

export const intentMatcher = {
  name: "deterministic-intent",
  match(question, _history, view): MatchResult {
    const target = findTarget(question, phraseBook(view.ambiguities));
    const why = RATIONALES[target.rule];
    const ambiguity = "ambiguity" in target ? view.ambiguities[target.ambiguity] : undefined;
    if (ambiguity === undefined) return { credits: [], action: { kind: "unanswerable" }, why };
    return { credits: [ambiguity.ambiguity_id], action: { kind: "labeled", term: ambiguity.term }, why };
  },
} satisfies Matcher<IntentView>;
