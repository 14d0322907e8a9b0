/**
 * How much of an ambiguity's concepts a question names, and whether that is enough (spec 3: "concept overlap … a threshold
 * rejects generic questions"; the threshold is ours). The weights are those of `concept-weights.ts`.
 */
import { countsHere } from "../frames.js";
import { runTogether, type Token } from "../normalise.js";
import type { KnowledgeView } from "../types.js";
import { conceptsOf, UNIT } from "./concept-weights.js";
import { asksForMeaning, asksForShape } from "./question-kind.js";

/** Enough for any question, and for one about how the answer is to be shown ("should … be sorted?"). */
const ENOUGH = 2 * UNIT;
const ENOUGH_FOR_SHAPE = 3 * UNIT;

/** How much of one ambiguity a question names; `place` is the first token that did. */
export interface Overlap {
  readonly units: number;
  readonly place: number;
  /** Whether this alone is enough for a credit. */
  readonly enough: boolean;
}

/** Token `at` goes on with the written word of the one before it, as in "atom_id2" or "lapTime". */
const continues = (text: string, tokens: readonly Token[], at: number): boolean =>
  /^_*$/.test(text.slice(tokens[at - 1]?.end ?? 0, tokens[at]?.start ?? text.length)) &&
  at > 0 &&
  at < tokens.length;

/** The columns that some run of whole written words, none of them `said`, is. */
function columnsNamed(
  text: string,
  tokens: readonly Token[],
  said: ReadonlySet<number>,
  columns: ReadonlyMap<string, number>,
): ReadonlySet<string> {
  const longest = Math.max(0, ...[...columns.keys()].map((column) => column.length));
  const named = new Set<string>();
  for (let from = 0; from < tokens.length; from += 1) {
    if (continues(text, tokens, from)) continue;
    for (let to = from + 1; to <= tokens.length && !said.has(to - 1); to += 1) {
      const run = runTogether(tokens.slice(from, to).map(({ key }) => key));
      if (run.length > longest) break;
      if (columns.has(run) && !continues(text, tokens, to)) named.add(run);
    }
  }
  return named;
}

/**
 * How much of each ambiguity the tokens name, in annotation order.
 *
 * Two units are enough; three in a question about the answer's shape. One is enough where the question asks for a
 * definition and names a column of the hint, or where it asks what is meant by a word of the term that carries meaning.
 * All words of a term, two or more, are enough in any order, however many of the record's hints share them.
 *
 * @param said tokens that belong to a whole-term mention, which is no concept again
 */
export function conceptOverlaps(
  text: string,
  tokens: readonly Token[],
  said: ReadonlySet<number>,
  view: KnowledgeView,
): readonly Overlap[] {
  const shape = asksForShape(tokens);
  const meaning = !shape && asksForMeaning(tokens);
  const framed = (at: number): boolean => !shape && countsHere("bare", tokens, at, at + 1);
  return conceptsOf(view).map(({ weights, termWords, meaningOf, columns }) => {
    const found = new Map<string, number>();
    for (const [at, { key }] of tokens.entries()) {
      if (!said.has(at) && weights.has(key) && !found.has(key)) found.set(key, at);
    }
    const named = columnsNamed(text, tokens, said, columns);
    const units =
      [...found.keys()].reduce((sum, key) => sum + (weights.get(key) ?? 0), 0) +
      [...named].reduce((sum, name) => sum + (columns.get(name) ?? 0), 0);
    const asked = [...found].some(
      ([key, at]) => weights.get(key) === UNIT && meaningOf.has(key) && framed(at),
    );
    const wholeTerm = termWords.length > 1 && termWords.every((key) => found.has(key));
    return {
      units,
      place: Math.min(...found.values(), tokens.length),
      enough: shape
        ? units >= ENOUGH_FOR_SHAPE
        : units >= ENOUGH || wholeTerm || asked || (meaning && named.size > 0),
    };
  });
}
