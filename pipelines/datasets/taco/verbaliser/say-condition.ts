/** Conditions in words, each of them so that no other condition is said alike. */
import type { ComparisonOperator, Expression } from "./query.js";
import { operand, type Speaker, say, series, standing } from "./speaker.js";

/** The subject with its verb: "the acres are", "the status is not". */
function subject(speaker: Speaker, expression: Expression) {
  const { plural = false } = speaker.value(expression);
  const name = standing(speaker, expression);
  return {
    be: (negated: boolean) => `${name} ${plural ? "are" : "is"}${negated ? " not" : ""}`,
    /** "contain the word": the verb, then the rest. */
    act: (phrase: string, negated: boolean) => {
      if (negated) return `${name} ${plural ? "do" : "does"} not ${phrase}`;
      const [verb = "", ...rest] = phrase.split(" ");
      const ending = /(?:s|x|z|ch|sh)$/.test(verb) ? "es" : "s";
      return `${name} ${[plural ? verb : verb + ending, ...rest].join(" ")}`;
    },
  };
}

function comparison(speaker: Speaker, operator: ComparisonOperator): string {
  switch (operator) {
    case "=":
    case "<>":
      return "";
    case ">":
      return `${say(speaker, "greater")} `;
    case ">=":
      return `${say(speaker, "atLeast")} `;
    case "<":
      return `${say(speaker, "less")} `;
    case "<=":
      return `${say(speaker, "atMost")} `;
    case "IS":
    case "IS NOT":
      return "exactly ";
  }
}

function sayLike(speaker: Speaker, like: Expression & { kind: "like" }): string {
  const { act } = subject(speaker, like.operand);
  const { pattern, negated, how } = like;
  const text =
    pattern.kind === "literal" && pattern.literal.kind === "text" ? pattern.literal.text : undefined;
  const [, open = "", inside = "", close = ""] = /^(%?)([^%_]+)(%?)$/s.exec(text ?? "") ?? [];
  const said = `"${inside.replaceAll('"', '""')}"`;
  if (how === "LIKE" && open + close !== "") {
    if (open === close) return act(`${say(speaker, "contains")} ${said}`, negated);
    return act(`${say(speaker, open === "" ? "starts" : "ends")} ${said}`, negated);
  }
  return act(
    `${say(speaker, how === "GLOB" ? "globPattern" : "pattern")} ${operand(speaker, pattern)}`,
    negated,
  );
}

/**
 * AND and OR. Inside another condition they stand in parentheses, but for an OR that ends an AND, which "either" opens;
 * a value never ends in a bare "and", so nothing can be taken for a part of it.
 */
function sayGroup(speaker: Speaker, group: Expression & { kind: "all" | "any" }, nested: boolean): string {
  const { kind, operands } = group;
  const said = operands.map((one, at) => {
    const closes = !nested && kind === "all" && one.kind === "any" && at === operands.length - 1;
    if (!closes) return sayCondition(speaker, one, true);
    return `either ${one.operands.map((part) => sayCondition(speaker, part, true)).join(" or ")}`;
  });
  const joined = said.join(kind === "all" ? " and " : " or ");
  return nested ? `(${joined})` : joined;
}

/** @param nested whether it stands inside another condition or phrase */
export function sayCondition(speaker: Speaker, condition: Expression, nested: boolean): string {
  switch (condition.kind) {
    case "all":
    case "any":
      return sayGroup(speaker, condition, nested);
    case "not":
      return `it is not true that (${sayCondition(speaker, condition.operand, false)})`;
    case "missing":
      return `${subject(speaker, condition.operand).be(condition.negated)} ${say(speaker, "missing")}`;
    case "compare": {
      const negated = condition.operator === "<>" || condition.operator === "IS NOT";
      const how = comparison(speaker, condition.operator);
      return `${subject(speaker, condition.left).be(negated)} ${how}${standing(speaker, condition.right)}`;
    }
    case "between": {
      const ends = `between ${operand(speaker, condition.low)} and ${operand(speaker, condition.high)}`;
      return `${subject(speaker, condition.operand).be(condition.negated)} ${ends}`;
    }
    case "in": {
      const values = condition.list.map((one) => operand(speaker, one));
      const literal = condition.list.every(({ kind }) => kind === "literal");
      const listed = literal ? series(values) : `(${series(values)})`;
      const among = `${condition.negated ? "none" : "one"} of ${listed}`;
      return `${subject(speaker, condition.operand).be(false)} ${among}`;
    }
    case "like":
      return sayLike(speaker, condition);
    default:
      return `${subject(speaker, condition).be(false)} neither zero nor NULL`;
  }
}
