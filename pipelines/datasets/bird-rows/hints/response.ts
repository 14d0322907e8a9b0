/** A hint as a person would say it (spec 2, ew-bird, step 2): without backticks, with nothing added. */

import { isCode } from "./code-words.js";
import type { Definition } from "./definition.js";
import { enclosures } from "./enclosures.js";

/** BIRD's made-up functions for arithmetic, which nobody says. */
const ARITHMETIC: Readonly<Record<string, string>> = {
  divide: "/",
  divde: "/",
  subtract: "-",
  multiply: "*",
  add: "+",
};

/** Text in quotation marks is a value and stays letter for letter; the rest is changed. */
function outsideQuotes(text: string, change: (piece: string) => string): string {
  const quoted = enclosures(text).filter(({ open }) => open === "'" || open === '"');
  let said = "";
  let from = 0;
  for (const { start, end } of quoted) {
    said += change(text.slice(from, start)) + text.slice(start, end);
    from = end;
  }
  return said + change(text.slice(from));
}

/** The arguments of a call whose opening bracket is at `open`; undefined where the brackets do not match. */
function callArguments(text: string, open: number): { parts: string[]; end: number } | undefined {
  const parts: string[] = [];
  let depth = 0;
  let from = open + 1;
  let quote = "";
  for (let at = open; at < text.length; at += 1) {
    const char = text[at] ?? "";
    if (quote !== "") {
      if (char === quote) quote = "";
    } else if (char === "'" || char === '"') quote = char;
    else if (char === "(" || char === "[") depth += 1;
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

const needsBrackets = (part: string): boolean =>
  /\s[-+*/]\s|\s(?:where|and|or)\s/i.test(part.replace(/\([^()]*\)/g, ""));

/** `DIVIDE(SUM(a), COUNT(b))` as `SUM(a) / COUNT(b)`; a call with other than two arguments stays. */
function arithmetic(text: string): string {
  for (const { 0: call, 1: name = "", index } of text.matchAll(/\b(divi?de|subtract|multiply|add)\s*\(/gi)) {
    const found = callArguments(text, index + call.length - 1);
    if (found?.parts.length !== 2) continue;
    const [a = "", b = ""] = found.parts.map((part) => arithmetic(part.trim()));
    if (a === "" || b === "") continue;
    const sides = [a, b].map((side) => (needsBrackets(side) ? `(${side})` : side));
    const rest = text.slice(found.end);
    const said = sides.join(` ${ARITHMETIC[name.toLowerCase()]} `);
    const inside = /[(,*/+-]\s*$/.test(text.slice(0, index)) || /^\s*[*/+-]/.test(rest);
    return `${text.slice(0, index)}${inside ? `(${said})` : said}${arithmetic(rest)}`;
  }
  return text;
}

/**
 * The hint, said: backticks off, operators that were torn apart ("> =") and slips in the defining verb mended, BIRD's
 * arithmetic functions as signs, one blank between words, a capital where a sentence begins and a full stop at its end.
 */
export function responseOf(hint: string, { left, connective, mended }: Definition): string {
  const verb = mended === undefined ? hint : hint.replace(connective, mended);
  const plain = outsideQuotes(arithmetic(verb), (piece) =>
    piece
      .replaceAll("`", "")
      .replace(/([<>!])\s+=/g, "$1=")
      .replace(/\s+/g, " "),
  ).trim();
  const sentence = /^\p{Ll}/u.test(plain) && !isCode(left) && !isCode(left.split(/\s/)[0] ?? "");
  const begun = sentence ? (plain[0] ?? "").toUpperCase() + plain.slice(1) : plain;
  return /[.?!]$/.test(begun) ? begun : `${begun.replace(/[,:]$/, "")}.`;
}
