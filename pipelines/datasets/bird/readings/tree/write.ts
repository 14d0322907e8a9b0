import { isPlainIdentifier, quoteIdentifier, quoteLiteral } from "../../../../sql/index.js";
import type { Expression, FromItem, Query } from "./statement.js";

/** SQLite's words that name nothing without quotes (sqlite.org/lang_keywords; the fallback ones may). */
const RESERVED = new Set(
  `ADD ALL ALTER AND AS AUTOINCREMENT BETWEEN CASE CHECK COLLATE COMMIT CONSTRAINT CREATE CROSS CURRENT_DATE CURRENT_TIME
   CURRENT_TIMESTAMP DEFAULT DEFERRABLE DELETE DISTINCT DROP ELSE ESCAPE EXCEPT EXISTS FOREIGN FROM FULL GROUP HAVING IN
   INDEX INNER INSERT INTERSECT INTO IS ISNULL JOIN LEFT LIMIT NATURAL NOT NOTHING NOTNULL NULL ON OR ORDER OUTER PRIMARY
   REFERENCES RETURNING RIGHT SELECT SET TABLE THEN TO TRANSACTION UNION UNIQUE UPDATE USING VALUES WHEN WHERE WINDOW
   WITH TRUE FALSE END`.split(/\s+/),
);

const writeName = (name: string): string =>
  isPlainIdentifier(name) && !RESERVED.has(name.toUpperCase()) ? name : quoteIdentifier(name);

const LEVELS: readonly (readonly string[])[] = [
  ["OR"],
  ["AND"],
  ["NOT"],
  ["=", "==", "<>", "IS", "IS NOT", "IN", "LIKE", "NOT LIKE", "GLOB", "NOT GLOB", "BETWEEN"],
  ["<", "<=", ">", ">="],
  ["&", "|", "<<", ">>"],
  ["+", "-"],
  ["*", "/", "%"],
  ["||"],
];
const ATOM = LEVELS.length;
const levelOf = (operator: string): number => LEVELS.findIndex((operators) => operators.includes(operator));

function level(node: Expression): number {
  if (node.kind === "operation") return levelOf(node.operator);
  if (node.kind === "not") return levelOf("NOT");
  if (node.kind === "between" || node.kind === "membership") return levelOf("BETWEEN");
  // An opaque text may be anything.
  return node.kind === "opaque" ? -1 : ATOM;
}

/** The operand in parentheses unless it binds more tightly than `than`. */
function inside(node: Expression, than: number): string {
  const text = writeExpression(node);
  return level(node) > than ? text : `(${text})`;
}

function writeOperation(operator: string, left: Expression, right: Expression): string {
  const at = levelOf(operator);
  const chained = left.kind === "operation" && levelOf(left.operator) === at && at !== levelOf("=");
  return `${inside(left, chained ? at - 1 : at)} ${operator} ${inside(right, at)}`;
}

export function writeExpression(node: Expression): string {
  switch (node.kind) {
    case "column":
      if (node.quoted === true) return quoteIdentifier(node.name);
      return node.table === null ? writeName(node.name) : `${writeName(node.table)}.${writeName(node.name)}`;
    case "text":
      return quoteLiteral(node.value);
    case "number":
      return node.text;
    case "null":
      return "NULL";
    case "star":
      return node.table === null ? "*" : `${writeName(node.table)}.*`;
    case "operation":
      return writeOperation(node.operator, node.left, node.right);
    case "between": {
      const at = levelOf("BETWEEN");
      const not = node.negated ? "NOT " : "";
      return `${inside(node.operand, at)} ${not}BETWEEN ${inside(node.low, at)} AND ${inside(node.high, at)}`;
    }
    case "membership": {
      const among = Array.isArray(node.among)
        ? node.among.map(writeExpression).join(", ")
        : writeQuery(node.among);
      return `${inside(node.operand, levelOf("IN"))} ${node.negated ? "NOT " : ""}IN (${among})`;
    }
    case "not":
      return `NOT ${inside(node.operand, levelOf("NOT"))}`;
    case "minus":
      return `-${inside(node.operand, levelOf("||"))}`;
    case "call":
      return `${node.name}(${node.distinct ? "DISTINCT " : ""}${node.args.map(writeExpression).join(", ")})`;
    case "cast":
      return `CAST(${writeExpression(node.operand)} AS ${node.type})`;
    case "case": {
      const operand = node.operand === null ? "" : ` ${writeExpression(node.operand)}`;
      const branches = node.branches.map(
        ({ when, result }) => ` WHEN ${writeExpression(when)} THEN ${writeExpression(result)}`,
      );
      const otherwise = node.otherwise === null ? "" : ` ELSE ${writeExpression(node.otherwise)}`;
      return `CASE${operand}${branches.join("")}${otherwise} END`;
    }
    case "nested":
      return `${node.exists ? "EXISTS " : ""}(${writeQuery(node.query)})`;
    case "opaque":
      return node.sql;
  }
}

function writeFrom({ source, alias, join, on }: FromItem, first: boolean): string {
  const what = source.kind === "table" ? writeName(source.name) : `(${writeQuery(source.query)})`;
  const lead = first ? "" : join === null ? ", " : ` ${join} `;
  return `${lead}${what}${alias === null ? "" : ` AS ${writeName(alias)}`}${on === null ? "" : ` ON ${writeExpression(on)}`}`;
}

const listed = (nodes: readonly Expression[]): string => nodes.map(writeExpression).join(", ");

/** The tree as SQL. An alias is a name; a written-out direction is left out where it is the usual one. */
export function writeQuery(query: Query): string {
  const tables = query.tables.map((table) => `${writeName(table.name)} AS (${writeQuery(table.query)})`);
  const items = query.items.map(
    ({ expression, alias }) =>
      writeExpression(expression) + (alias === null ? "" : ` AS ${writeName(alias)}`),
  );
  const orders = query.orders.map(({ by, descending }) => writeExpression(by) + (descending ? " DESC" : ""));
  const clauses = [
    tables.length > 0 ? `WITH ${tables.join(", ")}` : "",
    `SELECT ${query.distinct ? "DISTINCT " : ""}${items.join(", ")}`,
    query.from.length > 0 ? `FROM ${query.from.map((item, at) => writeFrom(item, at === 0)).join("")}` : "",
    query.where === null ? "" : `WHERE ${writeExpression(query.where)}`,
    query.groups.length > 0 ? `GROUP BY ${listed(query.groups)}` : "",
    query.having === null ? "" : `HAVING ${writeExpression(query.having)}`,
    orders.length > 0 ? `ORDER BY ${orders.join(", ")}` : "",
    query.limit === null ? "" : `LIMIT ${query.limit}`,
    query.offset === 0 ? "" : `OFFSET ${query.offset}`,
  ];
  return clauses.filter((clause) => clause !== "").join(" ");
}
