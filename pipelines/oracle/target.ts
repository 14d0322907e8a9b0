/** What a text asks about: the one place that decides it, for the live matcher and for the offline scorer alike. */
import { canonicalTarget, withoutProtocolWords } from "./canonical.js";
import { countsHere } from "./frames.js";
import { findMentions, type Mention } from "./mentions.js";
import { foldText, normalKey, runTogether, type Token, tokenise } from "./normalise.js";
import { DETERMINERS } from "./noun-phrase.js";
import type { PhraseBook } from "./phrases.js";
import { type QuotedSpan, quotedSpans } from "./quoted.js";

/** `ambiguity` is a position in annotation order. */
export type Target =
  | { readonly rule: "canonical" | "quoted" | "earliest"; readonly ambiguity: number }
  | { readonly rule: "tie" | "none" };

/** The one ambiguity in a list of candidates, however often it is in it. */
function single(ambiguities: readonly number[]): number | undefined {
  const distinct = new Set(ambiguities);
  return distinct.size === 1 ? ambiguities[0] : undefined;
}

/** The ambiguity whose phrase is the whole of `text`: letter for letter before word for word, terms before aliases. */
export function named(text: string, book: PhraseBook): number | undefined {
  const literal = foldText(text);
  const alike = book.phrases.filter((phrase) => phrase.literal === literal);
  const terms = alike.filter((phrase) => phrase.isTerm);
  for (const group of [terms, alike]) {
    if (group.length > 0) return single(group.map((phrase) => phrase.ambiguity));
  }
  const key = normalKey(text);
  const joined = runTogether(tokenise(text).map((token) => token.text));
  const close = book.byKey.get(key) ?? [];
  const closest = close.filter((phrase) => phrase.joined === joined);
  return single((closest.length > 0 ? closest : close).map((phrase) => phrase.ambiguity));
}

/** Mentions that lie within no longer mention: "name" inside "full name" is none of its own. */
export function uncovered(mentions: readonly Mention[]): readonly Mention[] {
  const length = (mention: Mention): number => mention.to - mention.from;
  return mentions.filter(
    (one) =>
      !mentions.some((other) => other.from <= one.from && other.to >= one.to && length(other) > length(one)),
  );
}

/**
 * What a quoted span names: the tokens in it, of which the first is the text's `first`; the ambiguity whose phrase is the
 * whole span (articles apart), if there is one; else the mentions that it holds, with places among its own tokens.
 */
export function spanTarget(
  text: string,
  span: QuotedSpan,
  tokens: readonly Token[],
  book: PhraseBook,
): { first: number; within: readonly Token[]; whole: number | undefined; held: readonly Mention[] } {
  const within = tokens.filter((token) => token.start >= span.start && token.end <= span.end);
  const first = within[0] === undefined ? 0 : tokens.indexOf(within[0]);
  let noun = 0;
  while (noun < within.length - 1 && DETERMINERS.has(within[noun]?.text ?? "")) noun += 1;
  const whole =
    named(text.slice(span.start, span.end), book) ??
    named(text.slice(within[noun]?.start ?? span.start, span.end), book);
  const held =
    whole === undefined
      ? findMentions(within, book).filter(({ phrase, from, to }) =>
          countsHere(phrase.strength, within, from, to),
        )
      : [];
  return { first, within, whole, held };
}

function quotedTarget(
  text: string,
  spans: readonly QuotedSpan[],
  tokens: readonly Token[],
  book: PhraseBook,
): number | undefined {
  for (const span of spans) {
    const { whole, held } = spanTarget(text, span, tokens, book);
    if (whole !== undefined) return whole;
    const one = single(uncovered(held).map((mention) => mention.phrase.ambiguity));
    if (one !== undefined) return one;
  }
  return undefined;
}

function earliestTarget(tokens: readonly Token[], book: PhraseBook): Target {
  const mentions = findMentions(tokens, book).filter(({ phrase, from, to }) =>
    countsHere(phrase.strength, tokens, from, to),
  );
  const first = mentions[0];
  if (first === undefined) return { rule: "none" };
  const equals = mentions.filter(
    (mention) => mention.from === first.from && mention.to === first.to && mention.exact === first.exact,
  );
  const ambiguity = single(equals.map((mention) => mention.phrase.ambiguity));
  return ambiguity === undefined ? { rule: "tie" } : { rule: "earliest", ambiguity };
}

/**
 * Which ambiguity a text is about (spec 3). In this order: the target of the canonical question; a quoted span that is,
 * or holds, one ambiguity's phrase; the earliest mention, the longer before the shorter and the exact before the other
 * number ("names" for "name"). Different ambiguities that remain equal are a tie. The protocol's own fixed sentences
 * (generic questions, adversarial suffix, refusal) mention nothing.
 */
export function findTarget(text: string, book: PhraseBook): Target {
  const asked = canonicalTarget(text);
  if (asked !== undefined) {
    const ambiguity = named(asked, book);
    if (ambiguity !== undefined) return { rule: "canonical", ambiguity };
  }
  const plain = withoutProtocolWords(text);
  const tokens = tokenise(plain);
  const quoted = quotedTarget(plain, quotedSpans(plain), tokens, book);
  if (quoted !== undefined) return { rule: "quoted", ambiguity: quoted };
  return earliestTarget(tokens, book);
}
