/**
 * A SELECT as the operators see it: one small tree that either parser's own tree is read into, so that an operator is
 * written once and every node it meets has a type. What no operator edits stays as the text that the parser gives back
 * for it (`opaque`). Nodes are plain values and are never changed in place.
 */

export type Expression =
  | ColumnNode
  | TextNode
  | NumberNode
  | { kind: "null" }
  | StarNode
  | OperationNode
  | BetweenNode
  | MembershipNode
  | { kind: "not"; operand: Expression }
  | { kind: "minus"; operand: Expression }
  | CallNode
  | CastNode
  | CaseNode
  | NestedNode
  | { kind: "opaque"; sql: string };

export interface ColumnNode {
  kind: "column";
  /** The qualifier as written: a table's name or its alias. */
  table: string | null;
  name: string;
  /** Written in double quotes, so that it is a text where no column has the name. */
  quoted?: true;
}

export interface TextNode {
  kind: "text";
  value: string;
}

export interface NumberNode {
  kind: "number";
  /** As the parser gives it: `200`, `0.8`. */
  text: string;
}

export interface StarNode {
  kind: "star";
  table: string | null;
}

/** Two operands and what stands between them: `=`, `<>`, `<`, `LIKE`, `NOT LIKE`, `IS`, `IS NOT`, `AND`, `+`, `||`, … */
export interface OperationNode {
  kind: "operation";
  operator: string;
  left: Expression;
  right: Expression;
}

export interface BetweenNode {
  kind: "between";
  negated: boolean;
  operand: Expression;
  low: Expression;
  high: Expression;
}

/** `x IN (…)`, over a list or a SELECT. */
export interface MembershipNode {
  kind: "membership";
  negated: boolean;
  operand: Expression;
  among: Expression[] | Query;
}

export interface CallNode {
  kind: "call";
  /** In capitals. */
  name: string;
  distinct: boolean;
  args: Expression[];
}

export interface CastNode {
  kind: "cast";
  operand: Expression;
  type: string;
}

export interface CaseNode {
  kind: "case";
  operand: Expression | null;
  branches: { when: Expression; result: Expression }[];
  otherwise: Expression | null;
}

/** A SELECT in an expression's place: `(SELECT …)`, `EXISTS (SELECT …)`. */
export interface NestedNode {
  kind: "nested";
  exists: boolean;
  query: Query;
}

export interface ResultItem {
  expression: Expression;
  alias: string | null;
}

/** What stands in FROM: the first has no join. */
export interface FromItem {
  source: { kind: "table"; name: string } | { kind: "query"; query: Query };
  alias: string | null;
  join: string | null;
  on: Expression | null;
}

export interface OrderTerm {
  by: Expression;
  descending: boolean;
}

export interface Query {
  /** WITH, in order. */
  tables: { name: string; query: Query }[];
  distinct: boolean;
  items: ResultItem[];
  from: FromItem[];
  where: Expression | null;
  groups: Expression[];
  having: Expression | null;
  orders: OrderTerm[];
  limit: number | null;
  offset: number;
}

/** Why a statement has no tree here. */
export class Unreadable extends Error {
  override name = "Unreadable";
}

export const AGGREGATES: readonly string[] = ["COUNT", "SUM", "TOTAL", "AVG", "MIN", "MAX"];

export function isAggregate(node: Expression): node is CallNode {
  return node.kind === "call" && AGGREGATES.includes(node.name);
}

export const operation = (operator: string, left: Expression, right: Expression): OperationNode => ({
  kind: "operation",
  operator,
  left,
  right,
});

/** The same; a chain of ANDs (or of ORs) always leans to the left, whatever parentheses it was written with. */
export function joined(operator: string, left: Expression, right: Expression): OperationNode {
  const chains = operator === "AND" || operator === "OR";
  if (chains && right.kind === "operation" && right.operator === operator) {
    return operation(operator, joined(operator, left, right.left), right.right);
  }
  return operation(operator, left, right);
}

/** The conditions joined by AND; none for no condition. */
export function conjuncts(condition: Expression | null): Expression[] {
  if (condition === null) return [];
  if (condition.kind === "operation" && condition.operator === "AND") {
    return [...conjuncts(condition.left), ...conjuncts(condition.right)];
  }
  return [condition];
}

export function allOf(conditions: readonly Expression[]): Expression | null {
  const [first, ...rest] = conditions;
  return first === undefined ? null : rest.reduce((all, next) => operation("AND", all, next), first);
}
