import { isSignificant, type Token, tokens } from "./tokens.js";

/** One statement of a script: its text without the closing `;`, trimmed of nothing, and where it starts. */
export interface StatementText {
  text: string;
  offset: number;
}

function isWord(token: Token | undefined, ...words: string[]): boolean {
  return token?.kind === "identifier" && words.includes(token.text.toUpperCase());
}

function isOperator(token: Token | undefined, text: string): boolean {
  return token?.kind === "operator" && token.text === text;
}

/** CREATE [TEMP] TRIGGER, whose body has semicolons of its own. */
function startsTrigger(words: readonly Token[]): boolean {
  if (!isWord(words[0], "CREATE")) return false;
  return isWord(words[isWord(words[1], "TEMP", "TEMPORARY") ? 2 : 1], "TRIGGER");
}

/**
 * The statements of a script, split where SQLite splits: at `;` outside strings, names and comments, and in a trigger
 * only at the `;` after its END. Pieces without a single word (white space, comments) are left out.
 */
export function statements(sql: string): StatementText[] {
  const found: StatementText[] = [];
  let words: Token[] = [];
  let start = 0;
  const finish = (end: number) => {
    if (words.length > 0) found.push({ text: sql.slice(start, end), offset: start });
    words = [];
  };
  for (const token of tokens(sql)) {
    if (isOperator(token, ";")) {
      const inTrigger =
        startsTrigger(words) && !(isWord(words.at(-1), "END") && isOperator(words.at(-2), ";"));
      if (!inTrigger) {
        finish(token.offset);
        start = token.offset + 1;
        continue;
      }
    }
    if (isSignificant(token)) words.push(token);
  }
  finish(sql.length);
  return found;
}

/** Parentheses around the whole statement (PostgreSQL allows them) hide nothing: they are taken off. */
function withoutOuterParentheses(words: readonly Token[]): readonly Token[] {
  if (!isOperator(words[0], "(") || !isOperator(words.at(-1), ")")) return words;
  let depth = 0;
  for (const [at, token] of words.entries()) {
    if (isOperator(token, "(")) depth++;
    else if (isOperator(token, ")") && --depth === 0) {
      return at === words.length - 1 ? withoutOuterParentheses(words.slice(1, -1)) : words;
    }
  }
  return words;
}

/** Whether the statement orders its outermost result: ORDER BY outside every parenthesis. */
export function ordersOutermost(sql: string): boolean {
  const all = tokens(sql).filter(isSignificant);
  while (isOperator(all.at(-1), ";")) all.pop();
  let depth = 0;
  const words = withoutOuterParentheses(all);
  for (const [at, token] of words.entries()) {
    if (isOperator(token, "(")) depth++;
    else if (isOperator(token, ")")) depth--;
    else if (depth === 0 && isWord(token, "ORDER") && isWord(words[at + 1], "BY")) return true;
  }
  return false;
}

/** The leading words of a statement in capitals, to name what it is: `["CREATE", "TEMP", "TABLE"]`. */
export function leadingWords(sql: string, count: number): string[] {
  const words: string[] = [];
  for (const token of tokens(sql)) {
    if (!isSignificant(token) || (words.length === 0 && isOperator(token, ";"))) continue;
    if (token.kind !== "identifier" || words.length === count) break;
    words.push(token.text.toUpperCase());
  }
  return words;
}

/** Letters, digits and underscores, not starting with a digit: a name that needs no quotes unless it is a keyword. */
export function isPlainIdentifier(name: string): boolean {
  return /^[A-Za-z_][A-Za-z0-9_]*$/.test(name);
}

/** A name as SQL text, always quoted, so that keywords and odd characters are safe: `"Order Details"`. */
export function quoteIdentifier(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}

/** A text as an SQL string literal. */
export function quoteLiteral(text: string): string {
  return `'${text.replaceAll("'", "''")}'`;
}

/** A name as SQLite compares it: ASCII letters without case, all else exactly. */
export function foldName(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => letter.toLowerCase());
}

/** Whether two names are one to SQLite. */
export function sameName(a: string, b: string): boolean {
  return foldName(a) === foldName(b);
}
