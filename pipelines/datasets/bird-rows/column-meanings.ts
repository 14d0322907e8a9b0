/** Fitting BIRD's description files to a database: the nearest name where none is the same, and nothing in silence. */
import type { DescribedColumn, Description } from "../../../sources/bird/index.js";
import { foldName } from "../../sql/index.js";

/** The part of a schema that the descriptions are fitted to. */
export interface NamedTables {
  tables: readonly { name: string; columns: readonly { name: string }[] }[];
}

export interface FittedMeanings {
  /** `table.column` in the database's spelling → meaning. */
  meanings: Record<string, string>;
  /** What did not fit, one sentence each. */
  mismatches: string[];
}

/** Letters and digits alone, so that "Free Meal Count (K-12)" and "free_meal_count_k12" are one. */
const bare = (name: string): string => foldName(name).replace(/[^\p{L}\p{N}]/gu, "");
const singular = (name: string): string =>
  bare(name)
    .replace(/(?:ies)$/, "y")
    .replace(/s$/, "");

/** Single-character changes from one name to the other (Levenshtein). */
function distance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, at) => at);
  for (const [i, left] of [...a].entries()) {
    const next = [i + 1];
    for (const [j, right] of [...b].entries()) {
      next.push(
        Math.min((row[j] ?? 0) + (left === right ? 0 : 1), (row[j + 1] ?? 0) + 1, (next[j] ?? 0) + 1),
      );
    }
    row = next;
  }
  return row[b.length] ?? 0;
}

type Likeness = "same" | "alike";

/** The one of `names` that `wanted` most plainly means: letter for letter, but for case, but for marks, number, a slip. */
function bestName(wanted: string, names: readonly string[]): { name: string; how: Likeness } | undefined {
  const tries: [(name: string) => boolean, Likeness][] = [
    [(name) => name === wanted, "same"],
    [(name) => foldName(name) === foldName(wanted), "same"],
    [(name) => bare(name) === bare(wanted), "alike"],
    [(name) => singular(name) === singular(wanted), "alike"],
    [(name) => bare(wanted).length > 4 && distance(bare(name), bare(wanted)) === 1, "alike"],
  ];
  for (const [fits, how] of tries) {
    const [first, ...more] = names.filter(fits);
    if (first !== undefined && more.length === 0) return { name: first, how };
  }
  return undefined;
}

/** One paragraph: the column's name in words where it says more than the column does, the description, the values. */
function meaningOf(column: string, described: DescribedColumn): string {
  const said = (text: string): string => text.replace(/\s+/g, " ").trim();
  const name = said(described.column_name);
  const description = said(described.column_description);
  const values = said(described.value_description);
  const names = [column, description].map(bare);
  const parts = [names.some((one) => one === bare(name)) ? "" : name, description].filter(Boolean);
  const first = parts.join(": ");
  if (values === "") return first;
  return first === "" ? values : `${first.replace(/[.;]$/, "")}. ${values}`;
}

/**
 * Gives each column of a database what upstream's description files say of it. A file is fitted to a table, and a line to
 * a column, by the best name (`ruling.csv` to `rulings`); what fits nothing, fits only nearly or is odd is a mismatch.
 */
export function fitMeanings(schema: NamedTables, files: readonly Description[]): FittedMeanings {
  const meanings = new Map<string, string>();
  const mismatches: string[] = [];
  const described = new Set<string>();
  for (const { table: file, columns, oddities } of files) {
    mismatches.push(...oddities.map((oddity) => `${file}.csv ${oddity}`));
    const found = bestName(
      file,
      schema.tables.map(({ name }) => name),
    );
    const table = schema.tables.find(({ name }) => name === found?.name);
    if (found === undefined || table === undefined) {
      mismatches.push(`${file}.csv describes no table of the database`);
      continue;
    }
    if (found.how === "alike") mismatches.push(`${file}.csv was taken for the table ${table.name}`);
    described.add(table.name);
    const names = table.columns.map(({ name }) => name);
    for (const line of columns) {
      if (line.original_column_name === "") continue;
      const column = bestName(line.original_column_name, names);
      if (column === undefined) {
        mismatches.push(`${file}.csv describes ${line.original_column_name}, which ${table.name} has not`);
        continue;
      }
      if (column.how === "alike") {
        mismatches.push(`${file}.csv: ${line.original_column_name} was taken for ${column.name}`);
      }
      const meaning = meaningOf(column.name, line);
      const key = `${table.name}.${column.name}`;
      if (meanings.has(key)) mismatches.push(`${file}.csv describes ${column.name} twice`);
      else if (meaning !== "") meanings.set(key, meaning);
    }
  }
  const order = schema.tables.flatMap(({ name, columns }) =>
    columns.map((column) => `${name}.${column.name}`),
  );
  return {
    meanings: Object.fromEntries(
      order.flatMap((key) => (meanings.has(key) ? [[key, meanings.get(key) ?? ""]] : [])),
    ),
    mismatches,
  };
}
