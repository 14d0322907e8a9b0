import { foldText, REFUSAL } from "../../oracle/index.js";

/** How a user who cannot or will not answer begins; the deterministic oracle's own words are known exactly. */
const OPENINGS =
  /^(?:(?:i am |i'm )?(?:sorry|afraid)\b|unfortunately\b|i (?:can ?not|can't|could not|don't|do not|won't|am unable to|am not able to|have no(?:thing)?\b)|(?:that|this)(?: question)? (?:is|was) (?:out of scope|not something)|no comment\b|not sure\b)/;
/** What a refusal says of the matter itself: nothing. An answer after an apology does. */
const ANSWERS = /\b(?:but|however|instead|only|mean|means|refers? to|should be|i want|i need|use)\b/;
/** Longer texts have something to say. */
const LONGEST = 240;

/**
 * Whether an answer, as the asker sees it, tells nothing: the standard refusal, or a short apology that names nothing.
 * Decided from the words alone, never from credits (spec 6; ours). In doubt an answer counts as one, because a question
 * that stands in the wrong list is still never asked again.
 */
export function isRefusal(response: string): boolean {
  const text = foldText(response);
  if (text === "" || text === foldText(REFUSAL)) return true;
  return text.length <= LONGEST && OPENINGS.test(text) && !ANSWERS.test(text.replace(OPENINGS, ""));
}
