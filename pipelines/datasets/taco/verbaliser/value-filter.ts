import { together } from "./normal-form.js";
import { type Expression, expressionsOf, type Query } from "./query.js";

/** An equality between a column and a text, to be said without the text. */
export interface ValueFilter {
  column: string;
  value: string;
  /** "a certain facility type". */
  term: string;
}

/** The equalities of a column with a text that every row must meet, in the order of the statement. */
export function textEqualities({ where }: Query): { column: string; value: string; condition: Expression }[] {
  if (where === null) return [];
  const conditions = where.kind === "all" ? where.operands : [where];
  return conditions.flatMap((condition) => {
    if (condition.kind !== "compare" || condition.operator !== "=") return [];
    const { left, right } = condition;
    const [column, literal] = left.kind === "column" ? [left, right] : [right, left];
    if (column.kind !== "column" || literal.kind !== "literal" || literal.literal.kind !== "text") return [];
    return [{ column: column.column, value: literal.literal.text, condition }];
  });
}

/** The query without one of the conditions that every row must meet. */
export function withoutCondition(query: Query, condition: Expression): Query {
  const { where } = query;
  if (where === null) return query;
  const rest = (where.kind === "all" ? where.operands : [where]).filter((one) => one !== condition);
  return { ...query, where: rest.length === 0 ? null : together("all", rest) };
}

/** Whether the query has the column anywhere. */
export function usesColumn(query: Query, column: string): boolean {
  for (const expression of expressionsOf(query)) {
    if (expression.kind === "column" && expression.column === column) return true;
  }
  return false;
}
