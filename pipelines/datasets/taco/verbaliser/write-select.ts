/** A query written back to SQL, every operator in parentheses, to prove on the database that it was read rightly. */
import { quoteIdentifier, quoteLiteral } from "../../../sql/index.js";
import type { Expression, Literal, Query } from "./query.js";

function writeLiteral({ kind, text }: Literal): string {
  if (kind === "text") return quoteLiteral(text);
  if (kind === "number") return text;
  return kind === "blob" ? `x'${text}'` : kind.toUpperCase();
}

const list = (expressions: readonly Expression[]): string => expressions.map(writeExpression).join(", ");

function writeExpression(expression: Expression): string {
  const write = writeExpression;
  switch (expression.kind) {
    case "column":
      return quoteIdentifier(expression.column);
    case "literal":
      return writeLiteral(expression.literal);
    case "call": {
      const inside = expression.star ? "*" : list(expression.args);
      return `${expression.name}(${expression.distinct ? "DISTINCT " : ""}${inside})`;
    }
    case "cast":
      return `CAST(${write(expression.operand)} AS ${expression.type})`;
    case "collate":
      return `(${write(expression.operand)} COLLATE ${expression.collation})`;
    case "unary":
      return `(${expression.operator} ${write(expression.operand)})`;
    case "arithmetic":
    case "compare":
      return `(${write(expression.left)} ${expression.operator} ${write(expression.right)})`;
    case "missing":
      return `(${write(expression.operand)} IS ${expression.negated ? "NOT " : ""}NULL)`;
    case "between": {
      const ends = `${write(expression.low)} AND ${write(expression.high)}`;
      return `(${write(expression.operand)} ${expression.negated ? "NOT " : ""}BETWEEN ${ends})`;
    }
    case "in":
      return `(${write(expression.operand)} ${expression.negated ? "NOT " : ""}IN (${list(expression.list)}))`;
    case "like": {
      const operator = `${expression.negated ? "NOT " : ""}${expression.how}`;
      return `(${write(expression.operand)} ${operator} ${write(expression.pattern)})`;
    }
    case "not":
      return `(NOT ${write(expression.operand)})`;
    case "all":
    case "any":
      return `(${expression.operands.map(write).join(expression.kind === "all" ? " AND " : " OR ")})`;
    case "case": {
      const branches = expression.branches.map(
        ({ when, result }) => `WHEN ${write(when)} THEN ${write(result)}`,
      );
      const otherwise = expression.otherwise === null ? "" : ` ELSE ${write(expression.otherwise)}`;
      return `CASE ${branches.join(" ")}${otherwise} END`;
    }
  }
}

/** Parentheses keep a bare number in GROUP BY or ORDER BY from being taken for a position. */
const term = (expression: Expression): string => `(${writeExpression(expression)})`;

/** The query as one SELECT over `table`. */
export function writeSelect(query: Query, table: string): string {
  const items = query.items.map((item) => (item.kind === "everything" ? "*" : writeExpression(item)));
  const clauses = [
    `SELECT ${query.distinct ? "DISTINCT " : ""}${items.join(", ")}`,
    `FROM ${quoteIdentifier(table)}`,
  ];
  if (query.where !== null) clauses.push(`WHERE ${writeExpression(query.where)}`);
  if (query.groups.length > 0) clauses.push(`GROUP BY ${query.groups.map(term).join(", ")}`);
  if (query.having !== null) clauses.push(`HAVING ${writeExpression(query.having)}`);
  if (query.orders.length > 0) {
    const orders = query.orders.map(({ by, descending, nulls }) => {
      const where = nulls === null ? "" : ` NULLS ${nulls.toUpperCase()}`;
      return `${term(by)}${descending ? " DESC" : ""}${where}`;
    });
    clauses.push(`ORDER BY ${orders.join(", ")}`);
  }
  if (query.limit !== null || query.offset > 0)
    clauses.push(`LIMIT ${query.limit ?? -1} OFFSET ${query.offset}`);
  return clauses.join(" ");
}
