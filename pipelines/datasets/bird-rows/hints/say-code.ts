/**
 * SQL of a hint in words: aggregates, BIRD's made-up arithmetic functions and comparisons as a person says them. Names and
 * values stay as they are; what is not understood stays, too, so that nothing is added and nothing lost.
 */
import { enclosures } from "./enclosures.js";

/** Stands for a value in quotation marks or a name in backticks while the rest is changed. Evidence holds no such character. */
const VALUE = /\u0001(\d+)\u0001/g;
const COMPARISON = /(?:[<>!]\s?=|<>|[=<>≥≤])|\b(?:between|like|in\s*\(|is (?:not )?null)(?![a-z])/i;

/** Text with its quoted values and names taken out; `restore` puts them back, letter for letter but for backticks. */
function withoutValues(text: string): { text: string; restore: (said: string) => string } {
  const quoted = enclosures(text, { quotesIn: "everywhere" });
  const values = quoted.map(({ start, end, open }) =>
    open === "`" ? text.slice(start + 1, end - 1) : text.slice(start, end),
  );
  let masked = "";
  let from = 0;
  for (const [at, { start, end }] of quoted.entries()) {
    masked += `${text.slice(from, start)}\u0001${at}\u0001`;
    from = end;
  }
  masked += text.slice(from);
  return {
    text: masked,
    restore: (said) => said.replace(VALUE, (_, at: string) => values[Number(at)] ?? ""),
  };
}

interface Call {
  name: string;
  parts: string[];
  start: number;
  end: number;
}

/** The arguments of the bracket that opens at `open`; undefined where it is not closed. */
function argumentsAt(text: string, open: number): { parts: string[]; end: number } | undefined {
  const parts: string[] = [];
  let depth = 0;
  let from = open + 1;
  for (let at = open; at < text.length; at += 1) {
    const char = text[at] ?? "";
    if (char === "(" || char === "[") depth += 1;
    else if (char === ")" || char === "]") {
      depth -= 1;
      if (depth === 0) return { parts: [...parts, text.slice(from, at)], end: at + 1 };
    } else if (char === "," && depth === 1) {
      parts.push(text.slice(from, at));
      from = at + 1;
    }
  }
  return undefined;
}

const FUNCTION =
  /\b(max|min|avg|sum|count|total|divi?de|subtract|multiply|add|year|month|day|date|strftime|distinct)\s*\(/gi;

/** The first known call of the text that is closed. */
function firstCall(text: string): Call | undefined {
  for (const { 0: head, 1: name = "", index } of text.matchAll(FUNCTION)) {
    const found = argumentsAt(text, index + head.length - 1);
    if (found !== undefined) return { name: name.toLowerCase(), ...found, start: index };
  }
  return undefined;
}

/** A comparison that is not the condition of a "where" after something else. */
function isComparison(text: string): boolean {
  const plain = text.replace(/\([^()]*\)/g, "()").replace(/\([^()]*\)/g, "()");
  const [before = ""] = plain.split(/\b(?:where|when|except|whose|with)\b/i);
  return COMPARISON.test(before.replace(/\bin\s*\(\)/gi, "in (x)"));
}

/** Whether a text, quotation marks and all, is a condition ("gender = 'F'"). */
export const isCondition = (text: string): boolean => isComparison(withoutValues(text).text);

const EXTREMES: Readonly<Record<string, readonly [string, string, string]>> = {
  max: ["the highest", "the most frequent", "the largest number of"],
  min: ["the lowest", "the least frequent", "the smallest number of"],
};
const INFIX: Readonly<Record<string, string>> = {
  divide: "divided by",
  divde: "divided by",
  subtract: "minus",
  multiply: "times",
  add: "plus",
};

/** A part of a sum or quotient, in brackets where it is a sum or a quotient itself. */
const operand = (said: string): string =>
  / (?:divided by|minus|times|plus|where|when) |\s[-+*/]\s/.test(said.replace(/\([^()]*\)/g, ""))
    ? `(${said})`
    : said;

function counted(part: string): string {
  const distinct = /^distinct\b\s*/i.exec(part);
  const given = /^case\s+when\s+(.+?)(?:\s+then\s.*)?$/is.exec(part)?.[1];
  if (given !== undefined) return `the number of those whose ${sayMasked(given)}`;
  const what = distinct === null ? part : part.slice(distinct[0].length).replace(/^\((.*)\)$/, "$1");
  if (what === "*" || what === "" || what === "1") return "the number of rows";
  if (isComparison(what)) return `the number of those whose ${sayMasked(what)}`;
  return `the number of ${distinct === null ? "" : "different "}${sayMasked(what)}`;
}

/** The one argument of an inner call, for "max(count(x))". */
function innerArgument(part: string, name: RegExp): string | undefined {
  const call = firstCall(part);
  const whole = call?.start === 0 && call.end === part.length && call.parts.length === 1;
  return whole && name.test(call.name) ? call.parts[0]?.trim() : undefined;
}

function extreme(name: string, part: string): string {
  const [plain, frequent, many] = EXTREMES[name] ?? ["", "", ""];
  const of = innerArgument(part, /^count$/);
  if (of === "*" || of === "1" || (of !== undefined && isComparison(of)))
    return `${many} ${of.length < 2 ? "rows" : `those whose ${sayMasked(of)}`}`;
  if (of !== undefined) return `${frequent} ${sayMasked(of.replace(/^distinct\s+/i, ""))}`;
  const said = sayMasked(part);
  return `${plain} ${isComparison(part) ? `(${said})` : operand(said).replace(/^the /, "")}`;
}

/** A call in words; undefined where it is not of the usual form. */
function sayCall({ name, parts: raw }: Call): string | undefined {
  const trimmed = raw.map((part) => part.trim());
  // "COUNT(id where a = 1, b = 2)": what stands after a comma belongs to the condition.
  const listed = trimmed.length > 1 && /\bwhere\b/i.test(trimmed[0] ?? "") && INFIX[name] === undefined;
  const parts = listed ? [trimmed.join(", ")] : trimmed;
  const [first = "", second = ""] = parts;
  const infix = INFIX[name];
  if (infix !== undefined) {
    if (parts.length !== 2 || first === "" || second === "") return undefined;
    return parts.map((part) => operand(sayMasked(part))).join(` ${infix} `);
  }
  if (name === "strftime")
    return parts.length === 2 ? `the date part ${first} of ${sayMasked(second)}` : undefined;
  if (parts.length !== 1 || first === "") return undefined;
  if (name === "max" || name === "min") return extreme(name, first);
  if (name === "avg") return `the average ${sayMasked(first).replace(/^the /, "")}`;
  if (name === "count") return counted(first);
  if (name === "distinct") return `different ${sayMasked(first)}`;
  if (name === "sum" || name === "total") {
    return isComparison(first) ? counted(first) : `the total of ${sayMasked(first)}`;
  }
  return `the ${name} of ${sayMasked(first)}`;
}

const WORDS: readonly (readonly [RegExp, string])[] = [
  [/\s*(?:>\s?=|≥)\s*/g, " is at least "],
  [/\s*(?:<\s?=|≤)\s*/g, " is at most "],
  [/\s*(?:!\s?=|<>)\s*/g, " is not "],
  [/\s*={1,2}\s*/g, " is "],
  [/\s*>\s*/g, " is over "],
  [/\s*<\s*/g, " is under "],
  // Between names, values and brackets, and before a number: a date such as 2014/2/21 is none.
  [/(?<=[\p{L}\p{N})\u0001])\s*\/\s*(?=[\p{L}(\u0001])|\s+\/\s+/gu, " divided by "],
  [/\s*\*\s*(?=\d)/g, " times "],
  [/\s+between\b\s*/gi, " is between "],
  [/\s+not\s+like\b\s*/gi, " is not like "],
  [/\s+like\b\s*/gi, " is like "],
  [/\s+not\s+in\s*\(/gi, " is none of ("],
  [/\s+in\s*\(/gi, " is one of ("],
  [/\bis is\b/g, "is"],
];

/** Comparisons and SQL's small words of a text without calls. */
function sayPlain(text: string): string {
  // Two bounds in one ("18 <= age <= 60") have no such words.
  const said =
    /[<>]\s?=?[^<>=]*\w[^<>=]*[<>]/.test(text) && !/\b(?:and|or)\b|,/i.test(text)
      ? text.replace(/([<>!])\s+=/g, "$1=")
      : WORDS.reduce((rest, [pattern, words]) => rest.replace(pattern, words), text);
  return said.replace(/\b(?:AND|OR|WHERE|AS|NOT|IS|DISTINCT)\b/g, (word) => word.toLowerCase());
}

function sayMasked(text: string): string {
  const call = firstCall(text);
  if (call === undefined) return sayPlain(text);
  const said = sayCall(call) ?? text.slice(call.start, call.end);
  const before = text.slice(0, call.start);
  const after = text.slice(call.end);
  const beside = /[-+*/]\s*$/.test(before) || /^\s*[-+*/]/.test(after);
  const follows = after.replace(/^\s*\/\s*/, " divided by ");
  return `${sayPlain(before)}${beside ? operand(said) : said}${sayMasked(follows)}`;
}

/** SQL in words. */
export function sayCode(code: string): string {
  const { text, restore } = withoutValues(code);
  return restore(
    sayMasked(text)
      .replace(/[`\s]+/g, " ")
      .trim(),
  );
}
