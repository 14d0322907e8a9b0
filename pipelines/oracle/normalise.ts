/**
 * Text as matching sees it (spec 3, "Deterministic matching, precisely"): NFKC, lower case, words and numbers.
 *
 * `snake_case`, `camelCase`, hyphens and a change between letters and digits are word breaks; ordinals (2nd), dotted
 * abbreviations (U.S.) and contractions (don't) are one word, and a possessive loses its ending, so that "singer's name"
 * reads as "singer name". Scripts written without spaces give one token a character.
 */
import { compose, foldCase } from "./fold.js";
import { singularKey } from "./plural.js";

/** A word or number; `start` and `end` are code-unit offsets in the original text. */
export interface Token {
  /** Folded text. */
  readonly text: string;
  /** What is compared: the folded text without its plural ending. */
  readonly key: string;
  readonly start: number;
  readonly end: number;
  /** How the token is set off from the one before it: not at all, by a pause, or by the end of a sentence. */
  readonly pause: Pause;
}
export type Pause = "" | "," | ".";

const UNSPACED = "[\\p{sc=Han}\\p{sc=Hira}\\p{sc=Thai}\\p{sc=Laoo}\\p{sc=Khmr}\\p{sc=Mymr}]";
const KATAKANA = "(?:\\p{sc=Kana}|\\u30FC)";
const LETTER = `(?:(?!${UNSPACED}|${KATAKANA})\\p{L}\\p{M}*)`;
const WORD = new RegExp(
  [
    // An ordinal; a number with its thousands or decimals; any other digits.
    "\\d+(?:st|nd|rd|th)(?![\\p{L}\\p{N}])",
    "\\d{1,3}(?:,\\d{3})+(?:\\.\\d+)?(?![\\p{L}\\p{N}])",
    "\\p{Nd}+(?:\\.\\p{Nd}+)*",
    "\\p{N}+",
    `${UNSPACED}\\p{M}*`,
    `${KATAKANA}+`,
    // A dotted abbreviation: single letters, each with its full stop (the last may lack it).
    `(?<![\\p{L}\\p{N}.])(?:${LETTER}\\.)+${LETTER}\\.?(?!['’]?[\\p{L}\\p{N}])`,
    `${LETTER}+(?:['’]${LETTER}+)*`,
  ].join("|"),
  "giu",
);
/** Inside a word of letters: fooBar, and HTMLParser but not IDs. */
const CAMEL = /(?<=\p{Ll}\p{M}*)(?=\p{Lu})|(?<=\p{Lu})(?=\p{Lu}\p{Ll}{2})/u;
const POSSESSIVE = /['’]s?$/i;

function pauseOf(gap: string, first: boolean): Pause {
  if (first) return "";
  if (/[.!?\u2026]["'”’)\]]*\s|\u3002|\n/.test(gap)) return ".";
  return /[,;:]["'”’)\]]*\s|[()[\]/\u3001]|\s[-\u2013\u2014]+\s|\u2014/.test(gap) ? "," : "";
}

/** Texts whose tokens are kept, and how long they may be: a record's request and terms are asked for over and over. */
const KEPT_TEXTS = 512;
const KEPT_LENGTH = 1000;
const kept = new Map<string, readonly Token[]>();

/** The tokens of a text, in order. */
export function tokenise(original: string): readonly Token[] {
  const known = kept.get(original);
  if (known !== undefined) return known;
  const tokens = takeApart(original);
  if (original.length <= KEPT_LENGTH) {
    if (kept.size === KEPT_TEXTS) kept.clear();
    kept.set(original, tokens);
  }
  return tokens;
}

function takeApart(original: string): readonly Token[] {
  const { text, starts, ends } = compose(original);
  const tokens: Token[] = [];
  let gapFrom = 0;
  for (const { 0: word, index } of text.matchAll(WORD)) {
    let at = index;
    for (const piece of word.split(CAMEL)) {
      const folded = foldCase(piece.replace(POSSESSIVE, "")).replace(/['’.](?!\d)|(?<=\d),/g, "");
      tokens.push({
        text: folded,
        key: singularKey(folded),
        start: starts[at] ?? 0,
        end: ends[at + piece.length - 1] ?? original.length,
        pause: pauseOf(text.slice(gapFrom, at), tokens.length === 0),
      });
      at += piece.length;
      gapFrom = at;
    }
  }
  return tokens;
}

/**
 * Pieces run together, with a blank only between two digits. Matching compares these, so that "fullname", "fullName"
 * and "full name" are the same, and "line 12" is not "line 1 2".
 */
export function runTogether(pieces: readonly string[]): string {
  let joined = "";
  for (const piece of pieces) joined += /\d$/.test(joined) && /^\d/.test(piece) ? ` ${piece}` : piece;
  return joined;
}

/** What two phrases have in common when they match: folded, singular, without breaks. Empty when there is no word. */
export function normalKey(text: string): string {
  return runTogether(tokenise(text).map((token) => token.key));
}

/** The text letter for letter but for case, composition and white space. */
export function foldText(text: string): string {
  return foldCase(compose(text).text).replace(/\s+/g, " ").trim();
}
