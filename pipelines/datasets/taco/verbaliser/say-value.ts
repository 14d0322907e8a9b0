/** Values in words: columns, literals, arithmetic, functions, aggregates and cases. */
import type { Concept } from "./lexicon.js";
import { type Call, type Expression, isAggregate, type Literal } from "./query.js";
import { sayFunction } from "./say-function.js";
import { operand, type Said, type Speaker, say, series, standing } from "./speaker.js";

/** Text in quotation marks, which are doubled inside, so that no two texts are said alike. */
function sayLiteral({ kind, text }: Literal): string {
  if (kind === "text") return `"${text.replaceAll('"', '""')}"`;
  if (kind === "number") return text;
  return kind === "blob" ? `the bytes ${text === "" ? "of nothing" : text}` : kind.toUpperCase();
}

/** An expression that may hold a condition, said as a value. */
export function sayValue(speaker: Speaker, expression: Expression): Said {
  switch (expression.kind) {
    case "column": {
      const { text, plural } = speaker.columns.of(expression.column);
      return { text: `the ${text}`, whole: true, plural };
    }
    case "literal":
      return { text: sayLiteral(expression.literal), whole: true };
    case "call":
      return isAggregate(expression) ? sayAggregate(speaker, expression) : sayFunction(speaker, expression);
    case "cast":
      return {
        text: `${operand(speaker, expression.operand)} ${castTo(speaker, expression.type)}`,
        whole: false,
      };
    case "collate":
      return {
        text: `${operand(speaker, expression.operand)} compared as ${expression.collation}`,
        whole: false,
      };
    case "unary": {
      const how = { "-": say(speaker, "minus"), "+": "the value as it is of", "~": "the inverted bits of" };
      return { text: `${how[expression.operator]} ${operand(speaker, expression.operand)}`, whole: false };
    }
    case "arithmetic":
      return sayArithmetic(speaker, expression);
    case "case": {
      const branches = expression.branches.map(
        ({ when, result }) => `${operand(speaker, result)} if ${speaker.condition(when, true)}`,
      );
      const otherwise = expression.otherwise === null ? "NULL" : operand(speaker, expression.otherwise);
      return { text: `(${branches.join(", ")}, and otherwise ${otherwise})`, whole: true };
    }
    default:
      return { text: `whether (${speaker.condition(expression, false)})`, whole: true };
  }
}

function castTo(speaker: Speaker, type: string): string {
  const known = { INTEGER: "as a whole number", REAL: "as a decimal number", TEXT: "as text" };
  const phrase = type in known ? known[type as keyof typeof known] : undefined;
  return phrase !== undefined && speaker.words.free(phrase) ? phrase : `as ${type}`;
}

function sayArithmetic(speaker: Speaker, expression: Expression & { kind: "arithmetic" }): Said {
  const left = operand(speaker, expression.left);
  const right = operand(speaker, expression.right);
  if (expression.operator === "%") {
    const by = `${left} ${say(speaker, "divided")} ${right}`;
    return { text: `the ${say(speaker, "remainder")} of (${by})`, whole: true };
  }
  const between = {
    "+": () => say(speaker, "plus"),
    "-": () => say(speaker, "minus"),
    "*": () => say(speaker, "times"),
    "/": () => say(speaker, "divided"),
    "||": () => say(speaker, "followed"),
    "&": () => "bitwise-and",
    "|": () => "bitwise-or",
    "<<": () => "shifted left by",
    ">>": () => "shifted right by",
    "->": () => "at the JSON path",
    "->>": () => "at the JSON path, as plain value,",
  }[expression.operator]();
  return { text: `${left} ${between} ${right}`, whole: false };
}

const SUMMARIES: ReadonlyMap<string, Concept> = new Map<string, Concept>([
  ["AVG", "average"],
  ["SUM", "total"],
  ["TOTAL", "floatTotal"],
  ["MIN", "minimum"],
  ["MAX", "maximum"],
]);

/** What is summed up: "score", or a phrase in parentheses. */
function summed(speaker: Speaker, call: Call): { text: string; simple: boolean } {
  const [argument] = call.args;
  if (argument?.kind === "column") return { text: speaker.columns.of(argument.column).text, simple: true };
  return { text: `(${series(call.args.map((one) => standing(speaker, one)))})`, simple: false };
}

function sayAggregate(speaker: Speaker, call: Call): Said {
  const values = say(speaker, "values");
  const different = say(speaker, "different");
  if (call.name === "COUNT") {
    if (call.star) return { text: `the ${say(speaker, "count")}`, whole: true };
    const { text, simple } = summed(speaker, call);
    const which = call.distinct ? different : say(speaker, "nonMissing");
    const what = simple ? `${text} ${values}` : `${values} of ${text}`;
    return { text: `the ${say(speaker, "number")} of ${which} ${what}`, whole: true };
  }
  if (call.name === "GROUP_CONCAT") {
    const [what, separator] = call.args;
    if (what === undefined) return { text: "a list of nothing", whole: true };
    const joined = separator === undefined ? "commas" : operand(speaker, separator);
    const each = call.distinct ? `${different} ` : "";
    const text = `one text of the ${each}${values} of ${operand(speaker, what)} joined by ${joined}`;
    return { text, whole: false };
  }
  const { text, simple } = summed(speaker, call);
  const name = say(speaker, SUMMARIES.get(call.name) ?? "total");
  if (call.distinct)
    return {
      text: `the ${name} of the ${different} ${values} of ${simple ? `the ${text}` : text}`,
      whole: true,
    };
  const plainly = simple && call.name !== "TOTAL";
  return {
    text: plainly ? `the ${name} ${text}` : `the ${name} of ${simple ? `the ${text}` : text}`,
    whole: true,
  };
}
