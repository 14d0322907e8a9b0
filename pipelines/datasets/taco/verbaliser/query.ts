/** A single-table SELECT by its meaning: what the verbaliser says, and nothing of how it was written. */

export interface Literal {
  kind: "text" | "number" | "blob" | "null" | "true" | "false";
  /** The text itself, the digits, or the bytes in hex; empty for the rest. */
  text: string;
}

export type ArithmeticOperator = "+" | "-" | "*" | "/" | "%" | "||" | "&" | "|" | "<<" | ">>" | "->" | "->>";
export type ComparisonOperator = "=" | "<>" | "<" | "<=" | ">" | ">=" | "IS" | "IS NOT";

export interface Call {
  kind: "call";
  /** In capitals. */
  name: string;
  distinct: boolean;
  /** `count(*)`. */
  star: boolean;
  args: Expression[];
}

export type Expression =
  /** As the database writes the name. */
  | { kind: "column"; column: string }
  | { kind: "literal"; literal: Literal }
  | Call
  | { kind: "cast"; operand: Expression; type: string }
  | { kind: "collate"; operand: Expression; collation: string }
  | { kind: "unary"; operator: "-" | "+" | "~"; operand: Expression }
  | { kind: "arithmetic"; operator: ArithmeticOperator; left: Expression; right: Expression }
  | { kind: "case"; branches: { when: Expression; result: Expression }[]; otherwise: Expression | null }
  | { kind: "compare"; operator: ComparisonOperator; left: Expression; right: Expression }
  | { kind: "missing"; operand: Expression; negated: boolean }
  | { kind: "between"; operand: Expression; low: Expression; high: Expression; negated: boolean }
  | { kind: "in"; operand: Expression; list: Expression[]; negated: boolean }
  | { kind: "like"; how: "LIKE" | "GLOB"; operand: Expression; pattern: Expression; negated: boolean }
  | { kind: "not"; operand: Expression }
  /** AND and OR over all their operands, at least two. */
  | { kind: "all" | "any"; operands: Expression[] };

/** `*`, every column of the table. */
export type Item = Expression | { kind: "everything" };

export interface Query {
  distinct: boolean;
  items: Item[];
  where: Expression | null;
  groups: Expression[];
  having: Expression | null;
  /** `nulls`: where they go, if not where SQLite puts them by itself. */
  orders: { by: Expression; descending: boolean; nulls: "first" | "last" | null }[];
  /** Rows at most; null for all of them. */
  limit: number | null;
  /** Rows skipped first. */
  offset: number;
}

const AGGREGATES = new Set(["COUNT", "SUM", "TOTAL", "AVG", "GROUP_CONCAT"]);

/** Whether a call sums up rows; `max(a, b)` does not. */
export function isAggregate({ name, args }: Call): boolean {
  return AGGREGATES.has(name) || ((name === "MIN" || name === "MAX") && args.length === 1);
}

/** The expressions directly inside another. */
export function partsOf(expression: Expression): Expression[] {
  switch (expression.kind) {
    case "column":
    case "literal":
      return [];
    case "call":
      return expression.args;
    case "cast":
    case "collate":
    case "unary":
    case "missing":
    case "not":
      return [expression.operand];
    case "arithmetic":
    case "compare":
      return [expression.left, expression.right];
    case "case":
      return [
        ...expression.branches.flatMap(({ when, result }) => [when, result]),
        ...(expression.otherwise === null ? [] : [expression.otherwise]),
      ];
    case "between":
      return [expression.operand, expression.low, expression.high];
    case "in":
      return [expression.operand, ...expression.list];
    case "like":
      return [expression.operand, expression.pattern];
    case "all":
    case "any":
      return expression.operands;
  }
}

/** An expression and all that is in it. */
export function* withParts(expression: Expression): Generator<Expression> {
  yield expression;
  for (const part of partsOf(expression)) yield* withParts(part);
}

/** Every expression of a query with all its parts, clause by clause. */
export function* expressionsOf(query: Query): Generator<Expression> {
  for (const item of query.items) if (item.kind !== "everything") yield* withParts(item);
  if (query.where !== null) yield* withParts(query.where);
  for (const group of query.groups) yield* withParts(group);
  if (query.having !== null) yield* withParts(query.having);
  for (const { by } of query.orders) yield* withParts(by);
}

/** Whether the query sums up rows without grouping them. */
export function sumsUp(query: Query): boolean {
  for (const expression of expressionsOf(query)) {
    if (expression.kind === "call" && isAggregate(expression)) return true;
  }
  return false;
}
