/** What the question itself says: the words that an edit is tied to, and the cues that open or settle a doubt. */
import { type Token, tokenise } from "../../../oracle/index.js";

export interface Question {
  text: string;
  tokens: readonly Token[];
}

export function readQuestion(text: string): Question {
  return { text, tokens: tokenise(text) };
}

/** Words too common to tie anything to. */
const FILLER = new Set(
  "the a an of in on at to for by with and or is are was were be been has have had do does did which what who whose whom where when how many much list all please give show find state provide name id number no there their its it that this these those they them from as".split(
    " ",
  ),
);

const cut = ({ text }: Question, first: Token, last: Token): string => text.slice(first.start, last.end);

/** Keys of the words that carry meaning. */
export function contentKeys(words: string): string[] {
  return tokenise(words)
    .filter(({ text }) => !FILLER.has(text))
    .map(({ key }) => key);
}

/** Two words that are one to a person: "published" and "publisher", "eye" and "eyed", "skin" and "skinned". */
function akin(a: string, b: string): boolean {
  if (a === b) return true;
  if (a.length >= 3 && [`${a}d`, `${a}ed`, `${a}${a.at(-1)}ed`].includes(b)) return true;
  const shared = Math.min(a.length, b.length);
  return shared >= 5 && a.slice(0, 5) === b.slice(0, 5);
}

/** The words of the question that say a phrase, whole or in part, exactly as they stand there; null for none. */
export function wordsFor(question: Question, phrase: string): string | null {
  const keys = contentKeys(phrase);
  const hits = question.tokens.map(
    (token) => keys.some((key) => akin(key, token.key)) && !FILLER.has(token.text),
  );
  let best: [number, number] | null = null;
  for (let from = 0; from < hits.length; from++) {
    if (!hits[from]) continue;
    let to = from;
    while (hits[to + 1]) to++;
    if (best === null || to - from > best[1] - best[0]) best = [from, to];
    from = to;
  }
  const [first, last] = best === null ? [] : [question.tokens[best[0]], question.tokens[best[1]]];
  return first === undefined || last === undefined ? null : cut(question, first, last);
}

/** The first place where a pattern stands, as it is written. */
export function cue({ text }: Question, pattern: RegExp): string | null {
  return pattern.exec(text)?.[0] ?? null;
}

/** A value as the question says it, with up to three words before it: "a height of over 200cm" → "height of over 200". */
export function wordsAround(question: Question, value: string, before: number): string | null {
  const wanted = tokenise(value).map(({ key }) => key);
  if (wanted.length === 0) return null;
  const { tokens } = question;
  const at = tokens.findIndex((_, from) => wanted.every((key, step) => tokens[from + step]?.key === key));
  const [first, last] = [tokens[Math.max(0, at - before)], tokens[at + wanted.length - 1]];
  return at === -1 || first === undefined || last === undefined ? null : cut(question, first, last);
}
