import { jsonrepair } from "jsonrepair";
import type { FoundObject, Objects } from "./objects.js";

/** A brace that somebody meant as an object's beginning: a quote, an end or a bare name with a colon comes next. */
const BEGINNING = /\{\s*(?:["'“‘}]|[A-Za-z_$][\w$-]*\s*:|\/[/*])/g;
const CLOSES: Readonly<Record<string, string>> = { '"': '"', "'": "'", "“": "”", "‘": "’" };

/** What must come behind the quote that ends a string, by where the string stands. Others are part of the text. */
const BEHIND = {
  name: /\s*:/y,
  item: /\s*(?:[,\]]|$)/y,
  value: /\s*(?:\}|$|,\s*(?:\}|\/[/*]|["'“‘][^"'”’]*["'”’]\s*:|[A-Za-z_$][\w$-]*\s*:))/y,
};

/** An object's text with every string in JSON's own writing, and where it ends. */
interface Plain {
  readonly json: string;
  readonly end: number;
}

/** The offset of the quote that ends a string; undefined where none does. */
function stringEnd(text: string, start: number, quote: string, behind: RegExp): number | undefined {
  for (let at = start; at < text.length; at += 1) {
    if (text[at] === "\\") at += 1;
    else if (text[at] === quote) {
      behind.lastIndex = at + 1;
      if (behind.test(text)) return at;
    }
  }
  return undefined;
}

const ESCAPES: Readonly<Record<string, string>> = { n: "\n", t: "\t", r: "\r", b: "\b", f: "\f" };

const decoded = (text: string): string =>
  text.replace(/\\(?:u([0-9a-fA-F]{4})|([\s\S]))/g, (_, code: string | undefined, char: string) =>
    code === undefined ? (ESCAPES[char] ?? char) : String.fromCharCode(Number.parseInt(code, 16)),
  );

/**
 * Reads an object that is written loosely up to its end; undefined where the text ends first. A quote begins a string
 * only where a name or a value may stand, and ends one only where something comes behind that can follow there: so an
 * apostrophe, or quotes that nobody escaped, end nothing.
 */
function readLoosely(text: string, start: number): Plain | undefined {
  const open: string[] = [];
  let before = "";
  let json = "";
  for (let at = start; at < text.length; at += 1) {
    const char = text[at]!;
    const quote = CLOSES[char];
    if (quote !== undefined && ["{", "[", ",", ":"].includes(before)) {
      const place = before === ":" ? "value" : open.at(-1) === "[" ? "item" : "name";
      const end = stringEnd(text, at + 1, quote, BEHIND[place]);
      if (end === undefined) return undefined;
      json += JSON.stringify(decoded(text.slice(at + 1, end)));
      at = end;
    } else {
      json += char;
      if (char === "{" || char === "[") open.push(char);
      else if (char === "}" || char === "]") {
        open.pop();
        if (open.length === 0) return { json, end: at + 1 };
      }
    }
    if (!/\s/.test(char)) before = char;
  }
  return undefined;
}

function repaired(json: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(jsonrepair(json));
    const isObject = typeof value === "object" && value !== null && !Array.isArray(value);
    return isObject ? (value as Record<string, unknown>) : undefined;
  } catch {
    return undefined;
  }
}

/** Characters that all starts together may cost. */
const PATIENCE = 1_000_000;

/**
 * Finds objects in the ways that models write JSON: trailing commas, single quotes, bare names, Python's None and True,
 * line breaks in strings, comments. Strings are read here, the rest of the syntax is mended by jsonrepair. It is only
 * shown what has an end of its own: it would close an object that a length limit cut in two.
 */
export function looseObjects(text: string): Objects {
  const found: FoundObject[] = [];
  let spent = 0;
  BEGINNING.lastIndex = 0;
  for (let match = BEGINNING.exec(text); match !== null && spent < PATIENCE; match = BEGINNING.exec(text)) {
    const start = match.index;
    const plain = readLoosely(text, start);
    if (plain === undefined) return { found, unclosedAt: start };
    spent += plain.end - start;
    const value = repaired(plain.json);
    if (value !== undefined) found.push({ start, end: plain.end, value });
    BEGINNING.lastIndex = value === undefined ? start + 1 : plain.end;
  }
  return { found, unclosedAt: undefined };
}
