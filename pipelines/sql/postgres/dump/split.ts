/**
 * Cuts a PostgreSQL script into what psql would send, as psql does it: at `;` outside strings, names, comments, dollar
 * quotes, parentheses and the body of a function written with BEGIN ATOMIC. Facts: postgresql.org/docs, "Lexical
 * Structure" and psql. It knows where a statement ends and no grammar: the server decides what it means.
 */
export type ScriptPart =
  | { kind: "statement"; text: string; offset: number }
  /** COPY … FROM stdin with its lines; `dataOffset` is where they begin. `ended` tells whether `\.` closed them. */
  | { kind: "copy"; text: string; offset: number; data: string; dataOffset: number; ended: boolean }
  /** A line for psql itself, such as `\restrict`. */
  | { kind: "meta"; text: string; offset: number }
  /** A string, name or comment that never ends. */
  | { kind: "unterminated"; text: string; offset: number };

const CODE = {
  quote: 39,
  doubleQuote: 34,
  dollar: 36,
  semicolon: 59,
  open: 40,
  close: 41,
  minus: 45,
  slash: 47,
  star: 42,
  backslash: 92,
  lineFeed: 10,
} as const;

const isSpace = (code: number): boolean => code === 32 || (code >= 9 && code <= 13);
const isWordCode = (code: number): boolean =>
  (code >= 97 && code <= 122) ||
  (code >= 65 && code <= 90) ||
  (code >= 48 && code <= 57) ||
  code === 95 ||
  code === CODE.dollar ||
  code >= 128;

const DOLLAR_QUOTE = /\$(?:[A-Za-z_\u0080-\uffff][A-Za-z0-9_\u0080-\uffff]*)?\$/y;

/** End of a quoted token that opens at `from`; a doubled quote stands for itself. -1 when it never ends. */
function endOfQuoted(text: string, from: number, quote: string, backslashes: boolean): number {
  if (!backslashes) {
    for (let at = text.indexOf(quote, from + 1); at >= 0; at = text.indexOf(quote, at + 2)) {
      if (text[at + 1] !== quote) return at + 1;
    }
    return -1;
  }
  for (let at = from + 1; at < text.length; at++) {
    if (text[at] === "\\") at++;
    else if (text[at] === quote) {
      if (text[at + 1] !== quote) return at + 1;
      at++;
    }
  }
  return -1;
}

/** Block comments nest. */
function endOfComment(text: string, from: number): number {
  let depth = 0;
  for (let at = from; at < text.length; at++) {
    if (text[at] === "/" && text[at + 1] === "*") {
      depth++;
      at++;
    } else if (text[at] === "*" && text[at + 1] === "/") {
      depth--;
      at++;
      if (depth === 0) return at + 1;
    }
  }
  return -1;
}

/** Whether the string that opens at `at` is written E'…', where a backslash escapes. */
function isEscapeString(text: string, at: number): boolean {
  return (text[at - 1] === "E" || text[at - 1] === "e") && !isWordCode(text.charCodeAt(at - 2) || 0);
}

/**
 * End of the quoted token or comment at `at`, -1 when it never ends, undefined where none begins there.
 *
 * @param escapes whether plain strings have backslash escapes too (standard_conforming_strings = off)
 */
function endOfOpaque(text: string, at: number, escapes: boolean): number | undefined {
  switch (text.charCodeAt(at)) {
    case CODE.quote:
      return endOfQuoted(text, at, "'", escapes || isEscapeString(text, at));
    case CODE.doubleQuote:
      return endOfQuoted(text, at, '"', false);
    case CODE.minus: {
      if (text.charCodeAt(at + 1) !== CODE.minus) return undefined;
      const end = text.indexOf("\n", at);
      return end < 0 ? text.length : end;
    }
    case CODE.slash:
      return text.charCodeAt(at + 1) === CODE.star ? endOfComment(text, at) : undefined;
    case CODE.dollar: {
      if (isWordCode(text.charCodeAt(at - 1) || 0)) return undefined;
      DOLLAR_QUOTE.lastIndex = at;
      const tag = DOLLAR_QUOTE.exec(text)?.[0];
      if (tag === undefined) return undefined;
      const end = text.indexOf(tag, at + tag.length);
      return end < 0 ? -1 : end + tag.length;
    }
    default:
      return undefined;
  }
}

/** The text with strings, names and comments taken out: its words are keywords and plain names. */
function bare(text: string): string {
  let kept = "";
  for (let at = 0; at < text.length; ) {
    const end = endOfOpaque(text, at, false);
    if (end === undefined) kept += text[at++];
    else {
      kept += " ";
      at = end < 0 ? text.length : end;
    }
  }
  return kept;
}

/** Whether a `;` after this text is inside the body of a function in SQL-standard form, which ends with its END. */
function insideAtomicBody(text: string): boolean {
  if (!/begin\s+atomic/i.test(text) || !/^create\s/i.test(text)) return false;
  let depth = 0;
  for (const [word] of bare(text).matchAll(/\b(?:begin|case|end)\b/gi)) {
    depth += word.toLowerCase() === "end" ? -1 : 1;
  }
  return depth > 0;
}

const COPY_IN = /^copy\s[\s\S]*\sfrom\s+stdin\b/i;
const END_OF_COPY = /^\\\.\r?$/m;

/** The lines of a COPY that begin after the line on which its statement ends. */
function copyLines(
  script: string,
  from: number,
): { data: string; dataOffset: number; end: number; ended: boolean } {
  const lineEnd = script.indexOf("\n", from);
  const dataOffset = lineEnd < 0 ? script.length : lineEnd + 1;
  let mark = script.startsWith("\\.", dataOffset) ? dataOffset : script.indexOf("\n\\.", dataOffset - 1) + 1;
  // `\.` must be alone on its line; a value may begin with an escaped dot.
  while (mark > 0 && !END_OF_COPY.test(script.slice(mark, mark + 4).split("\n")[0] ?? "")) {
    mark = script.indexOf("\n\\.", mark) + 1;
  }
  if (mark === 0) return { data: script.slice(dataOffset), dataOffset, end: script.length, ended: false };
  const next = script.indexOf("\n", mark);
  return {
    data: script.slice(dataOffset, mark),
    dataOffset,
    end: next < 0 ? script.length : next + 1,
    ended: true,
  };
}

/** The parts of a script in order. Pieces of white space and comments alone are left out. */
export function* splitScript(script: string): Generator<ScriptPart> {
  let escapes = false;
  let depth = 0;
  /** Where the statement's first word is; -1 before it. */
  let start = -1;
  let at = script.startsWith("\ufeff") ? 1 : 0;
  while (at < script.length) {
    const code = script.charCodeAt(at);
    if (isSpace(code)) {
      at++;
      continue;
    }
    const opaque = endOfOpaque(script, at, escapes);
    if (opaque !== undefined) {
      const comment = code === CODE.minus || code === CODE.slash;
      if (start < 0 && !comment) start = at;
      if (opaque < 0) {
        const offset = start < 0 ? at : start;
        yield { kind: "unterminated", text: script.slice(offset), offset };
        return;
      }
      at = opaque;
      continue;
    }
    if (code === CODE.backslash && start < 0) {
      const end = script.indexOf("\n", at);
      const text = script.slice(at, end < 0 ? script.length : end).trimEnd();
      yield { kind: "meta", text, offset: at };
      at = end < 0 ? script.length : end + 1;
      continue;
    }
    if (code === CODE.semicolon && depth <= 0 && start >= 0) {
      const text = script.slice(start, at);
      if (insideAtomicBody(text)) {
        at++;
        continue;
      }
      const offset = start;
      at++;
      start = -1;
      depth = 0;
      if (COPY_IN.test(text)) {
        const lines = copyLines(script, at);
        yield {
          kind: "copy",
          text,
          offset,
          data: lines.data,
          dataOffset: lines.dataOffset,
          ended: lines.ended,
        };
        at = lines.end;
      } else {
        const strings = /^set\s+standard_conforming_strings\s*(?:=|to)\s*'?(on|off)/i.exec(text)?.[1];
        if (strings !== undefined) escapes = strings.toLowerCase() === "off";
        yield { kind: "statement", text, offset };
      }
      continue;
    }
    if (code !== CODE.semicolon && start < 0) start = at;
    if (code === CODE.open) depth++;
    else if (code === CODE.close) depth--;
    at++;
    // A word at once: most of a script is words and numbers.
    if (isWordCode(code)) while (at < script.length && isWordCode(script.charCodeAt(at))) at++;
  }
  if (start >= 0) yield { kind: "statement", text: script.slice(start).trimEnd(), offset: start };
}

/** How many statements a string holds; a stray end of line or comment is none. */
export function countStatements(sql: string): number {
  let count = 0;
  for (const _part of splitScript(sql)) count++;
  return count;
}

/** The line of an offset, from 1. */
export function lineOf(script: string, offset: number): number {
  let line = 1;
  for (let at = script.indexOf("\n"); at >= 0 && at < offset; at = script.indexOf("\n", at + 1)) line++;
  return line;
}
