import { isGrammatical, type Token, tokenise } from "../../../oracle/index.js";

/** Words of the question, as they stand there. */
export interface Run {
  text: string;
  /** How many of its tokens are more than grammar. */
  content: number;
}

const contentOf = (tokens: readonly Token[]): number =>
  tokens.filter(({ key }) => !isGrammatical(key)).length;

/** Tokens without the words of grammar at both ends. */
function trimmed(tokens: readonly Token[]): readonly Token[] {
  const first = tokens.findIndex(({ key }) => !isGrammatical(key));
  const last = tokens.findLastIndex(({ key }) => !isGrammatical(key));
  return first === -1 ? [] : tokens.slice(first, last + 1);
}

const textOf = (source: string, tokens: readonly Token[]): string =>
  tokens.length === 0 ? "" : source.slice(tokens[0]?.start, tokens.at(-1)?.end);

/** Where the question says a phrase, in the question's own letters; undefined where it does not. */
export function saidIn(question: string, phrase: string): string | undefined {
  const said = tokenise(question);
  const keys = tokenise(phrase).map(({ key }) => key);
  if (keys.length === 0) return undefined;
  const at = said.findIndex((_, from) => keys.every((key, offset) => said[from + offset]?.key === key));
  return at === -1 ? undefined : textOf(question, said.slice(at, at + keys.length));
}

/**
 * The longest run of the question's words that a hint has too, in the same order and without a gap; the earliest of equal
 * ones. Runs of grammar alone are none.
 */
export function sharedRun(question: string, hint: string): Run | undefined {
  const said = tokenise(question);
  const hinted = tokenise(hint).map(({ key }) => key);
  let best: { tokens: readonly Token[]; content: number } | undefined;
  for (let from = 0; from < said.length; from += 1) {
    for (let at = 0; at < hinted.length; at += 1) {
      let length = 0;
      while (said[from + length] !== undefined && said[from + length]?.key === hinted[at + length])
        length += 1;
      const tokens = trimmed(said.slice(from, from + length));
      const content = contentOf(tokens);
      if (content > (best?.content ?? 0)) best = { tokens, content };
    }
  }
  return best === undefined ? undefined : { text: textOf(question, best.tokens), content: best.content };
}

/** Words that end the noun phrase after "average", "percentage", …. */
const PHRASE_END =
  /^(?:of|for|in|on|at|by|from|to|with|between|among|that|which|who|whose|where|when|is|are|was|were|has|have|had|do|did|does|and|or|than|per|the|a|an|she|he|they|if|all|each)$/i;

/** From a word of the question that one of the patterns fits, to the end of its noun phrase ("average lap time"). */
export function phraseFrom(question: string, pattern: RegExp): string | undefined {
  const said = tokenise(question);
  const from = said.findIndex(({ text }) => pattern.test(text));
  if (from === -1) return undefined;
  let to = from + 1;
  while (said[to] !== undefined && said[to]?.pause === "" && !PHRASE_END.test(said[to]?.text ?? "")) to += 1;
  return textOf(question, said.slice(from, to));
}
