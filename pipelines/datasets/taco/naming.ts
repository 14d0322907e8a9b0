/** What the ambiguities of a request are called, and what is answered about them. */
import { normalKey, strengthOf, tokenise } from "../../oracle/index.js";
import { quoteIdentifier } from "../../sql/index.js";
import type { Choices, ValueChoice, Wording } from "./items.js";
import { columnWords, holdsPhrase } from "./verbaliser/index.js";

/**
 * A table's name as a person says it: `food_inspections_2019` → `food inspections 2019`. Letters with a number run on
 * (`minglu12`, a portal's own numbering) are no words to a reader, unless the number is a year.
 */
export function tableWords(table: string): string {
  const numbered = /\p{L}\d/u.test(table.replace(/(?:1[89]|20)\d\d(?!\d)/g, ""));
  return (numbered ? undefined : columnWords(table)) ?? table;
}

/** Names that differ only in how they are written (`Parks2019`, `parks_2019`) are told apart by that. */
function spoken(table: string, tables: readonly string[]): string {
  const words = tableWords(table);
  const twins = tables.filter((other) => normalKey(other) === normalKey(table));
  return twins.length > 1 ? `"${table}"` : words;
}

const byName = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

/** All tables that the request may mean, in an order that does not tell which it does. */
const candidates = ({ reference, alternatives }: Choices): string[] =>
  [reference, ...alternatives].map(({ table }) => table).sort(byName);

/** Each phrase once, the term left out; phrases without a word name nothing. */
function distinct(phrases: readonly string[], term: string): string[] {
  const seen = new Set([normalKey(term), ""]);
  return phrases.filter((phrase) => {
    const key = normalKey(phrase);
    const fresh = !seen.has(key);
    seen.add(key);
    return fresh;
  });
}

/**
 * A name counts by itself only if a question about something else would not hold it: not a bare everyday word, nor a
 * word of a column or of the request. With "table" it always does.
 */
function standsAlone(name: string, wording: Wording): boolean {
  const keys = tokenise(name).map(({ key }) => key);
  if (keys.length === 0 || strengthOf(keys) !== "specific") return false;
  return ![...wording.column_phrases, wording.request].some((text) => holdsPhrase(text, name));
}

/** What else the open table is called: the noun of the term, "table" and "dataset", and each candidate's name. */
export function tableAliases(choices: Choices, wording: Wording): string[] {
  const noun = wording.term.replace(/^the /, "");
  const names = candidates(choices).map((table) => {
    const words = tableWords(table);
    return standsAlone(words, wording) ? words : `${words} table`;
  });
  return distinct([noun, "table", "dataset", ...names], wording.term);
}

/** What else the open value is called. The bare column, where it is only said of this filter. */
export function valueAliases(value: ValueChoice, wording: Wording): string[] {
  const { phrase, column, values } = value;
  const asked = ["which", "what", "certain"].map((word) => `${word} ${phrase}`);
  const bare = value.named_elsewhere ? [] : [phrase, column];
  const said = values.filter((one) => one.length > 3 && /\p{L}/u.test(one) && standsAlone(one, wording));
  return distinct([...bare, ...asked, `${phrase} value`, ...said], value.term);
}

/** What the person means by the records, without SQL. */
export function tableResponse(choices: Choices, term: string): string {
  const { table } = choices.reference;
  return `By "${term}" I mean those in the table ${spoken(table, [...candidates(choices), ...choices.equal])}.`;
}

export function valueResponse({ term, value }: ValueChoice): string {
  return `By "${term.replaceAll('"', "")}" I mean "${value}".`;
}

export const tableResolution = (choices: Choices, term: string): string =>
  `"${term}" are the rows of the table ${quoteIdentifier(choices.reference.table)}.`;
