import { isGrammatical, type Token } from "../../oracle/index.js";
import {
  contentKeys,
  keysOf,
  plainTokens,
  type Stretch,
  sameStem,
  sameWord,
  written,
} from "./similar-words.js";

/** Words that quantify a noun, the ones that most often open the ambiguous phrase first. */
const QUANTIFIERS = ["each", "every", "all", "any", "both"];
const MAY_FOLLOW = new Set("of the our your their these those my its his her".split(" "));

/** A term and whether its words stand in the request. */
export interface FoundTerm {
  term: string;
  inRequest: boolean;
}

/** Position after what may stand between a quantifier and its noun ("all of our airports"). */
function nounFrom(tokens: readonly Token[], quantifier: number): number {
  let at = quantifier + 1;
  while (MAY_FOLLOW.has(tokens[at]?.text ?? "")) at += 1;
  return at;
}

/** The noun phrases that a reading quantifies, as keys: "For each insurance company, …" gives [insurance, company, …]. */
function quantifiedIn(sentence: string): string[][] {
  const tokens = plainTokens(sentence);
  return tokens.flatMap(({ text }, at) => {
    if (!QUANTIFIERS.includes(text)) return [];
    const from = nounFrom(tokens, at);
    const pause = tokens.findIndex((token, index) => index > from && token.pause !== "");
    return [tokens.slice(from, pause === -1 ? undefined : pause).map(({ key }) => key)];
  });
}

/** The noun phrase that may begin at `from`: it ends before a pause and before grammar that is not the entity's own. */
function runFrom(tokens: readonly Token[], from: number, entity: readonly string[]): Stretch {
  let to = from;
  while (to < tokens.length && to - from < 8) {
    const token = tokens[to];
    if (token === undefined || (to > from && token.pause !== "")) break;
    if (isGrammatical(token.key) && !entity.includes(token.key)) break;
    to += 1;
  }
  return { from, to };
}

/** "each writer writes": after each and every a noun is singular, so a word that ends in s is a verb. */
const isVerb = (token: Token | undefined, quantifier: string): boolean =>
  token !== undefined && token.text !== token.key && ["each", "every"].includes(quantifier);

/** How far the noun reaches: to the entity's last word, and on where a reading ends its own quantified noun there. */
function nounIn(
  tokens: readonly Token[],
  run: Stretch,
  place: { entity: readonly string[]; said: readonly string[][]; quantifier: string },
): { to: number; hits: number } {
  const { entity, said, quantifier } = place;
  let to = run.from;
  let hits = 0;
  for (let at = run.from; at < run.to; at += 1) {
    const key = tokens[at]?.key ?? "";
    if (!entity.some((word) => sameStem(key, word)) || isGrammatical(key)) continue;
    // "each writer write(s)": once the noun is there, only a word of the entity itself goes on with it.
    if (hits > 0 && (isVerb(tokens[at], quantifier) || !entity.includes(key))) break;
    to = at + 1;
    hits += 1;
  }
  for (let end = to + 1; end <= run.to; end += 1) {
    if (isVerb(tokens[end - 1], quantifier)) break;
    const keys = tokens.slice(run.from, end).map(({ key }) => key);
    const whole = said.some(
      (noun) => noun.length === keys.length && noun.every((key, i) => sameWord(key, keys[i] ?? "")),
    );
    if (whole) to = end;
  }
  return { to, hits };
}

/** One written word from `from` on: "B&B" is one, though it has two tokens. */
function oneWord(request: string, tokens: readonly Token[], from: number): number {
  let to = from + 1;
  while (to < tokens.length && !/\s/.test(request.slice(tokens[to - 1]?.end, tokens[to]?.start))) to += 1;
  return to;
}

/** The word before a bare noun that belongs to it: "our campuses". */
function withDeterminer(tokens: readonly Token[], at: number): number {
  return MAY_FOLLOW.has(tokens[at - 1]?.text ?? "") && tokens[at - 1]?.text !== "of" ? at - 1 : at;
}

/**
 * The quantified phrase over the annotation's entities: "each machinery store" (spec 2, ambrosia, step 3). The noun may
 * be shorter than the entity's name, longer where a reading's own sentence is, misspelt, or another word altogether ("each
 * film" for Cinematographies); where nothing is quantified it is the noun alone ("our campuses").
 *
 * @param readings the readings' sentences
 */
export function scopeTerm(request: string, entities: string, readings: readonly string[]): FoundTerm {
  const tokens = plainTokens(request);
  const entity = keysOf(entities);
  const said = readings.flatMap(quantifiedIn);
  const candidates = tokens.flatMap(({ text }, quantifier) => {
    const rank = QUANTIFIERS.indexOf(text);
    if (rank === -1) return [];
    const from = nounFrom(tokens, quantifier);
    const run = runFrom(tokens, from, entity);
    if (run.to === from) return [];
    const noun = nounIn(tokens, run, { entity, said, quantifier: text });
    const to = noun.to > from ? noun.to : oneWord(request, tokens, from);
    return [{ rank, from: quantifier, to, hits: noun.hits }];
  });
  candidates.sort((a, b) => b.hits - a.hits || a.rank - b.rank || a.from - b.from);
  const [best] = candidates;
  if (best !== undefined) {
    return { term: written(request, tokens, best).replace(/['’]s?$/, ""), inRequest: true };
  }
  const words = contentKeys(entities);
  for (const same of [sameWord, sameStem]) {
    const last = tokens.findLastIndex(({ key }) => words.some((word) => same(key, word)));
    if (last === -1) continue;
    let from = last;
    while (words.some((word) => same(tokens[from - 1]?.key ?? "", word))) from -= 1;
    return {
      term: written(request, tokens, { from: withDeterminer(tokens, from), to: last + 1 }),
      inRequest: true,
    };
  }
  return { term: entities, inRequest: false };
}
