/** Question words that ask for a focus without naming it: who, where, when, how. */
import { isGrammatical, type Token } from "../../oracle/index.js";
import { type Stretch, sameWord } from "./similar-words.js";

/** Question words that ask for something without naming it. */
export const ASKS = new Set("who whose whom where when how".split(" "));
/** "how much", "how long": the word that goes with "how". */
const MEASURES = new Set("much many long old often far big large high fast well".split(" "));
/** Focuses that a certain question word asks for, where a request has several. */
const ASKED_BY: readonly [string, ReadonlySet<string>][] = [
  [
    "when",
    new Set("time timeline timeframe date duration period release start end opening schedule".split(" ")),
  ],
  [
    "where",
    new Set("location place position origin venue address departure arrival setting studio".split(" ")),
  ],
];
/** What a question word may follow where it asks: a "where" after a noun only opens a condition. */
const BEFORE_QUESTION = new Set("and or from me indicate tell find".split(" "));
/** How far a question word may stand before the word that says what it asks about ("where are they recorded"). */
const REACH = 4;

/** The request and what its readings say, as far as the search for a term reads them. */
export interface Place {
  tokens: readonly Token[];
  focus: readonly string[];
  /** The keys of each reading's sentence. */
  readings: readonly ReadonlySet<string>[];
}

export const textAt = (tokens: readonly Token[], at: number): string => tokens[at]?.text ?? "";

/** How many readings keep a word of the request: one that all of them keep is not what is vague. */
export function keptBy({ readings }: Place, key: string): number {
  return readings.filter((reading) => [...reading].some((word) => sameWord(word, key))).length;
}

export const isKept = (place: Place, { from, to }: Stretch): boolean =>
  place.tokens.slice(from, to).every(({ key }) => keptBy(place, key) === place.readings.length);

/** "when" for a date, "where" for a place. */
export const isApt = (tokens: readonly Token[], focus: readonly string[], at: number): boolean =>
  ASKED_BY.some(([word, kinds]) => textAt(tokens, at) === word && focus.some((key) => kinds.has(key)));

/** Question words that ask and that at most `most` readings keep; those that ask for such a focus first. */
export function questions({ tokens, focus, ...place }: Place, most: number): number[] {
  const found = tokens.flatMap(({ text, key, pause }, at) => {
    const asks = at === 0 || pause !== "" || BEFORE_QUESTION.has(textAt(tokens, at - 1));
    return ASKS.has(text) && asks && keptBy({ tokens, focus, ...place }, key) <= most ? [at] : [];
  });
  return found.sort((a, b) => Number(isApt(tokens, focus, b)) - Number(isApt(tokens, focus, a)) || a - b);
}

/** Question words that some reading replaces by what they ask for. */
export const openQuestions = (place: Place): number[] => questions(place, place.readings.length - 1);

/** The question word with what belongs to it: "how much", "who made". */
export function questionAt({ tokens }: Place, at: number): Stretch {
  const next = tokens[at + 1];
  const goesOn =
    next !== undefined &&
    next.pause === "" &&
    (textAt(tokens, at) === "how"
      ? MEASURES.has(next.text)
      : textAt(tokens, at) === "who" && !isGrammatical(next.key));
  return { from: at, to: goesOn ? at + 2 : at + 1 };
}

/** A verb of the focus's stem is asked for by its question word: "Who reported", or "Where … located" by "Where". */
export function withQuestionWord(place: Place, stem: Stretch): Stretch {
  const at = openQuestions(place).find((open) => open < stem.from && textAt(place.tokens, open) !== "how");
  if (at === undefined) return stem;
  return stem.from - at <= REACH ? { from: at, to: stem.to } : questionAt(place, at);
}
