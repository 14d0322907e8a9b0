import { isGrammatical, isQueryWord, type Token } from "../../oracle/index.js";
import type { FoundTerm } from "./scope-term.js";
import {
  contentKeys,
  keysOf,
  occurrences,
  plainTokens,
  type Stretch,
  sameStem,
  sameWord,
  written,
} from "./similar-words.js";

/** Question words that ask for something without naming it. */
const ASKS = new Set("who whose whom where when how".split(" "));
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
/** Adjectives by which a person compares what the focus measures: "the longest movie". */
const COMPARED_BY: readonly [ReadonlySet<string>, ReadonlySet<string>][] = [
  [new Set(["duration", "length"]), new Set("long longer longest short shorter shortest".split(" "))],
  [new Set(["prestige", "ranking"]), new Set("top best".split(" "))],
  [
    new Set(["size", "capacity"]),
    new Set("big bigger biggest large larger largest small smaller smallest".split(" ")),
  ],
  [new Set(["cost", "price"]), new Set("cheap cheaper cheapest expensive".split(" "))],
];
/** What a question word may follow where it asks: a "where" after a noun only opens a condition. */
const BEFORE_QUESTION = new Set("and or from me indicate tell find".split(" "));
/** How far a question word may stand before the word that says what it asks about ("where are they recorded"). */
const REACH = 4;
/** Words of a request's frame, which readings word in their own way. */
const FRAME = new Set(
  "along alongside different corresponding correspond respective related associated available following located create provide retrieve rank split called own get got".split(
    " ",
  ),
);

/** The request and what its readings say, as far as the search for a term reads them. */
interface Place {
  tokens: readonly Token[];
  focus: readonly string[];
  /** The keys of each reading's sentence. */
  readings: readonly ReadonlySet<string>[];
}

const textAt = (tokens: readonly Token[], at: number): string => tokens[at]?.text ?? "";

/** How many readings keep a word of the request: one that all of them keep is not what is vague. */
function keptBy({ readings }: Place, key: string): number {
  return readings.filter((reading) => [...reading].some((word) => sameWord(word, key))).length;
}

const isKept = (place: Place, { from, to }: Stretch): boolean =>
  place.tokens.slice(from, to).every(({ key }) => keptBy(place, key) === place.readings.length);

/** Question words that ask and that at most `most` readings keep; those that ask for such a focus first. */
function questions({ tokens, focus, ...place }: Place, most: number): number[] {
  const found = tokens.flatMap(({ text, key, pause }, at) => {
    const asks = at === 0 || pause !== "" || BEFORE_QUESTION.has(textAt(tokens, at - 1));
    return ASKS.has(text) && asks && keptBy({ tokens, focus, ...place }, key) <= most ? [at] : [];
  });
  const apt = (at: number): boolean =>
    ASKED_BY.some(([word, kinds]) => textAt(tokens, at) === word && focus.some((key) => kinds.has(key)));
  return found.sort((a, b) => Number(apt(b)) - Number(apt(a)) || a - b);
}

/** Question words that some reading replaces by what they ask for. */
const openQuestions = (place: Place): number[] => questions(place, place.readings.length - 1);

/** The question word with what belongs to it: "how much", "who made". */
function questionAt({ tokens }: Place, at: number): Stretch {
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
function withQuestionWord(place: Place, stem: Stretch): Stretch {
  const at = openQuestions(place).find((open) => open < stem.from && textAt(place.tokens, open) !== "how");
  if (at === undefined) return stem;
  return stem.from - at <= REACH ? { from: at, to: stem.to } : questionAt(place, at);
}

/** "longest" for a duration, "How long" with its question word. */
function compared({ tokens, focus }: Place): Stretch | undefined {
  const words = COMPARED_BY.filter(([kinds]) => focus.some((key) => kinds.has(key))).map(
    ([, adjectives]) => adjectives,
  );
  const at = tokens.findIndex(({ text }) => words.some((adjectives) => adjectives.has(text)));
  if (at === -1) return undefined;
  return { from: textAt(tokens, at - 1) === "how" ? at - 1 : at, to: at + 1 };
}

/** "level of experience" for Experience Level. */
function turned(tokens: readonly Token[], keys: readonly string[]): Stretch[] {
  if (keys.length < 2) return [];
  const [head, rest] = [keys.slice(-1), keys.slice(0, -1)];
  return [["the"], ["a"], []].flatMap((article) => occurrences(tokens, [...head, "of", ...article, ...rest]));
}

/**
 * The longest stretch of the focus's words, the first of equals. A stretch that lacks the head word takes the noun that
 * stands in its place: "career options" for Career Opportunities.
 */
function partOf(
  { tokens }: Place,
  focus: readonly string[],
  same: (a: string, b: string) => boolean,
): Stretch | undefined {
  let best: Stretch | undefined;
  for (let from = 0; from < tokens.length; from += 1) {
    let to = from;
    while (
      to < tokens.length &&
      focus.some((word) => same(tokens[to]?.key ?? "", word)) &&
      (to === from || tokens[to]?.pause === "")
    )
      to += 1;
    if (to > from && to - from > (best === undefined ? 0 : best.to - best.from)) best = { from, to };
  }
  if (best === undefined) return undefined;
  const head = focus.at(-1) ?? "";
  const last = tokens[best.to - 1]?.key ?? "";
  const next = tokens[best.to];
  const plural = last !== textAt(tokens, best.to - 1);
  const lacksHead = !plural && (!sameStem(last, head) || /ing$/.test(last));
  const noun =
    next !== undefined && next.pause === "" && !isGrammatical(next.key) && !/(?:ed|ing)$/.test(next.text);
  return lacksHead && noun ? { from: best.from, to: best.to + 1 } : best;
}

/**
 * The first stretch of content words that at most `most` readings keep: what the readings replaced is what was vague.
 * After "what" or "which" it is preferred.
 */
function replaced(place: Place, most: number): Stretch | undefined {
  const { tokens } = place;
  const gone = (at: number): boolean => {
    const key = tokens[at]?.key ?? "1";
    const says =
      key.length > 2 && !isGrammatical(key) && !isQueryWord(key) && !FRAME.has(key) && !/\d/.test(key);
    return says && keptBy(place, key) <= most;
  };
  const found: (Stretch & { asked: boolean })[] = [];
  for (let from = 0; from < tokens.length; from += 1) {
    let to = from;
    while (gone(to) && (to === from || tokens[to]?.pause === "")) to += 1;
    if (to === from) continue;
    found.push({ from, to, asked: ["what", "which"].includes(textAt(tokens, from - 1)) });
    from = to;
  }
  return found.sort((a, b) => Number(b.asked) - Number(a.asked) || a.from - b.from)[0];
}

/** "What was it about?", "what they do", "What did she study?": a "what" that only its verb or preposition explains. */
function whatWithVerb({ tokens }: Place): Stretch | undefined {
  const what = tokens.findIndex(({ text }) => text === "what");
  if (what === -1) return undefined;
  if (["they", "he", "she", "it"].includes(textAt(tokens, what + 1)) && tokens.length > what + 2)
    return { from: what, to: what + 3 };
  const about = tokens.findIndex(({ text }, at) => at > what && text === "about");
  if (about !== -1) return { from: about, to: about + 1 };
  const asks = ["did", "does", "do", "can", "will"].includes(textAt(tokens, what + 1));
  return asks ? { from: tokens.length - 1, to: tokens.length } : undefined;
}

/** "Describe the jacket.": the verb is all that says what is wanted. */
const opening = ({ tokens }: Place): Stretch | undefined =>
  textAt(tokens, 0) === "describe" ? { from: 0, to: 1 } : undefined;

/** "writer" for Screenwriter. */
const closeTo = (a: string, b: string): boolean => sameStem(a, b) || (a.length >= 5 && b.endsWith(a));

/** The words of the focus itself in the request, best first; the last may be only of its stem. */
function named(place: Place, focus: string): { stretch: Stretch; stem: boolean }[] {
  const { tokens } = place;
  const keys = keysOf(focus);
  const words = contentKeys(focus);
  const found = [
    occurrences(tokens, keys)[0],
    turned(tokens, keys)[0],
    words.length > 1 ? occurrences(tokens, keys, sameStem)[0] : undefined,
    partOf(place, words, sameWord),
    partOf(place, words, closeTo),
  ];
  return found.flatMap((stretch, at) =>
    stretch === undefined ? [] : [{ stretch, stem: at === 4 && found[3] === undefined }],
  );
}

/** Ways to name the focus, best first. `within`: the readings' own names hold the focus's word, so it must be kept. */
function* ways(place: Place, focus: string, within: boolean): Generator<Stretch | undefined> {
  const { tokens } = place;
  const [asked] = openQuestions(place);
  const what = whatWithVerb(place);
  const theyDo = what !== undefined && what.to - what.from === 3;
  for (const { stretch, stem } of named(place, focus)) {
    // A word of the focus that every reading keeps is not what they decide, where the request asks another way.
    if (!within && (asked !== undefined || theyDo) && isKept(place, stretch)) continue;
    yield stem ? withQuestionWord(place, stretch) : stretch;
  }
  yield compared(place);
  yield asked === undefined ? undefined : questionAt(place, asked);
  yield what !== undefined && (theyDo || textAt(tokens, what.from) === "about") ? what : undefined;
  yield opening(place);
  yield replaced(place, 0);
  const [kept] = questions(place, place.readings.length);
  yield kept === undefined ? undefined : questionAt(place, kept);
  yield replaced(place, 1);
  yield what;
}

/** What the annotation says of a vague question. */
export interface VagueNames {
  focus: string;
  general_category1: string;
  general_category2: string;
}

/**
 * The words of the request that name the focus (spec 2, ambrosia, step 3): the focus itself, in its order or turned
 * around; its longest part; a word of its stem, with the question word before it ("Who reported"); an adjective that
 * compares it ("longest"); the question word where the focus is asked by who, where, when or how; else the words that the
 * readings replaced. "what" and "which" alone say nothing, so the annotation's words stand where all this fails.
 *
 * @param sentences the readings' sentences
 */
export function vagueTerm(request: string, names: VagueNames, sentences: readonly string[]): FoundTerm {
  const { focus, general_category1, general_category2 } = names;
  const tokens = plainTokens(request);
  const place = { tokens, focus: contentKeys(focus), readings: sentences.map((one) => new Set(keysOf(one))) };
  const categories = [general_category1, general_category2].flatMap(contentKeys);
  const within = place.focus.some((word) => categories.some((other) => sameWord(word, other)));
  for (const stretch of ways(place, focus, within)) {
    if (stretch !== undefined) return { term: written(request, tokens, stretch), inRequest: true };
  }
  return { term: focus, inRequest: false };
}
