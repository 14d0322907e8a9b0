/** A database's schema as a prompt shows it: compact, the same every time, and no longer than it may be. */
import type { SchemaDescription, TableDescription } from "./describe.js";
import { describeConnection } from "./describe.js";
import { type Connection, withDatabase } from "./sqlite/read-only.js";
import { quoteIdentifier, quoteLiteral } from "./text/shape.js";

export interface SchemaTextOptions {
  /** `table.column` → what the column means; every column's when left out, none. */
  columnMeanings?: Readonly<Record<string, string>>;
  /**
   * Characters that the text should not exceed. Where it would, values go first, then long meanings are cut, then meanings
   * go: names, types and keys always stay.
   */
  budget?: number;
}

/** Column name → some of its values, as SQL literals. */
type Examples = ReadonlyMap<string, readonly string[]>;

const EXAMPLES = 3;
const LONGEST_EXAMPLE = 40;
const LONGEST_MEANING = 120;
/** Rows that values are looked for in: large tables are not read to their end. */
const ROWS_LOOKED_AT = 200;

/** The first distinct short values of each column, in the table's own order. */
function examplesOf(connection: Connection, table: TableDescription): Examples {
  return new Map(
    table.columns.map(({ name }) => {
      const field = quoteIdentifier(name);
      const values = connection
        .prepare<[], { value: string; kind: string }>(
          `SELECT DISTINCT CAST(${field} AS TEXT) AS value, typeof(${field}) AS kind
             FROM (SELECT ${field} FROM ${quoteIdentifier(table.name)} LIMIT ${ROWS_LOOKED_AT})
             WHERE ${field} IS NOT NULL AND typeof(${field}) <> 'blob' AND length(${field}) <= ${LONGEST_EXAMPLE}
             LIMIT ${EXAMPLES}`,
        )
        .all();
      return [name, values.map(({ value, kind }) => (kind === "text" ? quoteLiteral(value) : value))];
    }),
  );
}

interface Detail {
  values: boolean;
  longestMeaning: number;
}

const cut = (text: string, longest: number): string =>
  text.length <= longest ? text : `${text.slice(0, longest - 1).trimEnd()}…`;

function tableText(
  table: TableDescription,
  examples: Examples | undefined,
  meanings: Readonly<Record<string, string>>,
  { values, longestMeaning }: Detail,
): string {
  const columns = table.columns.map(({ name, type, primary_key }) => {
    const notes = [
      cut((meanings[`${table.name}.${name}`] ?? "").replace(/\s+/g, " ").trim(), longestMeaning),
      values && (examples?.get(name)?.length ?? 0) > 0 ? `e.g. ${examples?.get(name)?.join(", ")}` : "",
    ].filter((note) => note !== "" && note !== "…");
    const key = primary_key > 0 ? " PRIMARY KEY" : "";
    const note = notes.length > 0 ? `  -- ${notes.join(" | ")}` : "";
    return `  ${quoteIdentifier(name)}${type === "" ? "" : ` ${type}`}${key},${note}`;
  });
  const keys = table.foreign_keys.map(({ columns: from, table: to, references }) => {
    const target = references === null ? "" : ` (${references.map(quoteIdentifier).join(", ")})`;
    return `  FOREIGN KEY (${from.map(quoteIdentifier).join(", ")}) REFERENCES ${quoteIdentifier(to)}${target},`;
  });
  return [`TABLE ${quoteIdentifier(table.name)} (`, ...columns, ...keys, ")"].join("\n");
}

/**
 * The schema of a SQLite database with some values and, where they are given, the columns' meanings. Within the budget as
 * much of it as fits; what is left out is the same for the same database.
 *
 * @param path the database's file; throws a SqlError where it is none
 */
export function schemaText(path: string, options: SchemaTextOptions = {}): string {
  const { columnMeanings = {}, budget = Number.POSITIVE_INFINITY } = options;
  const { schema, examples } = withDatabase(path, (connection) => {
    const described: SchemaDescription = describeConnection(connection);
    return {
      schema: described,
      examples: new Map(described.tables.map((table) => [table.name, examplesOf(connection, table)])),
    };
  });
  const details: Detail[] = [
    { values: true, longestMeaning: Number.POSITIVE_INFINITY },
    { values: false, longestMeaning: Number.POSITIVE_INFINITY },
    { values: false, longestMeaning: LONGEST_MEANING },
    { values: false, longestMeaning: 0 },
  ];
  let text = "";
  for (const detail of details) {
    text = schema.tables
      .map((table) => tableText(table, examples.get(table.name), columnMeanings, detail))
      .join("\n\n");
    if (text.length <= budget) return text;
  }
  return text;
}
