/** Expressions of the parser's syntax tree, read into the verbaliser's own. */
import { isNull, negated, SAME_FUNCTION, SAME_TYPE, together } from "./normal-form.js";
import type { PlainForm } from "./plain-writer.js";
import type { ArithmeticOperator, ComparisonOperator, Expression } from "./query.js";
import { isNode, type Node, nodeAt, nodesAt, unread } from "./tree.js";

/** `NOT (…)`, which the parser gives as a call. */
function isNotCall(node: Node): boolean {
  if (node.type !== "function") return false;
  const [name] = nodesAt(nodeAt(node, "name"), "name");
  return String(name?.value).toUpperCase() === "NOT";
}

const ARITHMETIC = new Set<string>(["+", "-", "*", "/", "%", "||", "&", "|", "<<", ">>", "->", "->>"]);
const COMPARISON: ReadonlyMap<string, ComparisonOperator> = new Map([
  ["=", "="],
  ["<>", "<>"],
  ["<", "<"],
  ["<=", "<="],
  [">", ">"],
  [">=", ">="],
  // What IS and IS NOT are spelled like in the plain form, unless NULL follows.
  ["==", "IS"],
  ["!=", "IS NOT"],
  ["IS", "IS"],
  ["IS NOT", "IS NOT"],
]);

export class ExpressionReader {
  readonly #form: PlainForm;
  /** Results by the name they were given after AS. */
  readonly #results: ReadonlyMap<string, Expression>;

  constructor(form: PlainForm, results: ReadonlyMap<string, Expression> = new Map()) {
    this.#form = form;
    this.#results = results;
  }

  read(node: Node): Expression {
    switch (node.type) {
      case "column_ref":
        return this.#column(node);
      case "single_quote_string":
        return this.#literal(String(node.value));
      case "null":
        return { kind: "literal", literal: { kind: "null", text: "" } };
      case "bool":
        return { kind: "literal", literal: { kind: node.value === true ? "true" : "false", text: "" } };
      case "expr_list":
        return this.#only(node);
      case "unary_expr":
        return this.#unary(node);
      case "binary_expr":
        return this.#binary(node);
      case "function":
        return this.#call(node);
      case "cast":
        return this.#cast(node);
      case "case":
        return this.#case(node);
      default:
        throw unread(String(node.type));
    }
  }

  #column(node: Node): Expression {
    const name = String(node.column);
    const column = this.#form.columns.get(name);
    const found = column === undefined ? this.#results.get(name) : ({ kind: "column", column } as const);
    if (found === undefined) throw unread(`the name ${name}`);
    const { collate } = node;
    if (!isNode(collate)) return found;
    const collation = String(nodeAt(collate, "collate").name).toUpperCase();
    return { kind: "collate", operand: found, collation };
  }

  #literal(standIn: string): Expression {
    const literal = this.#form.literals.get(standIn);
    if (literal === undefined) throw unread(`the literal ${standIn}`);
    return { kind: "literal", literal };
  }

  /** One expression in parentheses; several are a row value. */
  #only(node: Node): Expression {
    const [only, ...more] = nodesAt(node, "value");
    if (only === undefined || more.length > 0) throw unread("a row value");
    return this.read(only);
  }

  #unary(node: Node): Expression {
    const operand = this.read(nodeAt(node, "expr"));
    const operator = String(node.operator).toUpperCase();
    if (operator === "NOT" || operator === "!") return negated(operand);
    // A number below zero is a literal, too.
    if (operator === "-" && operand.kind === "literal" && /^[\d.]/.test(operand.literal.text)) {
      if (operand.literal.kind === "number") {
        return { kind: "literal", literal: { kind: "number", text: `-${operand.literal.text}` } };
      }
    }
    if (operator === "-" || operator === "+" || operator === "~") return { kind: "unary", operator, operand };
    throw unread(operator);
  }

  #binary(node: Node): Expression {
    const operator = String(node.operator).toUpperCase();
    if (operator === "AND" || operator === "OR") {
      const sides = [this.read(nodeAt(node, "left")), this.read(nodeAt(node, "right"))];
      return together(operator === "AND" ? "all" : "any", sides);
    }
    // The parser takes `NOT (a) = b` for a call of NOT on one side; SQLite negates the comparison.
    const first = nodeAt(node, "left");
    if (isNotCall(first) && first.parentheses !== true)
      throw unread("NOT before a parenthesis that is compared");
    const left = this.read(nodeAt(node, "left"));
    const right = nodeAt(node, "right");
    const not = operator.startsWith("NOT ");
    switch (operator.replace(/^NOT /, "")) {
      case "BETWEEN": {
        const [low, high] = nodesAt(right, "value").map((one) => this.read(one));
        if (low === undefined || high === undefined) throw unread("BETWEEN without two ends");
        return { kind: "between", operand: left, low, high, negated: not };
      }
      case "IN": {
        const list = right.type === "expr_list" ? nodesAt(right, "value").map((one) => this.read(one)) : [];
        const [only] = list;
        if (only === undefined) throw unread("IN without a list");
        if (list.length > 1) return { kind: "in", operand: left, list, negated: not };
        return { kind: "compare", operator: not ? "<>" : "=", left, right: only };
      }
      case "LIKE": {
        if ("escape" in right || "escape" in node) throw unread("ESCAPE");
        const how = this.#form.globs.has(String(right.value)) ? "GLOB" : "LIKE";
        return { kind: "like", how, operand: left, pattern: this.read(right), negated: not };
      }
    }
    const comparison = COMPARISON.get(operator);
    if (comparison !== undefined) {
      const other = this.read(right);
      if (comparison.startsWith("IS") && isNull(other)) {
        return { kind: "missing", operand: left, negated: comparison === "IS NOT" };
      }
      return { kind: "compare", operator: comparison, left, right: other };
    }
    if (!ARITHMETIC.has(operator)) throw unread(operator);
    return { kind: "arithmetic", operator: operator as ArithmeticOperator, left, right: this.read(right) };
  }

  #call(node: Node): Expression {
    if (isNode(node.over) || "filter" in node) throw unread("a window or FILTER");
    if (isNotCall(node)) return negated(this.#only(nodeAt(node, "args")));
    const [name] = nodesAt(nodeAt(node, "name"), "name");
    const form = this.#form.functions.get(String(name?.value));
    if (form === undefined) throw unread(`the call ${String(name?.value)}`);
    const args = isNode(node.args) ? nodesAt(node.args, "value").map((one) => this.read(one)) : [];
    const one = SAME_FUNCTION.get(form.name) ?? form.name;
    // `count()` is `count(*)`, and IFNULL is COALESCE of two.
    return {
      kind: "call",
      ...form,
      name: one,
      star: form.star || (one === "COUNT" && args.length === 0),
      args,
    };
  }

  #cast(node: Node): Expression {
    const [target] = nodesAt(node, "target");
    const type = String(target?.dataType ?? "").toUpperCase();
    if (type === "") throw unread("a CAST without a type");
    return { kind: "cast", operand: this.read(nodeAt(node, "expr")), type: SAME_TYPE.get(type) ?? type };
  }

  #case(node: Node): Expression {
    const base = isNode(node.expr) ? this.read(node.expr) : null;
    const branches: { when: Expression; result: Expression }[] = [];
    let otherwise: Expression | null = null;
    for (const part of nodesAt(node, "args")) {
      const result = this.read(nodeAt(part, "result"));
      if (part.type === "else") otherwise = isNull(result) ? null : result;
      else {
        const cond = this.read(nodeAt(part, "cond"));
        const when: Expression =
          base === null ? cond : { kind: "compare", operator: "=", left: base, right: cond };
        branches.push({ when, result });
      }
    }
    return { kind: "case", branches, otherwise };
  }
}
