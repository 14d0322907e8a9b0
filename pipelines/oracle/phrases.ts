/** The phrases that name a record's ambiguities, prepared for matching. */
import { type Strength, strengthOf } from "./everyday-words.js";
import { foldText, runTogether, type Token, tokenise } from "./normalise.js";
import { DETERMINERS } from "./noun-phrase.js";
import type { NamedAmbiguity } from "./types.js";

/** A term or an alias. `ambiguity` is the position of its ambiguity in annotation order. */
export interface Phrase {
  readonly ambiguity: number;
  readonly isTerm: boolean;
  /** Letter for letter, but for case and white space. */
  readonly literal: string;
  /** Words run together: as written, and with plural endings off. */
  readonly joined: string;
  readonly key: string;
  readonly strength: Strength;
  /** The phrase itself holds a pause, so a mention of it may run across one. */
  readonly hasPause: boolean;
}

/** All phrases of a record. `byKey` groups them by what is compared; phrases without a word are not in it. */
export interface PhraseBook {
  readonly ambiguities: readonly NamedAmbiguity[];
  readonly phrases: readonly Phrase[];
  readonly byKey: ReadonlyMap<string, readonly Phrase[]>;
}

function phraseOf(text: string, tokens: readonly Token[], ambiguity: number, isTerm: boolean): Phrase {
  return {
    ambiguity,
    isTerm,
    literal: foldText(text),
    joined: runTogether(tokens.map((token) => token.text)),
    key: runTogether(tokens.map((token) => token.key)),
    strength: strengthOf(tokens.map((token) => token.key)),
    hasPause: tokens.some((token) => token.pause !== ""),
  };
}

/** "level of membership" → "membership level": the other order of the same phrase, if it has one. */
function withoutOf(tokens: readonly Token[]): readonly Token[] | undefined {
  const of = tokens.findIndex((token) => token.text === "of");
  if (of < 1 || of === tokens.length - 1 || tokens.some((token) => token.pause !== "")) return undefined;
  let noun = of + 1;
  while (DETERMINERS.has(tokens[noun]?.text ?? "") && noun < tokens.length - 1) noun += 1;
  return [...tokens.slice(noun), ...tokens.slice(0, of)];
}

/** "each machinery store" → "machinery store": what a phrase's determiners stand before, if it has them. */
function withoutDeterminers(tokens: readonly Token[]): readonly Token[] | undefined {
  let noun = 0;
  while (DETERMINERS.has(tokens[noun]?.text ?? "")) noun += 1;
  return noun === 0 || noun === tokens.length ? undefined : tokens.slice(noun);
}

/**
 * A determined phrase by its noun alone. It is a bare word here whatever the noun is: the ambiguity lies in what stands
 * before it, so a question about the things themselves names it too. It is not the phrase letter for letter.
 */
function nounOf(own: Phrase, tokens: readonly Token[]): Phrase[] {
  const noun = withoutDeterminers(tokens);
  if (noun === undefined) return [];
  const { joined, key, hasPause } = phraseOf("", noun, own.ambiguity, false);
  return [{ ...own, joined, key, hasPause, isTerm: false, strength: "bare" }];
}

function buildBook(ambiguities: readonly NamedAmbiguity[]): PhraseBook {
  const phrases = ambiguities.flatMap(({ term, aliases }, ambiguity) =>
    [term, ...aliases].flatMap((text, place) => {
      const tokens = tokenise(text);
      const turned = withoutOf(tokens);
      const own = phraseOf(text, tokens, ambiguity, place === 0);
      const variant = turned === undefined ? [] : [phraseOf(text, turned, ambiguity, false)];
      return [own, ...variant, ...nounOf(own, tokens)];
    }),
  );
  const byKey = new Map<string, Phrase[]>();
  for (const phrase of phrases) {
    if (phrase.key === "") continue;
    byKey.set(phrase.key, [...(byKey.get(phrase.key) ?? []), phrase]);
  }
  return { ambiguities, phrases, byKey };
}

const books = new WeakMap<readonly NamedAmbiguity[], PhraseBook>();

/** The book of a view's ambiguities; a view is frozen, so its book is made once. */
export function phraseBook(ambiguities: readonly NamedAmbiguity[]): PhraseBook {
  const known = books.get(ambiguities);
  if (known !== undefined) return known;
  const book = buildBook(ambiguities);
  if (Object.isFrozen(ambiguities)) books.set(ambiguities, book);
  return book;
}
