/** A JSON object in a text, by its offsets, and its value. */
export interface FoundObject {
  readonly start: number;
  readonly end: number;
  readonly value: Record<string, unknown>;
}

/** The objects of a text, outermost only, and where one begins that the text ends in the middle of. */
export interface Objects {
  readonly found: readonly FoundObject[];
  readonly unclosedAt: number | undefined;
}

const SPACE = /[ \t\r\n]*/y;
const SCALAR = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null/y;
// Unrolled: an alternative for every character would cost the matcher a step back for each.
const STRING = /"[^"\\\u0000-\u001f]*(?:\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})[^"\\\u0000-\u001f]*)*"/y;
/** The beginning of a string, or of a word, that the text's end may have cut. */
const CUT_STRING =
  /"[^"\\\u0000-\u001f]*(?:\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})[^"\\\u0000-\u001f]*)*(?:\\(?:u[0-9a-fA-F]{0,3})?)?$/y;
const CUT_SCALAR = /(?:-?(?:\d+(?:\.\d*)?(?:[eE][+-]?\d*)?)?|t(?:ru?)?|f(?:al?s?)?|n(?:ul?)?)$/y;

/** Characters that all starts together may cost, so that a reply made of open braces ends as soon as any other. */
const PATIENCE = 1_000_000;

/** A walk over a text by sticky patterns. */
class Walk {
  at: number;
  readonly #text: string;
  constructor(text: string, at: number) {
    this.#text = text;
    this.at = at;
  }
  take(pattern: RegExp): boolean {
    pattern.lastIndex = this.at;
    const [match] = pattern.exec(this.#text) ?? [];
    if (match === undefined) return false;
    this.at += match.length;
    return true;
  }
  takeChar(char: string): boolean {
    this.take(SPACE);
    if (this.#text[this.at] !== char) return false;
    this.at += 1;
    return true;
  }
  ended(): boolean {
    this.take(SPACE);
    return this.at >= this.#text.length;
  }
}

type Ending = "whole" | "unclosed" | "none";

const cutOr = (walk: Walk, ...cuts: RegExp[]): Ending =>
  walk.ended() || cuts.some((cut) => walk.take(cut)) ? "unclosed" : "none";

/** Walks over one JSON object by the letter of RFC 8259, without recursion; `walk.at` is behind it when it is whole. */
function walkObject(walk: Walk): Ending {
  const open: ("{" | "[")[] = [];
  /** What may come next: a value, a name or the end of an object, a value or the end of an array, what follows a value. */
  let next: "value" | "first-name" | "name" | "first-item" | "after" = "value";
  for (;;) {
    const inObject = open.at(-1) === "{";
    if (next === "after") {
      if (walk.takeChar(inObject ? "}" : "]")) {
        open.pop();
        if (open.length === 0) return "whole";
      } else if (walk.takeChar(",")) next = inObject ? "name" : "value";
      else return cutOr(walk);
      continue;
    }
    if ((next === "first-name" && walk.takeChar("}")) || (next === "first-item" && walk.takeChar("]"))) {
      open.pop();
      if (open.length === 0) return "whole";
      next = "after";
      continue;
    }
    walk.take(SPACE);
    if (next === "first-name" || next === "name") {
      if (!walk.take(STRING)) return cutOr(walk, CUT_STRING);
      if (!walk.takeChar(":")) return cutOr(walk);
      next = "value";
    } else if (walk.takeChar("{")) {
      open.push("{");
      next = "first-name";
    } else if (walk.takeChar("[")) {
      open.push("[");
      next = "first-item";
    } else if (walk.take(STRING) || walk.take(SCALAR)) next = "after";
    else return cutOr(walk, CUT_STRING, CUT_SCALAR);
  }
}

/**
 * Finds the JSON objects of a text: every `{` that begins one, not those within another. What only looks like a beginning
 * is passed over. A beginning that the text's end cuts off is told, and nothing in it is taken for an object of its own.
 */
export function jsonObjects(text: string): Objects {
  const found: FoundObject[] = [];
  let spent = 0;
  for (let start = text.indexOf("{"); start >= 0 && spent < PATIENCE; ) {
    const walk = new Walk(text, start);
    const ending = walkObject(walk);
    spent += walk.at - start;
    if (ending === "unclosed") return { found, unclosedAt: start };
    if (ending === "whole") {
      const value = JSON.parse(text.slice(start, walk.at)) as Record<string, unknown>;
      found.push({ start, end: walk.at, value });
    }
    start = text.indexOf("{", ending === "whole" ? walk.at : start + 1);
  }
  return { found, unclosedAt: undefined };
}
