import { columnInside, comparisonOf, findColumn } from "./lookup.js";
import type { ReadingSchema } from "./schema.js";
import { placesOf, type Query } from "./tree/index.js";

/** The text columns that a statement compares with a text: those whose values the operators ask for. */
export function comparedColumns(query: Query, schema: ReadingSchema): { table: string; column: string }[] {
  const found = new Map<string, { table: string; column: string }>();
  for (const { node, scope } of placesOf(query)) {
    const comparison = comparisonOf(node);
    if (comparison?.operator !== "=" || comparison.value.kind !== "text") continue;
    const column = columnInside(comparison.subject);
    const known = column === null ? null : findColumn(column, scope, schema);
    if (known?.column.kind !== "text") continue;
    const named = { table: known.table.name, column: known.column.name };
    found.set(JSON.stringify(named), named);
  }
  return [...found.values()];
}
