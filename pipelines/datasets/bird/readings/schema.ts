/** The database as the operators see it: tables and columns with their kind, their keys and how a person says them. */
import { tokenise } from "../../../oracle/index.js";
import { type SchemaDescription, sameName } from "../../../sql/index.js";

/** What a column holds, as far as that decides which other column might be meant instead. */
export type ColumnKind = "key" | "number" | "date" | "text";

export interface ReadingColumn {
  name: string;
  /** "full name", "average salary": how a person says it. */
  words: string;
  kind: ColumnKind;
  primary: boolean;
  /** The table whose key it holds. */
  refers: string | null;
}

export interface ReadingTable {
  name: string;
  /** "superhero", "hero attribute": one of its rows, as a person says it. */
  words: string;
  columns: ReadingColumn[];
}

export type ReadingSchema = readonly ReadingTable[];

/** The source's own words for a column ("average salary" for `A11`), where it has any. */
export type ColumnWords = (table: string, column: string) => string | undefined;

const UNITS = ["cm", "kg", "mm", "km", "usd", "eur", "gb", "mb", "ms"];

/** `height_cm` → "height in cm", `eye_colour_id` → "eye colour id". */
export function inWords(name: string): string {
  const words = tokenise(name).map(({ text }) => text);
  const last = words.at(-1);
  if (words.length > 1 && last !== undefined && UNITS.includes(last)) words.splice(-1, 0, "in");
  return words.length === 0 ? name : words.join(" ");
}

function kindOf(type: string, name: string, isKey: boolean): ColumnKind {
  const words = tokenise(name).map(({ key }) => key);
  if (isKey || ["id", "uuid", "code"].includes(words.at(-1) ?? "")) return "key";
  const declared = type.toUpperCase();
  if (/DATE|TIME/.test(declared) || words.some((word) => ["date", "birthday", "dob"].includes(word)))
    return "date";
  return /INT|REAL|FLOA|DOUB|NUM|DEC/.test(declared) ? "number" : "text";
}

/** A name that says nothing to a person: `A11`, `id2`, `PT`. */
const isCryptic = (name: string): boolean =>
  /^(?:[A-Za-z]{0,2}\d*|[A-Z]{2,4}\d*|[A-Za-z]\w{0,2})$/.test(name) && name.toLowerCase() !== "id";
/** As many words are a name; more are an explanation. */
const MOST_NAME_WORDS = 5;

/**
 * Words for columns whose names say nothing, from what the source says of them: the part before a colon, or a short
 * description.
 *
 * @param meanings `table.column` → what the source says
 */
export function wordsFromMeanings(meanings: Readonly<Record<string, string>>): ColumnWords {
  return (table, column) => {
    const meaning = meanings[`${table}.${column}`];
    if (meaning === undefined || !isCryptic(column)) return undefined;
    const name = meaning.split(/[:.;(\n]/)[0]?.trim() ?? "";
    return name !== "" && name.split(/\s+/).length <= MOST_NAME_WORDS ? name : undefined;
  };
}

/** @param wordsFor the source's own words; a name with letters and digits only (`A11`) says nothing by itself */
export function readingSchema(
  description: SchemaDescription,
  wordsFor: ColumnWords = () => undefined,
): ReadingSchema {
  return description.tables.map((table) => ({
    name: table.name,
    words: inWords(table.name),
    columns: table.columns.map(({ name, type, primary_key }) => {
      const key = table.foreign_keys.find(
        ({ columns }) => columns.length === 1 && sameName(columns[0] ?? "", name),
      );
      const refers = key?.table ?? null;
      const primary = primary_key > 0;
      const words = wordsFor(table.name, name)?.trim();
      return {
        name,
        words: words === undefined || words === "" ? inWords(name) : inWords(words),
        kind: kindOf(type, name, primary || refers !== null),
        primary,
        refers,
      };
    }),
  }));
}

export function tableOf(schema: ReadingSchema, name: string): ReadingTable | undefined {
  return schema.find((table) => sameName(table.name, name));
}

export function columnOf(table: ReadingTable | undefined, name: string): ReadingColumn | undefined {
  return table?.columns.find((column) => sameName(column.name, name));
}

/** "the height in cm of the superhero"; "the superhero name", which needs no more. */
export function columnPhrase(column: ReadingColumn, table: ReadingTable): string {
  const words = withoutId(column.words);
  const nouns = tokenise(table.words).map(({ key }) => key);
  const said = tokenise(words).map(({ key }) => key);
  return nouns.every((noun) => said.includes(noun)) ? `the ${words}` : `the ${words} of the ${table.words}`;
}

/** What a column is about, without its unit: "height in cm" → height. */
export function subjectKeys(column: ReadingColumn): string[] {
  return tokenise(withoutId(column.words))
    .filter(({ text }) => text !== "in" && text !== "of" && !UNITS.includes(text))
    .map(({ key }) => key);
}

/** The words of a key without its "id": "eye colour id" → "eye colour". */
export const withoutId = (words: string): string => words.replace(/\s+(?:id|code|uuid)$/, "");
