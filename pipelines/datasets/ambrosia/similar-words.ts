/** When two words are one word to a reader: number, inflection, and the typing slips that AMBROSIA's questions have. */
import { isGrammatical, type Token, tokenise } from "../../oracle/index.js";

/** Endings by which words of one stem differ: reporter and reported, studies and studying, director and directs. */
const ENDINGS = new Set(
  "|e|d|ed|er|or|r|ing|ion|ation|ment|y|al|ly|t|ship|ist|ied|ian|ity|able|ive|ers|ors|ions|room|s|es".split(
    "|",
  ),
);

/** Length of the beginning that two words share. */
function sharedLength(a: string, b: string): number {
  let shared = 0;
  while (shared < a.length && a[shared] === b[shared]) shared += 1;
  return shared;
}

/** Whether one letter added, left out, changed or swapped with its neighbour makes `a` into `b`. */
function oneSlip(a: string, b: string): boolean {
  const from = sharedLength(a, b);
  const [restA, restB] = [a.slice(from), b.slice(from)];
  return (
    restA.slice(1) === restB.slice(1) ||
    restA.slice(1) === restB ||
    restA === restB.slice(1) ||
    (restA.slice(2) === restB.slice(2) && restA[0] === restB[1] && restA[1] === restB[0])
  );
}

/** One word, perhaps in another number or with one slip of the pen; keys as `tokenise` gives them. */
export function sameWord(a: string, b: string): boolean {
  if (a === b) return true;
  if (/\d/.test(a + b) || Math.min(a.length, b.length) < 5) return false;
  return oneSlip(a, b);
}

/** Two words of one stem, such as "recorded" and "recording". */
export function sameStem(a: string, b: string): boolean {
  if (sameWord(a, b)) return true;
  const shared = sharedLength(a, b);
  if (shared < 4 || shared < Math.max(a.length, b.length) / 2) return false;
  return ENDINGS.has(a.slice(shared)) && ENDINGS.has(b.slice(shared));
}

/** A stretch of a text: token positions, the end exclusive. */
export interface Stretch {
  from: number;
  to: number;
}

/** Tokens whose keys have no accents: "Café" is asked for as "cafe". */
export function plainTokens(text: string): Token[] {
  return tokenise(text).map((token) => ({
    ...token,
    key: token.key.normalize("NFD").replace(/\p{M}+/gu, ""),
  }));
}
export const keysOf = (text: string): string[] => plainTokens(text).map(({ key }) => key);
/** Keys that carry meaning of their own. */
export const contentKeys = (text: string): string[] => keysOf(text).filter((key) => !isGrammatical(key));

/**
 * The text of a stretch as it was written, with the signs that belong to its first and last word ("$150", "2%") and
 * with the other half of quotation marks and brackets that open in it.
 */
export function written(text: string, tokens: readonly Token[], { from, to }: Stretch): string {
  let start = tokens[from]?.start ?? 0;
  let end = tokens[to - 1]?.end ?? text.length;
  while (/[$€£#<>~+-]/.test(text[start - 1] ?? "") && !/\w/.test(text[start - 2] ?? "")) start -= 1;
  while (/[%+°€£$]/.test(text[end] ?? "")) end += 1;
  if (/^["“(]$/.test(text[start - 1] ?? "") && /^["”)]$/.test(text[end] ?? ""))
    return text.slice(start - 1, end + 1);
  for (const [opens, closes] of [
    ['"', '"'],
    ["“", "”"],
    ["(", ")"],
  ] as const) {
    const slice = text.slice(start, end);
    const open = slice.lastIndexOf(opens);
    const odd =
      opens === closes ? (slice.split(opens).length - 1) % 2 === 1 : open > slice.lastIndexOf(closes);
    const close = text.indexOf(closes, end);
    if (odd && open !== -1 && close !== -1) end = close + 1;
  }
  return text.slice(start, end).replace(/(?<=^(?:who|where|when|what|how))['’]s$/i, "");
}

/**
 * Where `keys` stand one after the other, compared with `same`; names run together match words set apart ("e-books",
 * "ebooks").
 */
export function occurrences(
  tokens: readonly Token[],
  keys: readonly string[],
  same: (a: string, b: string) => boolean = sameWord,
): Stretch[] {
  if (keys.length === 0) return [];
  const joined = keys.join("");
  return tokens.flatMap((_, from) => {
    if (keys.every((key, at) => same(tokens[from + at]?.key ?? "", key)))
      return [{ from, to: from + keys.length }];
    let text = "";
    for (let to = from; to < tokens.length && text.length < joined.length; to += 1) {
      text += tokens[to]?.key ?? "";
      if (text === joined) return [{ from, to: to + 1 }];
    }
    return [];
  });
}

/** "Film Critic Rating" → "film critic rating"; what is written in capitals throughout stays ("CEO"). */
export function inWords(name: string): string {
  return name
    .replaceAll("_", " ")
    .replace(/(?<=[a-z])(?=[A-Z])/g, " ")
    .split(/\s+/)
    .filter((word) => word !== "")
    .map((word) => (/^[A-Z]{2,}s?$|\d/.test(word) ? word : word.toLowerCase()))
    .join(" ");
}
