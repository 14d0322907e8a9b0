/**
 * A database's schema as the text that every prompt holds (spec 6): tables, columns, types, keys, a few values of each
 * column and what the columns mean. Compact, the same every time, and within a budget of tokens; what had to be cut is
 * said at its end, so that a reader never takes a gap for the whole.
 *
 * @example
 * const { text, cut } = schemaText(view.schema, { columnMeanings: view.column_meanings, budget: 6000 });
 */
import { quoteIdentifier } from "../sql/index.js";
import { examplesOf, type SchemaTable } from "./views.js";

export interface SchemaTextOptions {
  /** `table.column` → what it means. Those that name no column of the schema are listed after it. */
  readonly columnMeanings?: Readonly<Record<string, string>>;
  /** Estimated tokens that the text may take; no limit unless told. */
  readonly budget?: number;
}

export interface SchemaText {
  readonly text: string;
  /** What was left out to fit the budget, in words; empty where nothing was. */
  readonly cut: string;
}

/**
 * About how many tokens a text is, on the high side: no tokeniser of the models in use takes more than one token for
 * three bytes of English, SQL and JSON on average.
 */
export const estimateTokens = (text: string): number => Math.ceil(Buffer.byteLength(text, "utf8") / 3);

/** How much of it is shown. Names, types and keys always are: without them no SQL could be written. */
interface Detail {
  readonly examples: number;
  /** The longest meaning, in characters. */
  readonly meaning: number;
}

/** From all there is to names alone; examples go before meanings, because a meaning says more. */
const DETAILS: readonly (Detail & { readonly cut: string })[] = [
  { examples: Number.POSITIVE_INFINITY, meaning: Number.POSITIVE_INFINITY, cut: "" },
  { examples: 1, meaning: Number.POSITIVE_INFINITY, cut: "all examples but one a column" },
  { examples: 0, meaning: Number.POSITIVE_INFINITY, cut: "the examples" },
  // The values that a code may have often stand late in a long meaning, so it is cut no shorter than it must be.
  ...[480, 240, 120].map((meaning) => ({
    examples: 0,
    meaning,
    cut: "the examples, and what is long in the column meanings",
  })),
  { examples: 0, meaning: 0, cut: "the examples and the column meanings" },
];

const oneLine = (text: string): string => text.replace(/\s+/g, " ").trim();

function shortened(text: string, most: number): string {
  const points = [...oneLine(text)];
  return points.length <= most ? points.join("") : most === 0 ? "" : `${points.slice(0, most).join("")}…`;
}

const placeOf = (table: string, column: string): string => `${table}.${column}`.toLowerCase();

function tableLines(table: SchemaTable, meanings: ReadonlyMap<string, string>, detail: Detail): string {
  const lines = table.columns.map(({ name, type, key }) => {
    const meaning = shortened(meanings.get(placeOf(table.name, name)) ?? "", detail.meaning);
    const values = examplesOf(table, name).slice(0, detail.examples);
    const notes = [
      ...(meaning === "" ? [] : [meaning]),
      ...(values.length === 0 ? [] : [`e.g. ${values.map((value) => JSON.stringify(value)).join(", ")}`]),
    ];
    const note = notes.length === 0 ? "" : `  -- ${notes.join("; ")}`;
    return `  ${quoteIdentifier(name)}${type === "" ? "" : ` ${type}`}${key ? " KEY" : ""}${note}`;
  });
  const keys = table.foreign_keys.map(({ columns, table: to, to: targets }) => {
    const target = targets.length === 0 ? to : `${to}(${targets.join(", ")})`;
    return `  (${columns.join(", ")}) refers to ${target}`;
  });
  return [`table ${quoteIdentifier(table.name)}`, ...lines, ...keys].join("\n");
}

function render(
  schema: readonly SchemaTable[],
  meanings: Readonly<Record<string, string>>,
  detail: Detail,
): string {
  const byPlace = new Map(Object.entries(meanings).map(([place, text]) => [place.toLowerCase(), text]));
  const columns = new Set(
    schema.flatMap(({ name, columns: all }) => all.map((one) => placeOf(name, one.name))),
  );
  const tables = schema.map((table) => tableLines(table, byPlace, detail));
  const others = Object.entries(meanings)
    .filter(([place]) => !columns.has(place.toLowerCase()))
    .map(([place, text]) => `  ${place}: ${shortened(text, detail.meaning)}`);
  const listed = others.length > 0 && detail.meaning > 0 ? ["column meanings", ...others] : [];
  return [...tables, ...listed].join("\n");
}

/** The schema as text: all of it where that fits the budget, else with as little cut as will fit. */
export function schemaText(schema: readonly SchemaTable[], options: SchemaTextOptions = {}): SchemaText {
  const { columnMeanings = {}, budget = Number.POSITIVE_INFINITY } = options;
  for (const [at, detail] of DETAILS.entries()) {
    const text = render(schema, columnMeanings, detail);
    if (estimateTokens(text) > budget && at < DETAILS.length - 1) continue;
    if (detail.cut === "") return { text, cut: "" };
    return { text: `${text}\n(left out to save room: ${detail.cut})`, cut: detail.cut };
  }
  return { text: "", cut: "" };
}
