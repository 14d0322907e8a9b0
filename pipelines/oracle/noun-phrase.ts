/**
 * Where a noun phrase begins and ends, as far as closed word lists can tell. A word that is in no list counts as a noun:
 * that refuses some questions that deserve credit, and credits none that do not.
 */
import { isAttributeWord, isGrammatical, isQueryWord } from "./everyday-words.js";
import type { Token } from "./normalise.js";

/** Words that may stand before a noun phrase and are no part of it. */
export const DETERMINERS: ReadonlySet<string> = new Set(
  "a all an any both each every her his its my our that the their these this those your".split(" "),
);

/** Prepositions that may go on with the noun before them. */
const TIES = new Set("of in on at for from with within across per".split(" "));
/** Nouns that change nothing after another noun: "the name column" is the name. */
const MAY_FOLLOW = new Set("column field attribute value entry".split(" "));

/** No noun stands directly before token `from`: it is not the end of a compound such as "song name". */
export function beginsPhrase(tokens: readonly Token[], from: number): boolean {
  const previous = tokens[from - 1];
  if (previous === undefined || tokens[from]?.pause !== "") return true;
  return isGrammatical(previous.key) || (isQueryWord(previous.key) && !isAttributeWord(previous.key));
}

/** No noun stands directly after the token before `to`: it is not the first part of "date format" or "singer's song". */
export function endsCompound(tokens: readonly Token[], to: number): boolean {
  const next = tokens[to];
  if (next === undefined || next.pause !== "") return true;
  return isGrammatical(next.key) || isQueryWord(next.key);
}

/**
 * The noun phrase is over at token `to`: no noun follows, nor anything that says whose it is ("of the stadium", "in the
 * song table"); a reference to the conversation ("in your request") says nothing of that kind.
 */
export function endsPhrase(tokens: readonly Token[], to: number): boolean {
  const next = tokens[to];
  if (next === undefined || next.pause !== "" || MAY_FOLLOW.has(next.key)) return true;
  if (next.text === "of") return false;
  if (!TIES.has(next.text)) return isGrammatical(next.key);
  const noun = tokens.slice(to + 1).find((token) => !isGrammatical(token.key));
  return noun === undefined || isQueryWord(noun.key);
}
