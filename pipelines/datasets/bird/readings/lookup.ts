/** What a place of the statement is in the schema, and what the operators ask of it again and again. */
import { sameName } from "../../../sql/index.js";
import type { OperatorInput } from "./edit.js";
import { columnOf, type ReadingColumn, type ReadingSchema, type ReadingTable, tableOf } from "./schema.js";
import {
  type ColumnNode,
  type Expression,
  type FromItem,
  type Place,
  type Scope,
  sourceOf,
} from "./tree/index.js";

export interface FoundColumn {
  source: FromItem;
  table: ReadingTable;
  column: ReadingColumn;
}

/** The table and column of the schema that a column of the statement is; null for one of a SELECT in FROM. */
export function findColumn(node: ColumnNode, scope: Scope, schema: ReadingSchema): FoundColumn | null {
  const has = (table: string, column: string): boolean =>
    columnOf(tableOf(schema, table), column) !== undefined;
  const source = sourceOf(node, scope, has);
  if (source?.source.kind !== "table") return null;
  const table = tableOf(schema, source.source.name);
  const column = columnOf(table, node.name);
  return table === undefined || column === undefined ? null : { source, table, column };
}

/** Through casts and the like to the column that an expression is about, where it is about just one. */
export function columnInside(node: Expression): ColumnNode | null {
  if (node.kind === "column") return node;
  if (node.kind === "cast") return columnInside(node.operand);
  if (node.kind !== "call") return null;
  const columns = node.args.map(columnInside).filter((column) => column !== null);
  return columns.length === 1 ? (columns[0] ?? null) : null;
}

/** A comparison's sides with the column on the left, whichever way it was written. */
const MIRRORED: ReadonlyMap<string, string> = new Map([
  ["<", ">"],
  [">", "<"],
  ["<=", ">="],
  [">=", "<="],
]);

export interface Comparison {
  operator: string;
  subject: Expression;
  value: Expression;
}

export function comparisonOf(node: Expression): Comparison | null {
  if (node.kind !== "operation") return null;
  const isValue = ({ kind }: Expression): boolean => kind === "number" || kind === "text";
  if (isValue(node.right)) return { operator: node.operator, subject: node.left, value: node.right };
  if (!isValue(node.left)) return null;
  return { operator: MIRRORED.get(node.operator) ?? node.operator, subject: node.right, value: node.left };
}

/** Numbers and texts as a person writes them. */
export function said(node: Expression): string {
  if (node.kind === "text") return node.value;
  if (node.kind === "minus") return `-${said(node.operand)}`;
  return node.kind === "number" ? node.text : "it";
}

/** What an expression is about, in words: "the height in cm", "the number of hero power rows". */
export function subjectOf(node: Expression, scope: Scope, input: OperatorInput): string {
  if (node.kind === "call" && node.name === "COUNT")
    return `the number of ${countedOf(node.args[0], scope, input)}`;
  const column = columnInside(node);
  if (column === null) return "the value";
  const found = findColumn(column, scope, input.schema);
  const words = `the ${found?.column.words ?? column.name}`;
  if (node.kind === "call" && node.name === "SUM") return words.replace("the ", "the total ");
  return node.kind === "call" && node.name === "AVG" ? words.replace("the ", "the average ") : words;
}

/** "a cost", "an atom". */
export const withArticle = (words: string): string => `${/^[aeiou]/i.test(words) ? "an" : "a"} ${words}`;

/** "superheroes": rows of a table, for a person. */
export function plural(words: string): string {
  if (/hero$/.test(words)) return `${words}es`;
  if (/(?:s|x|z|ch|sh)$/.test(words))
    return words.endsWith("ss") || !words.endsWith("s") ? `${words}es` : words;
  return /[^aeiou]y$/.test(words) ? `${words.slice(0, -1)}ies` : `${words}s`;
}

/** What a COUNT counts, in words. */
export function countedOf(argument: Expression | undefined, scope: Scope, input: OperatorInput): string {
  const column = argument === undefined ? null : columnInside(argument);
  const found = column === null ? null : findColumn(column, scope, input.schema);
  if (found !== null && found.column.kind !== "key") return plural(found.column.words);
  const refers = found?.column.refers ?? null;
  // COUNT(child.parent) for each parent counts children.
  const isParentThere = scope.query.from.some(
    ({ source }) => source.kind === "table" && sameName(source.name, refers ?? ""),
  );
  if (refers !== null && !isParentThere) return plural(tableOf(input.schema, refers)?.words ?? refers);
  if (found !== null) return plural(found.table.words);
  const [first] = scope.query.from;
  const table = first?.source.kind === "table" ? tableOf(input.schema, first.source.name) : undefined;
  return table === undefined ? "rows" : plural(table.words);
}

export function samePlace(a: Place, b: Place): boolean {
  return a.scope.query === b.scope.query;
}

export function sameColumn(a: ColumnNode, b: ColumnNode): boolean {
  return sameName(a.name, b.name) && sameName(a.table ?? "", b.table ?? "");
}
