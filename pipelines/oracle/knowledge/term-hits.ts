/** Which ambiguities a question names by their whole term (spec 3: quoted before plain). */
import { countsHere } from "../frames.js";
import { findMentions } from "../mentions.js";
import type { Token } from "../normalise.js";
import type { PhraseBook } from "../phrases.js";
import { quotedSpans } from "../quoted.js";
import { spanTarget, uncovered } from "../target.js";

/** How strongly a term is named; more is stronger, 0 is not at all. */
export const LEVEL = { none: 0, plain: 1, quoted: 2 } as const;
export type Level = (typeof LEVEL)[keyof typeof LEVEL];

/** The strongest and, among those, the earliest mention of one ambiguity; `place` is a token. */
export interface Hit {
  readonly level: Level;
  readonly place: number;
}

export interface TermHits {
  /** By position in annotation order. */
  readonly hits: ReadonlyMap<number, Hit>;
  /** Tokens that belong to a mention. */
  readonly said: ReadonlySet<number>;
}

/** Every whole-term mention of a text whose tokens are given. Two terms that are named are two hits: there is no tie. */
export function termHits(text: string, tokens: readonly Token[], book: PhraseBook): TermHits {
  const hits = new Map<number, Hit>();
  const said = new Set<number>();
  const add = (ambiguity: number, level: Level, from: number, to: number): void => {
    for (let at = from; at < to; at += 1) said.add(at);
    const before = hits.get(ambiguity);
    if (before === undefined || level > before.level || (level === before.level && from < before.place)) {
      hits.set(ambiguity, { level, place: from });
    }
  };
  let namedUpTo = 0;
  for (const span of quotedSpans(text)) {
    // A quotation within a term that is quoted whole belongs to the term.
    if (span.end <= namedUpTo) continue;
    const { first, within, whole, held } = spanTarget(text, span, tokens, book);
    if (whole !== undefined) {
      namedUpTo = span.end;
      add(whole, LEVEL.quoted, first, first + within.length);
    } else {
      for (const { phrase, from, to } of uncovered(held)) {
        add(phrase.ambiguity, LEVEL.quoted, first + from, first + to);
      }
    }
  }
  const mentions = findMentions(tokens, book).filter(({ phrase, from, to }) =>
    countsHere(phrase.strength, tokens, from, to),
  );
  for (const { phrase, from, to } of uncovered(mentions)) add(phrase.ambiguity, LEVEL.plain, from, to);
  return { hits, said };
}
