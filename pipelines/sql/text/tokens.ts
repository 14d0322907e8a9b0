/**
 * SQLite's own way of cutting SQL into tokens, so that a quote inside a comment or a comment inside a string is what
 * the database takes it for. Facts: sqlite.org/lang_expr, lang_comment, lang_keywords, and observed behaviour of 3.53.
 */
export type TokenKind =
  | "space"
  | "comment"
  | "string"
  | "quoted_identifier"
  | "identifier"
  | "blob"
  | "number"
  | "variable"
  | "operator"
  | "illegal";

export interface Token {
  kind: TokenKind;
  /** Exactly as written: the texts of all tokens joined are the statement. */
  text: string;
  /** In UTF-16 units from the start. */
  offset: number;
  /** A string, quoted name or block comment whose end is missing. */
  unterminated?: true;
}

const ID_CHAR = /[A-Za-z0-9_$\u0080-\uffff]/;
const ID_START = /[A-Za-z_\u0080-\uffff]/;
const DIGIT = /[0-9]/;
const DIGITS_THEN = (digits: string) => `${digits}(?:_?${digits})*`;
const DECIMAL = DIGITS_THEN("[0-9]");
const NUMBER = new RegExp(
  `0[xX]${DIGITS_THEN("[0-9a-fA-F]")}|(?:${DECIMAL}(?:\\.(?:${DECIMAL})?)?|\\.${DECIMAL})(?:[eE][+-]?${DECIMAL})?`,
  "y",
);
const ID_REST = /[A-Za-z0-9_$\u0080-\uffff]*/y;
const SPACE_REST = /[\t\n\v\f\r ]*/y;
const BLOB = /[xX]'[^']*'?/y;
const OPERATOR = /->>|->|==|<=|<>|<<|>=|>>|!=|\|\||[-+*/%=<>|&~(),.;]/y;

/** Where the match of a sticky pattern at `from` ends; `from` itself when there is none. */
function endOf(pattern: RegExp, sql: string, from: number): number {
  pattern.lastIndex = from;
  return pattern.test(sql) ? pattern.lastIndex : from;
}

/** End of a quoted token that starts at `from`; a doubled quote stands for itself. -1 when the end is missing. */
function endOfQuoted(sql: string, from: number, quote: string): number {
  for (let at = sql.indexOf(quote, from + 1); at >= 0; at = sql.indexOf(quote, at + 2)) {
    if (sql[at + 1] !== quote) return at + 1;
  }
  return -1;
}

interface Cut {
  kind: TokenKind;
  end: number;
  unterminated?: true;
}

function closed(kind: TokenKind, end: number, sql: string): Cut {
  return end < 0 ? { kind, end: sql.length, unterminated: true } : { kind, end };
}

function cutNumber(sql: string, at: number): Cut {
  const end = endOf(NUMBER, sql, at);
  // Digits that run into a name ("1abc") are no token of SQLite's at all.
  const after = endOf(ID_REST, sql, end);
  return { kind: after > end ? "illegal" : "number", end: after };
}

function cut(sql: string, at: number): Cut {
  const first = sql[at] as string;
  const next = sql[at + 1];
  switch (first) {
    // A vertical tab is space after other space only.
    case " ":
    case "\t":
    case "\n":
    case "\f":
    case "\r":
      return { kind: "space", end: endOf(SPACE_REST, sql, at) };
    case "\ufeff":
      return { kind: "space", end: at + 1 };
    case "'":
      return closed("string", endOfQuoted(sql, at, "'"), sql);
    case '"':
    case "`":
      return closed("quoted_identifier", endOfQuoted(sql, at, first), sql);
    case "[": {
      const close = sql.indexOf("]", at);
      return closed("quoted_identifier", close < 0 ? -1 : close + 1, sql);
    }
    case "-":
      if (next === "-") {
        const line = sql.indexOf("\n", at);
        return { kind: "comment", end: line < 0 ? sql.length : line };
      }
      break;
    case "/":
      // At the very end of the text "/*" opens nothing.
      if (next === "*" && at + 2 < sql.length) {
        const close = sql.indexOf("*/", at + 2);
        return closed("comment", close < 0 ? -1 : close + 2, sql);
      }
      break;
    case "?":
      return { kind: "variable", end: endOf(/[0-9]*/y, sql, at + 1) };
    case "$":
    case "@":
    case ":":
    case "#": {
      const end = endOf(ID_REST, sql, at + 1);
      return { kind: end === at + 1 ? "illegal" : "variable", end };
    }
    case "x":
    case "X":
      if (next === "'") {
        const end = endOf(BLOB, sql, at);
        const good = /^[xX]'(?:[0-9a-fA-F]{2})*'$/.test(sql.slice(at, end));
        const open = sql[end - 1] !== "'" || end === at + 2;
        return good ? { kind: "blob", end } : { kind: "illegal", end, ...(open && { unterminated: true }) };
      }
      break;
  }
  if (DIGIT.test(first) || (first === "." && next !== undefined && DIGIT.test(next)))
    return cutNumber(sql, at);
  if (ID_START.test(first)) return { kind: "identifier", end: endOf(ID_REST, sql, at + 1) };
  const end = endOf(OPERATOR, sql, at);
  return end > at ? { kind: "operator", end } : { kind: "illegal", end: at + 1 };
}

/** All tokens of a text, white space and comments included. Never fails: what SQLite rejects is `illegal`. */
export function tokens(sql: string): Token[] {
  const found: Token[] = [];
  for (let at = 0; at < sql.length; ) {
    const { kind, end, unterminated } = cut(sql, at);
    found.push({ kind, text: sql.slice(at, end), offset: at, ...(unterminated && { unterminated }) });
    at = end;
  }
  return found;
}

/** Whether the token carries meaning, that is, is neither white space nor a comment. */
export function isSignificant(token: Token): boolean {
  return token.kind !== "space" && token.kind !== "comment";
}

/** The name that a quoted or plain identifier (or a string in a name's place) stands for. */
export function nameOf(token: Token): string {
  const quote = token.text[0] as string;
  if (quote === "[") return token.text.slice(1, token.unterminated ? undefined : -1);
  if (quote !== '"' && quote !== "`" && quote !== "'") return token.text;
  return token.text.slice(1, token.unterminated ? undefined : -1).replaceAll(quote + quote, quote);
}

/** Whether a character may stand inside an unquoted name. */
export function isNameCharacter(character: string | undefined): boolean {
  return character !== undefined && ID_CHAR.test(character);
}
