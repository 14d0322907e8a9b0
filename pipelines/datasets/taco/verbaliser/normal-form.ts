/** One form for expressions that mean the same, so that they get the same sentence. */
import type { ComparisonOperator, Expression } from "./query.js";

/** Other names of one function, and of one affinity. */
export const SAME_FUNCTION: ReadonlyMap<string, string> = new Map([
  ["IFNULL", "COALESCE"],
  ["SUBSTRING", "SUBSTR"],
  ["STRING_AGG", "GROUP_CONCAT"],
]);
export const SAME_TYPE: ReadonlyMap<string, string> = new Map([
  ["INT", "INTEGER"],
  ["BIGINT", "INTEGER"],
  ["FLOAT", "REAL"],
  ["DOUBLE", "REAL"],
  ["CHAR", "TEXT"],
  ["VARCHAR", "TEXT"],
]);

export const isNull = (expression: Expression): boolean =>
  expression.kind === "literal" && expression.literal.kind === "null";

/** AND of ANDs is one AND: the grouping changes nothing. */
export function together(kind: "all" | "any", operands: readonly Expression[]): Expression {
  const flat = operands.flatMap((one) => (one.kind === kind ? one.operands : [one]));
  const [only] = flat;
  return flat.length === 1 && only !== undefined ? only : { kind, operands: flat };
}

const OPPOSITE: Readonly<Record<ComparisonOperator, ComparisonOperator>> = {
  "=": "<>",
  "<>": "=",
  "<": ">=",
  ">=": "<",
  ">": "<=",
  "<=": ">",
  IS: "IS NOT",
  "IS NOT": "IS",
};

/** NOT of a condition. Of a comparison it is the opposite one, since both are NULL where a side is NULL. */
export function negated(operand: Expression): Expression {
  switch (operand.kind) {
    case "compare":
      return { ...operand, operator: OPPOSITE[operand.operator] };
    case "missing":
    case "between":
    case "in":
    case "like":
      return { ...operand, negated: !operand.negated };
    default:
      return { kind: "not", operand };
  }
}
