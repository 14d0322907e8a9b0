/** Functions of single values in words: those that people use often in a phrase, any other by its name. */
import type { Call, Expression } from "./query.js";
import { operand, type Said, type Speaker, series, standing } from "./speaker.js";

const DATE_PARTS: ReadonlyMap<string, string> = new Map([
  ["%Y", "year"],
  ["%m", "month"],
  ["%d", "day of the month"],
  ["%Y-%m", "year and month"],
  ["%w", "day of the week"],
  ["%H", "hour"],
]);

const number = (expression: Expression | undefined): string | undefined =>
  expression?.kind === "literal" && expression.literal.kind === "number"
    ? expression.literal.text
    : undefined;

const text = (expression: Expression | undefined): string | undefined =>
  expression?.kind === "literal" && expression.literal.kind === "text" ? expression.literal.text : undefined;

/** A phrase around one value, for functions that are called with that value alone. */
const AROUND: ReadonlyMap<string, readonly [string, string]> = new Map([
  ["UPPER", ["", " in capital letters"]],
  ["LOWER", ["", " in small letters"]],
  ["LENGTH", ["the length of ", ""]],
  ["ABS", ["the absolute value of ", ""]],
  ["ROUND", ["", " rounded to a whole number"]],
  ["TRIM", ["", " without surrounding blanks"]],
  ["DATE", ["the calendar date of ", ""]],
  ["TYPEOF", ["the storage type of ", ""]],
]);

/** The words of content that each function's phrase has. */
const PHRASE_WORDS: ReadonlyMap<string, string> = new Map([
  ...[...AROUND].map(([name, phrase]) => [name, phrase.join(" ")] as const),
  ["ROUND", "rounded whole number decimals"],
  ["STRFTIME", "year month day hour week"],
  ["SUBSTR", "part character length"],
  ["REPLACE", "place"],
]);

/** `f(a, b)` in words. Every function has some, and no two calls the same; by its name where a phrase holds an avoided word. */
export function sayFunction(speaker: Speaker, call: Call): Said {
  const said = sayPhrase(speaker, call);
  return said !== undefined && speaker.words.free(PHRASE_WORDS.get(call.name) ?? "")
    ? said
    : byName(speaker, call);
}

function sayPhrase(speaker: Speaker, call: Call): Said | undefined {
  const [first, second, third, ...more] = call.args;
  const around = AROUND.get(call.name);
  if (first !== undefined && second === undefined && around !== undefined && !call.distinct) {
    return { text: around[0] + operand(speaker, first) + around[1], whole: false };
  }
  if (first !== undefined && second !== undefined && third === undefined) {
    const decimals = number(second);
    if (call.name === "ROUND" && decimals !== undefined) {
      const unit = decimals === "1" ? "decimal" : "decimals";
      return { text: `${operand(speaker, first)} rounded to ${decimals} ${unit}`, whole: false };
    }
    const part = DATE_PARTS.get(text(first) ?? "");
    if (call.name === "STRFTIME" && part !== undefined) {
      return { text: `the ${part} of ${operand(speaker, second)}`, whole: false };
    }
    if (call.name === "COALESCE") {
      return { text: `${operand(speaker, first)}, or for NULL ${operand(speaker, second)}`, whole: false };
    }
  }
  if (third !== undefined && more.length === 0 && first !== undefined && second !== undefined) {
    if (call.name === "SUBSTR") {
      const [from, length] = [operand(speaker, second), operand(speaker, third)];
      return {
        text: `the part of ${operand(speaker, first)} from character ${from} of length ${length}`,
        whole: false,
      };
    }
    if (call.name === "REPLACE") {
      const [found, put] = [operand(speaker, second), operand(speaker, third)];
      return { text: `${operand(speaker, first)} with ${put} in place of ${found}`, whole: false };
    }
  }
  return undefined;
}

function byName(speaker: Speaker, call: Call): Said {
  if (call.star) return { text: `${call.name} of all`, whole: false };
  if (call.args.length === 0) return { text: `${call.name} of nothing`, whole: true };
  const inside = series(call.args.map((one) => standing(speaker, one)));
  return { text: `${call.name} of ${call.distinct ? "distinct " : ""}(${inside})`, whole: true };
}
