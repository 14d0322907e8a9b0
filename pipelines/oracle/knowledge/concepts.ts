/**
 * How much of an ambiguity's concepts a question names (spec 3: "concept overlap, weighted by how rare the concept is
 * among the record's ambiguities"; the weights and the threshold are ours).
 *
 * What is compared are words. A word of the term or of a column counts as one unit, another word of the concepts as half
 * a unit (a hint's words are often its record's topic too), a number, a letter or an everyday word ("code", "year") as
 * less, and a column that is named whole counts half a unit more; each is divided by the number of the record's ambiguities that have it. Units are whole numbers, so that equal
 * scores are equal whatever the order of adding.
 */
import { isAttributeWord, isGrammatical, isQueryWord, strengthOf } from "../everyday-words.js";
import { countsHere } from "../frames.js";
import { runTogether, type Token, tokenise } from "../normalise.js";
import type { KnowledgeView } from "../types.js";
import { asksForMeaning, asksForShape } from "./question-kind.js";

/** One unit; it can be divided by small numbers without a remainder. */
const UNIT = 5040;
/** Enough for any question, and for one about how the answer is to be shown ("should … be sorted?"). */
const ENOUGH = 2 * UNIT;
const ENOUGH_FOR_SHAPE = 3 * UNIT;

interface AmbiguityConcepts {
  /** Word → units. */
  readonly weights: ReadonlyMap<string, number>;
  readonly termWords: ReadonlySet<string>;
  /** Columns, each run together as `runTogether` does → what naming it whole adds to its words. */
  readonly columns: ReadonlyMap<string, number>;
}

/** How much of one ambiguity a question names; `place` is the first token that did. */
export interface Overlap {
  readonly units: number;
  readonly place: number;
  /** Whether this alone is enough for a credit. */
  readonly enough: boolean;
}

const keysOf = (text: string): string[] => tokenise(text).map(({ key }) => key);

/** snake_case, camelCase, digits or capitals only: no word of a sentence is written so. */
const IDENTIFIER = /_|\p{Ll}\p{Lu}|\p{L}\p{N}|^\p{Lu}{2,}$/u;
/** A name before an operator ("label = '+'"), in backticks, or after "refers to" at the hint's end. */
const COLUMN_IN_HINT =
  /`([^`]+)`|([\p{L}_][\p{L}\p{N}_.]*)\s*(?:[=<>]|!=|\b(?:like|in|between|is (?:not )?null)\b)|\brefers? to\s+([\p{L}_][\p{L}\p{N}_.]*)\s*$/giu;

function columnsOf(resolution: string, concepts: readonly string[]): ReadonlySet<string> {
  const named = [...resolution.matchAll(COLUMN_IN_HINT)].map(
    (match) => match[1] ?? match[2] ?? match[3] ?? "",
  );
  const columns = new Set(named.map((name) => runTogether(keysOf(name))));
  return new Set(
    concepts
      .map((concept) => ({ concept, keys: keysOf(concept) }))
      .filter(({ concept, keys }) => {
        const known = IDENTIFIER.test(concept) || columns.has(runTogether(keys));
        return known && strengthOf(keys) !== "bare";
      })
      .map(({ keys }) => runTogether(keys)),
  );
}

/** A word's units before rarity. */
function unitsOf(key: string, ofTermOrColumn: boolean): number {
  if (isAttributeWord(key) || isQueryWord(key)) return UNIT / 4;
  if (/^[\d.]+$/.test(key) || key.length < 2) return UNIT / 2;
  return ofTermOrColumn ? UNIT : UNIT / 2;
}

const ownersAmong = (sets: readonly { has(key: string): boolean }[], key: string): number =>
  sets.filter((one) => one.has(key)).length;

function buildConcepts({ ambiguities }: KnowledgeView): readonly AmbiguityConcepts[] {
  const all = ambiguities.map(({ term, concepts = [], resolution = "" }) => {
    const termWords = new Set(keysOf(term));
    const columns = columnsOf(resolution, concepts);
    const words = new Map<string, number>();
    for (const text of [term, ...concepts]) {
      const keys = keysOf(text);
      const full = text === term || columns.has(runTogether(keys));
      for (const key of keys) {
        if (isGrammatical(key)) continue;
        words.set(key, Math.max(words.get(key) ?? 0, unitsOf(key, full)));
      }
    }
    return { words, termWords, columns };
  });
  const allWords = all.map(({ words }) => words);
  const allColumns = all.map(({ columns }) => columns);
  const rare = (units: number, owners: number): number => Math.round(units / owners);
  return all.map(({ words, termWords, columns }) => ({
    weights: new Map([...words].map(([key, units]) => [key, rare(units, ownersAmong(allWords, key))])),
    termWords,
    columns: new Map([...columns].map((name) => [name, rare(UNIT / 2, ownersAmong(allColumns, name))])),
  }));
}

const known = new WeakMap<KnowledgeView["ambiguities"], readonly AmbiguityConcepts[]>();

/** The concepts of a view's ambiguities, in their order; a view is frozen, so they are prepared once. */
function conceptsOf(view: KnowledgeView): readonly AmbiguityConcepts[] {
  const before = known.get(view.ambiguities);
  if (before !== undefined) return before;
  const made = buildConcepts(view);
  if (Object.isFrozen(view.ambiguities)) known.set(view.ambiguities, made);
  return made;
}

/** The columns that some run of tokens, none of them `said`, is the whole of. */
function columnsNamed(
  tokens: readonly Token[],
  said: ReadonlySet<number>,
  columns: ReadonlyMap<string, number>,
): ReadonlySet<string> {
  const longest = Math.max(0, ...[...columns.keys()].map((column) => column.length));
  const named = new Set<string>();
  for (let from = 0; from < tokens.length; from += 1) {
    for (let to = from + 1; to <= tokens.length && !said.has(to - 1); to += 1) {
      const said = runTogether(tokens.slice(from, to).map(({ key }) => key));
      if (said.length > longest) break;
      if (columns.has(said)) named.add(said);
    }
  }
  return named;
}

/**
 * How much of each ambiguity the tokens name, in annotation order.
 *
 * Two units are enough; three in a question about the answer's shape. One is enough where the question asks for a
 * definition and names a column of the hint, or where it asks what a word of the term means.
 *
 * @param said tokens that belong to a whole-term mention, which is no concept again
 */
export function conceptOverlaps(
  tokens: readonly Token[],
  said: ReadonlySet<number>,
  view: KnowledgeView,
): readonly Overlap[] {
  const shape = asksForShape(tokens);
  const meaning = !shape && asksForMeaning(tokens);
  const framed = (at: number): boolean => !shape && countsHere("bare", tokens, at, at + 1);
  return conceptsOf(view).map(({ weights, termWords, columns }) => {
    const found = new Map<string, number>();
    for (const [at, { key }] of tokens.entries()) {
      if (!said.has(at) && weights.has(key) && !found.has(key)) found.set(key, at);
    }
    const named = columnsNamed(tokens, said, columns);
    const units =
      [...found.keys()].reduce((sum, key) => sum + (weights.get(key) ?? 0), 0) +
      [...named].reduce((sum, name) => sum + (columns.get(name) ?? 0), 0);
    const asked = [...found].some(
      ([key, at]) => weights.get(key) === UNIT && termWords.has(key) && framed(at),
    );
    return {
      units,
      place: Math.min(...found.values(), tokens.length),
      enough: units >= (shape ? ENOUGH_FOR_SHAPE : ENOUGH) || asked || (meaning && named.size > 0),
    };
  });
}
