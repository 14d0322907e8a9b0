import { RATIONALES } from "./intent-matcher.js";
import { KNOWLEDGE_RATIONALES } from "./knowledge/matcher.js";

/** The recorded reason where a model oracle's reply could not be read, even on retry (spec 3). */
export const FALLBACK_RATIONALE = "fallback: the model's reply could not be read";

/** Every reason that this project words itself: they name rules and no terms, so the scorer reads nothing in them. */
export const FIXED_RATIONALES: ReadonlySet<string> = new Set([
  ...Object.values(RATIONALES),
  ...Object.values(KNOWLEDGE_RATIONALES),
  FALLBACK_RATIONALE,
]);
