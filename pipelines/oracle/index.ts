/**
 * The deterministic oracles (spec 3): datasets prove their records on them, evaluation runs episodes on them.
 *
 * @example
 * const { credits, action } = intentMatcher.match("What do you mean by age?", [], view);
 * const answer = intentResponder.respond("What do you mean by age?", credits, [], view);
 */
export {
  ADVERSARIAL_SUFFIX,
  adversarialQuestion,
  canonicalQuestion,
  GENERIC_QUESTIONS,
  REFUSAL,
} from "./canonical.js";
export { isGrammatical, isQueryWord, type Strength, strengthOf } from "./everyday-words.js";
export { FALLBACK_RATIONALE, FIXED_RATIONALES } from "./fixed-rationales.js";
export {
  type BrokenGuarantee,
  checkGuarantees,
  type GuaranteeCode,
  INTENT_PROMISES,
  KNOWLEDGE_PROMISES,
  type OraclePromises,
} from "./guarantees.js";
export { intentMatcher, RATIONALES } from "./intent-matcher.js";
export { intentResponder } from "./intent-responder.js";
export { KNOWLEDGE_RATIONALES, knowledgeMatcher } from "./knowledge/matcher.js";
export { knowledgeResponder } from "./knowledge/responder.js";
export { labelledAmbiguity } from "./label.js";
export { foldText, normalKey, type Token, tokenise } from "./normalise.js";
export { type PhraseBook, phraseBook } from "./phrases.js";
export { findTarget, type Target } from "./target.js";
export type {
  IntentView,
  KnowledgeView,
  Matcher,
  MatchResult,
  NamedAmbiguity,
  Responder,
  RoutingAction,
  Turn,
} from "./types.js";
