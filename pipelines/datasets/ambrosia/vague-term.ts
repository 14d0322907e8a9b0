import { isGrammatical, type Token } from "../../oracle/index.js";
import {
  isApt,
  isKept,
  openQuestions,
  type Place,
  questionAt,
  questions,
  textAt,
  withQuestionWord,
} from "./question-words.js";
import { opening, replaced, whatWithVerb } from "./replaced-words.js";
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

/** Adjectives by which a person compares what the focus measures: "the longest movie". */
const COMPARED_BY: readonly [ReadonlySet<string>, ReadonlySet<string>][] = [
  [new Set(["duration", "length"]), new Set("long longer longest short shorter shortest".split(" "))],
  [new Set(["age"]), new Set("old older oldest young younger youngest".split(" "))],
  [new Set(["prestige", "ranking"]), new Set("top best".split(" "))],
  [
    new Set(["size", "capacity"]),
    new Set("big bigger biggest large larger largest small smaller smallest".split(" ")),
  ],
  [new Set(["cost", "price"]), new Set("cheap cheaper cheapest expensive".split(" "))],
];
/** Names of one thing: a request may say the other. */
const SAME_THING: readonly ReadonlySet<string>[] = [
  new Set(["duration", "length"]),
  new Set(["budget", "cost"]),
  new Set(["restriction", "limit"]),
  new Set(["grade", "score"]),
];
/** "longest" for a duration, "How long" with its question word. */
function compared({ tokens, focus }: Place): Stretch | undefined {
  const words = COMPARED_BY.filter(([kinds]) => focus.some((key) => kinds.has(key))).map(
    ([, adjectives]) => adjectives,
  );
  const at = tokens.findIndex(({ text }) => words.some((adjectives) => adjectives.has(text)));
  if (at === -1) return undefined;
  return { from: textAt(tokens, at - 1) === "how" ? at - 1 : at, to: at + 1 };
}

/** "level of experience" for Experience Level, "number of tv seasons" for Number of Seasons. */
function turned(tokens: readonly Token[], keys: readonly string[]): Stretch[] {
  if (keys.length < 2) return [];
  const of = keys.indexOf("of");
  const [head, rest] = of > 0 ? [keys.slice(0, of), keys.slice(of + 1)] : [keys.slice(-1), keys.slice(0, -1)];
  // "number of tv seasons": one word of its own may stand before the noun.
  return occurrences(tokens, [...head, "of"]).flatMap(({ from, to }) => {
    const noun = occurrences(tokens, rest).find((one) => one.from >= to && one.from - to <= 1);
    return noun === undefined ? [] : [{ from, to: noun.to }];
  });
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

/** "writer" for Screenwriter. */
const closeTo = (a: string, b: string): boolean => sameStem(a, b) || (a.length >= 5 && b.endsWith(a));

/** The words of the focus itself in the request, best first; `stem`: its last word is only of the stem of one. */
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
    occurrences(
      tokens,
      SAME_THING.filter((names) => words.some((word) => names.has(word))).flatMap((names) =>
        [...names].filter((name) => !words.includes(name)),
      ),
    )[0],
  ];
  const isStem = ({ to }: Stretch): boolean => !words.includes(tokens[to - 1]?.key ?? "");
  return found.flatMap((stretch) => (stretch === undefined ? [] : [{ stretch, stem: isStem(stretch) }]));
}

/** Ways to name the focus, best first. `within`: the readings' own names hold the focus's word, so it must be kept. */
function* ways(place: Place, focus: string, within: boolean): Generator<Stretch | undefined> {
  const { tokens } = place;
  const [asked] = openQuestions(place);
  const what = whatWithVerb(place);
  const theyDo = what !== undefined && what.to - what.from === 3;
  for (const { stretch, stem } of named(place, focus)) {
    // A word of the focus that every reading keeps is not what they decide, where the request asks another way.
    const apt = asked !== undefined && isApt(tokens, place.focus, asked);
    if ((!within || apt) && (asked !== undefined || theyDo) && isKept(place, stretch)) continue;
    yield stem ? withQuestionWord(place, stretch) : stretch;
  }
  yield compared(place);
  yield asked === undefined ? undefined : questionAt(place, asked);
  yield what !== undefined && (theyDo || textAt(tokens, what.from) === "about") ? what : undefined;
  yield opening(place);
  yield replaced(place, 0);
  const [kept] = questions(place, place.readings.length);
  yield kept === undefined ? undefined : questionAt(place, kept);
  for (let most = 1; most < place.readings.length; most += 1) yield replaced(place, most);
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
