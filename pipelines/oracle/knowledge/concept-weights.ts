/**
 * What the words of a record's ambiguities weigh (spec 3: "weighted by how rare the concept is among the record's
 * ambiguities"; the weights are ours).
 *
 * What is compared are words. A word of the term or of a column counts as one unit, another word of the concepts as half
 * a unit (a hint's words are often its record's topic too), a number, a letter or an everyday word ("code", "year") as
 * less, and a column that is named whole counts half a unit more; each is divided by the number of the record's
 * ambiguities that have it. Units are whole numbers, so that equal scores are equal whatever the order of adding.
 */
import {
  isAttributeWord,
  isCalculationWord,
  isGrammatical,
  isQueryWord,
  strengthOf,
} from "../everyday-words.js";
import { runTogether, tokenise } from "../normalise.js";
import type { KnowledgeView } from "../types.js";

/** One unit; it can be divided by small numbers without a remainder. */
export const UNIT = 5040;

/** One ambiguity's words. */
export interface AmbiguityConcepts {
  /** Word → units. */
  readonly weights: ReadonlyMap<string, number>;
  /** All words of the term but those of grammar; none where they are everyday words but for one. */
  readonly termWords: readonly string[];
  /** See `meaningWords`. */
  readonly meaningOf: ReadonlySet<string>;
  /** Columns, each run together as `runTogether` does → what naming it whole adds to its words. */
  readonly columns: ReadonlyMap<string, number>;
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
  if (isAttributeWord(key) || isQueryWord(key) || isCalculationWord(key)) return UNIT / 4;
  if (/^[\d.]+$/.test(key) || key.length < 2) return UNIT / 2;
  return ofTermOrColumn ? UNIT : UNIT / 2;
}

const ownersAmong = (sets: readonly { has(key: string): boolean }[], key: string): number =>
  sets.filter((one) => one.has(key)).length;

function buildConcepts({ ambiguities }: KnowledgeView): readonly AmbiguityConcepts[] {
  const all = ambiguities.map(({ term, concepts = [], resolution = "" }) => {
    const said = [...new Set(keysOf(term))].filter((key) => !isGrammatical(key));
    const telling = said.filter((key) => !isAttributeWord(key) && !isQueryWord(key));
    const termWords = telling.length > 1 ? said : [];
    const meaningOf = meaningWords(term);
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
    return { words, termWords, meaningOf, columns };
  });
  const allWords = all.map(({ words }) => words);
  const allColumns = all.map(({ columns }) => columns);
  const rare = (units: number, owners: number): number => Math.round(units / owners);
  return all.map(({ words, termWords, meaningOf, columns }) => ({
    weights: new Map([...words].map(([key, units]) => [key, rare(units, ownersAmong(allWords, key))])),
    termWords,
    meaningOf,
    columns: new Map([...columns].map((name) => [name, rare(UNIT / 2, ownersAmong(allColumns, name))])),
  }));
}

/**
 * The words of a term that carry its meaning: all but the noun that it is about, where it has others. That noun stands
 * before the first word of grammar ("molecules" in "molecules with double bonds"), else last ("late crossings").
 */
function meaningWords(term: string): ReadonlySet<string> {
  const keys = keysOf(term);
  const start = keys.findIndex((key) => !isGrammatical(key));
  const end = keys.findIndex((key, at) => at > start && isGrammatical(key));
  const noun = keys[(end < 0 ? keys.length : end) - 1];
  const words = new Set(keys.filter((key) => !isGrammatical(key)));
  if (words.size > 1 && noun !== undefined) words.delete(noun);
  return words;
}

const known = new WeakMap<KnowledgeView["ambiguities"], readonly AmbiguityConcepts[]>();

/** The concepts of a view's ambiguities, in their order; a view is frozen, so they are prepared once. */
export function conceptsOf(view: KnowledgeView): readonly AmbiguityConcepts[] {
  const before = known.get(view.ambiguities);
  if (before !== undefined) return before;
  const made = buildConcepts(view);
  if (Object.isFrozen(view.ambiguities)) known.set(view.ambiguities, made);
  return made;
}
