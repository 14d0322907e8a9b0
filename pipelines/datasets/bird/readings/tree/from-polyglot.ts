import { isRaw, optionalText, type Raw, rawAt, rawsAt, textAt } from "./raw.js";
import {
  type Expression,
  type FromItem,
  joined,
  type OrderTerm,
  operation,
  type Query,
  type ResultItem,
  Unreadable,
} from "./statement.js";

type Polyglot = typeof import("@polyglot-sql/sdk");
let loaded: Polyglot | undefined;

/**
 * Loads the second parser, which the first statement needs; again it costs nothing. It is compiled from WebAssembly, a
 * fifth of a second that only a build with a new statement to read should pay.
 */
export async function loadPolyglot(): Promise<void> {
  loaded ??= await import("@polyglot-sql/sdk");
}

function polyglot(): Polyglot {
  if (loaded === undefined) throw new Error("the second parser is not loaded: await loadPolyglot() first");
  return loaded;
}

/** This parser's names of the operators that it writes as a node with a left and a right side. */
const OPERATORS: ReadonlyMap<string, string> = new Map([
  ["and", "AND"],
  ["or", "OR"],
  ["eq", "="],
  ["neq", "<>"],
  ["lt", "<"],
  ["lte", "<="],
  ["gt", ">"],
  ["gte", ">="],
  ["add", "+"],
  ["sub", "-"],
  ["mul", "*"],
  ["div", "/"],
  ["mod", "%"],
  ["concat", "||"],
  ["is", "IS"],
  ["like", "LIKE"],
  ["glob", "GLOB"],
]);
const ONE_ARGUMENT = ["sum", "avg", "min", "max", "count", "length", "upper", "lower", "abs"];

/** A node is an object with one field: its kind. */
function kindOf(node: Raw): { kind: string; body: Raw } {
  const [entry, ...more] = Object.entries(node);
  if (entry === undefined || more.length > 0) throw new Unreadable("a node without one kind");
  return { kind: entry[0], body: isRaw(entry[1]) ? entry[1] : {} };
}

function opaque(node: Raw): Expression {
  const { generate, Dialect } = polyglot();
  const made = generate([node], Dialect.SQLite);
  const [sql] = made.sql ?? [];
  if (!made.success || sql === undefined)
    throw new Unreadable("the second parser cannot write back a part of the tree");
  return { kind: "opaque", sql };
}

const nameAt = (parent: Raw, field: string): string | null => {
  const name = parent[field];
  return isRaw(name) ? optionalText(name.name) : null;
};

function requiredName(parent: Raw, field: string): string {
  const name = nameAt(parent, field);
  if (name === null) throw new Unreadable(`a part of the tree has no ${field}`);
  return name;
}

const isUnset = (value: unknown): boolean =>
  value === null || value === undefined || value === false || (Array.isArray(value) && value.length === 0);

function readLiteral(body: Raw, node: Raw): Expression {
  if (body.literal_type === "string") return { kind: "text", value: textAt(body, "value") };
  return body.literal_type === "number" ? { kind: "number", text: textAt(body, "value") } : opaque(node);
}

function readCall(kind: string, body: Raw, node: Raw): Expression {
  if (!isUnset(body.filter) || !isUnset(body.order_by)) return opaque(node);
  const distinct = body.distinct === true;
  const args: Expression[] =
    body.star === true ? [{ kind: "star", table: null }] : [readExpression(rawAt(body, "this"))];
  return { kind: "call", name: kind.toUpperCase(), distinct, args };
}

function readCast(body: Raw, node: Raw): Expression {
  const to = rawAt(body, "to");
  const written = opaque(node);
  // The type is read off the parser's own spelling: it holds REAL and FLOAT apart by a flag.
  const type = written.kind === "opaque" ? /AS ([A-Za-z]+)\)$/.exec(written.sql)?.[1] : undefined;
  if (type === undefined || !isUnset(to.precision)) return written;
  return { kind: "cast", operand: readExpression(rawAt(body, "this")), type };
}

function readCase(body: Raw): Expression {
  const whens = Array.isArray(body.whens) ? (body.whens as unknown[]) : [];
  return {
    kind: "case",
    operand: isRaw(body.operand) ? readExpression(body.operand) : null,
    branches: whens.map((branch) => {
      const [when, result] = Array.isArray(branch) ? (branch as unknown[]) : [];
      if (!isRaw(when) || !isRaw(result)) throw new Unreadable("a CASE without branches");
      return { when: readExpression(when), result: readExpression(result) };
    }),
    otherwise: isRaw(body.else_) ? readExpression(body.else_) : null,
  };
}

/** This parser writes NOT around what is negated; the tree has it inside. */
function readNot(body: Raw): Expression {
  const operand = readExpression(rawAt(body, "this"));
  if (operand.kind === "membership" || operand.kind === "between")
    return { ...operand, negated: !operand.negated };
  if (operand.kind === "operation" && ["LIKE", "GLOB"].includes(operand.operator)) {
    return { ...operand, operator: `NOT ${operand.operator}` };
  }
  if (operand.kind === "operation" && operand.operator === "IS") return { ...operand, operator: "IS NOT" };
  return { kind: "not", operand };
}

function readExpression(node: Raw): Expression {
  const { kind, body } = kindOf(node);
  const operator = OPERATORS.get(kind);
  const side = (field: string): Expression => readExpression(rawAt(body, field));
  if (operator !== undefined) {
    if (!isUnset(body.escape) || !isUnset(body.quantifier)) return opaque(node);
    return joined(operator, side("left"), side("right"));
  }
  const call = (name: string, ...fields: string[]): Expression => {
    const args = fields.filter((field) => isRaw(body[field])).map(side);
    return { kind: "call", name, distinct: false, args };
  };
  if (ONE_ARGUMENT.includes(kind)) return readCall(kind, body, node);
  const negated = body.not === true;
  switch (kind) {
    case "column":
      return { kind: "column", table: nameAt(body, "table"), name: requiredName(body, "name") };
    case "literal":
      return readLiteral(body, node);
    case "null":
      return { kind: "null" };
    case "star":
      return { kind: "star", table: nameAt(body, "table") };
    case "paren":
      return side("this");
    case "not":
      return readNot(body);
    case "neg":
      return { kind: "minus", operand: side("this") };
    case "is_null":
      return operation(negated ? "IS NOT" : "IS", side("this"), { kind: "null" });
    case "between":
      return { kind: "between", negated, operand: side("this"), low: side("low"), high: side("high") };
    case "in": {
      const among = isRaw(body.query)
        ? readQuery(body.query)
        : rawsAt(body, "expressions").map(readExpression);
      return { kind: "membership", negated, operand: side("this"), among };
    }
    case "exists":
      return { kind: "nested", exists: true, query: readQuery(rawAt(body, "this")) };
    case "subquery":
      return { kind: "nested", exists: false, query: readQuery(rawAt(body, "this")) };
    case "function":
      if (body.no_parens === true || body.distinct === true) return opaque(node);
      return {
        kind: "call",
        name: textAt(body, "name").toUpperCase(),
        distinct: false,
        args: rawsAt(body, "args").map(readExpression),
      };
    case "if_func":
      return call("IIF", "condition", "true_value", "false_value");
    case "substring":
      return call("SUBSTR", "this", "start", "length");
    case "str_position":
      return call("INSTR", "this", "substr");
    case "cast":
      return readCast(body, node);
    case "case":
      return readCase(body);
    default:
      return opaque(node);
  }
}

function readSource(node: Raw, join: string | null, on: Expression | null): FromItem {
  const { kind, body } = kindOf(node);
  const alias = nameAt(body, "alias");
  if (kind === "table")
    return { source: { kind: "table", name: requiredName(body, "name") }, alias, join, on };
  if (kind !== "subquery") throw new Unreadable(`a ${kind} in FROM`);
  return { source: { kind: "query", query: readQuery(rawAt(body, "this")) }, alias, join, on };
}

const JOINS: ReadonlyMap<unknown, string | null> = new Map([
  ["Inner", "INNER JOIN"],
  ["Left", "LEFT JOIN"],
  ["Cross", "CROSS JOIN"],
  ["Implicit", null],
]);

function readJoin(node: Raw): FromItem {
  const join = JOINS.get(node.kind);
  if (join === undefined || !isUnset(node.using)) throw new Unreadable("a join of another kind");
  return readSource(rawAt(node, "this"), join, isRaw(node.on) ? readExpression(node.on) : null);
}

function readItem(node: Raw): ResultItem {
  const { kind, body } = kindOf(node);
  if (kind !== "alias") return { expression: readExpression(node), alias: null };
  return { expression: readExpression(rawAt(body, "this")), alias: requiredName(body, "alias") };
}

function readOrder(node: Raw): OrderTerm {
  if (!isUnset(node.nulls_first) || typeof node.nulls_first === "boolean")
    throw new Unreadable("NULLS FIRST or LAST");
  return { by: readExpression(rawAt(node, "this")), descending: node.desc === true };
}

function readCount(clause: unknown): number | null {
  if (!isRaw(clause)) return null;
  const count = readExpression(rawAt(clause, "this"));
  if (count.kind !== "number") throw new Unreadable("a LIMIT that is not a number");
  return Number(count.text);
}

const UNKNOWN = [
  "lateral_views",
  "qualify",
  "distribute_by",
  "cluster_by",
  "sort_by",
  "fetch",
  "distinct_on",
  "windows",
];

function readQuery(node: Raw): Query {
  const { kind, body } = kindOf(node);
  if (kind !== "select")
    throw new Unreadable(kind === "union" ? "several SELECTs joined to one" : "not a SELECT");
  if (!UNKNOWN.every((field) => isUnset(body[field]))) throw new Unreadable("a clause of another dialect");
  const clause = (field: string): Raw[] =>
    isRaw(body[field]) ? rawsAt(rawAt(body, field), "expressions") : [];
  const condition = (field: string): Expression | null =>
    isRaw(body[field]) ? readExpression(rawAt(rawAt(body, field), "this")) : null;
  const tables = isRaw(body.with) ? rawsAt(body.with, "ctes") : [];
  return {
    tables: tables.map((table) => ({
      name: requiredName(table, "alias"),
      query: readQuery(rawAt(table, "this")),
    })),
    distinct: body.distinct === true,
    items: rawsAt(body, "expressions").map(readItem),
    from: [
      ...clause("from").map((from) => readSource(from, null, null)),
      ...rawsAt(body, "joins").map(readJoin),
    ],
    where: condition("where_clause"),
    groups: clause("group_by").map(readExpression),
    having: condition("having"),
    orders: clause("order_by").map(readOrder),
    limit: readCount(body.limit),
    offset: readCount(body.offset) ?? 0,
  };
}

/** @throws Unreadable where the parser, or this reader, does not know a form */
export function fromPolyglot(sql: string): Query {
  const { parse, Dialect } = polyglot();
  const made: unknown = parse(sql, Dialect.SQLite);
  if (!isRaw(made) || made.success !== true) throw new Unreadable("the second parser does not read it");
  const [only, ...more] = rawsAt(made, "ast");
  if (only === undefined || more.length > 0) throw new Unreadable("more than one statement");
  return readQuery(only);
}
