/**
 * A statement as the parser can read it. node-sql-parser knows few of SQLite's names and literals (measured: it fails on
 * `[name]`, a column named Count, `sum(DISTINCT x)`, `NOT GLOB`, ISNULL, and it keeps `''` doubled), so each name,
 * function and literal is given a plain stand-in first, by SQLite's own tokens, and put back in what the parser returns.
 */
import { nameOf, type Token } from "../../../sql/index.js";
import { foldName } from "../schema.js";
import { isKeyword, isName, wordsOf } from "../statement-text.js";
import { NoSentence } from "./no-sentence.js";
import type { Literal } from "./query.js";

export interface PlainFunction {
  /** In capitals. */
  name: string;
  distinct: boolean;
  star: boolean;
}

export interface PlainForm {
  sql: string;
  columns: ReadonlyMap<string, string>;
  functions: ReadonlyMap<string, PlainFunction>;
  literals: ReadonlyMap<string, Literal>;
  /** Stand-ins of patterns that follow GLOB. */
  globs: ReadonlySet<string>;
}

/** Words before an opening parenthesis that call nothing. */
const NOT_CALLED = [
  "IN",
  "AND",
  "OR",
  "NOT",
  "WHERE",
  "HAVING",
  "BY",
  "SELECT",
  "DISTINCT",
  "ON",
  "AS",
  "LIKE",
  "GLOB",
];
const ALSO_NOT_CALLED = [
  "CASE",
  "WHEN",
  "THEN",
  "ELSE",
  "BETWEEN",
  "IS",
  "LIMIT",
  "OFFSET",
  "FROM",
  "VALUES",
  "CAST",
];
/** Keywords that SQLite also takes for names; unquoted, they are left to the parser. */
const SOFT = [
  "ASC",
  "DESC",
  "BY",
  "END",
  "LIKE",
  "GLOB",
  "OFFSET",
  "KEY",
  "OF",
  "CAST",
  "FILTER",
  "OVER",
  "ESCAPE",
];

class Writer {
  readonly out: string[] = [];
  readonly columns = new Map<string, string>();
  readonly functions = new Map<string, PlainFunction>();
  readonly literals = new Map<string, Literal>();
  readonly globs = new Set<string>();
  readonly #names: ReadonlyMap<string, string>;
  readonly #aliases = new Map<string, string>();

  constructor(columns: readonly string[]) {
    this.#names = new Map(columns.map((column) => [foldName(column), column]));
  }

  column(name: string): boolean {
    const column = this.#names.get(foldName(name));
    if (column === undefined) return false;
    const standIn = `c${[...this.#names.values()].indexOf(column)}`;
    this.columns.set(standIn, column);
    this.out.push(standIn);
    return true;
  }

  /** What a result is called; the same stand-in wherever it is used. */
  alias(name: string): void {
    const standIn = this.#aliases.get(foldName(name)) ?? `a${this.#aliases.size}`;
    this.#aliases.set(foldName(name), standIn);
    this.out.push(standIn);
  }

  hasAlias(name: string): boolean {
    return this.#aliases.has(foldName(name));
  }

  call(form: PlainFunction): void {
    const standIn = `f${this.functions.size}`;
    this.functions.set(standIn, form);
    this.out.push(standIn);
  }

  literal(literal: Literal, glob = false): void {
    const standIn = `v${this.literals.size}`;
    this.literals.set(standIn, literal);
    if (glob) this.globs.add(standIn);
    this.out.push(`'${standIn}'`);
  }
}

/** A sign is part of the number where nothing stands before it that it could be taken from. */
function isSigned(words: readonly Token[], at: number): boolean {
  const [before, sign, number] = [words[at - 1], words[at], words[at + 1]];
  if (sign?.text !== "-" || number?.kind !== "number" || before === undefined) return false;
  if (before.kind === "operator") return before.text !== ")" && !/^[*/%|&<>+-]/.test(before.text);
  return isKeyword(before, "AND", "BETWEEN", "THEN", "ELSE", "SELECT", "WHEN", "OR", "LIKE");
}

/** Writes one token, or several that belong together; gives how many it took. */
function write(writer: Writer, words: readonly Token[], at: number, inLimit: boolean): number {
  const word = words[at] as Token;
  const next = words[at + 1];
  if (word.kind === "string") {
    if (isKeyword(words[at - 1], "AS")) writer.alias(nameOf(word));
    else writer.literal({ kind: "text", text: nameOf(word) }, isKeyword(words[at - 1], "GLOB"));
    return 1;
  }
  if (word.kind === "blob") {
    writer.literal({ kind: "blob", text: word.text.slice(2, -1).toLowerCase() });
    return 1;
  }
  if (!inLimit && isSigned(words, at)) {
    writer.literal({ kind: "number", text: `-${next?.text ?? ""}` });
    return 2;
  }
  if (word.kind === "number" && !inLimit) {
    writer.literal({ kind: "number", text: word.text });
    return 1;
  }
  if (!isName(word)) {
    writer.out.push(word.text);
    return 1;
  }
  return writeName(writer, words, at);
}

function writeName(writer: Writer, words: readonly Token[], at: number): number {
  const word = words[at] as Token;
  const [next, afterNext] = [words[at + 1], words[at + 2]];
  const plain = word.kind === "identifier";
  if (next?.text === "." && words[at - 1]?.text !== ".") return 2; // A qualifier: there is one table only.
  if (words[at - 1]?.text !== "." && isKeyword(words[at - 1], "AS")) {
    if (!isCastType(words, at)) writer.alias(nameOf(word));
    else writer.out.push(word.text);
    return 1;
  }
  if (plain && next?.text === "(" && !isKeyword(word, ...NOT_CALLED, ...ALSO_NOT_CALLED)) {
    const distinct = isKeyword(afterNext, "DISTINCT");
    const star = afterNext?.text === "*" && words[at + 3]?.text === ")";
    writer.call({ name: word.text.toUpperCase(), distinct, star });
    writer.out.push("(");
    return distinct || star || isKeyword(afterNext, "ALL") ? 3 : 2;
  }
  if (isKeyword(word, "ISNULL")) writer.out.push("IS NULL");
  else if (isKeyword(word, "NOTNULL")) writer.out.push("IS NOT NULL");
  else if (isKeyword(word, "NOT") && isKeyword(next, "NULL") && !isKeyword(words[at - 1], "IS")) {
    writer.out.push("IS NOT NULL");
    return 2;
  } else if (isKeyword(word, "GLOB")) {
    if (next?.kind !== "string")
      throw new NoSentence("no_sentence", "GLOB with a pattern that is not a literal");
    writer.out.push("LIKE");
  } else if (isKeyword(word, "ALL") && isKeyword(words[at - 1], "SELECT")) return 1;
  else if (plain && isKeyword(word, ...SOFT)) writer.out.push(word.text);
  else if (isOrderTerm(words, at) && writer.hasAlias(nameOf(word))) writer.alias(nameOf(word));
  else if (!writer.column(nameOf(word))) {
    if (writer.hasAlias(nameOf(word)) || !plain) writer.alias(nameOf(word));
    else writer.out.push(word.text);
  }
  return 1;
}

/** A name that alone is an ORDER BY term means the result of that name before it means a column. */
function isOrderTerm(words: readonly Token[], at: number): boolean {
  const order = words.findLastIndex(
    (word, index) => isKeyword(word, "ORDER") && isKeyword(words[index + 1], "BY"),
  );
  if (order === -1 || at <= order + 1) return false;
  const [before, after] = [words[at - 1], words[at + 1]];
  const begins = before?.text === "," || isKeyword(before, "BY");
  return begins && (after === undefined || after.text === "," || isKeyword(after, "ASC", "DESC", "LIMIT"));
}

/** In `CAST(x AS type)` the word after AS is a type: the AS stands inside a parenthesis. */
function isCastType(words: readonly Token[], at: number): boolean {
  let depth = 0;
  for (const { text, kind } of words.slice(0, at)) {
    if (kind === "operator" && text === "(") depth += 1;
    if (kind === "operator" && text === ")") depth -= 1;
  }
  return depth > 0;
}

/** Where the LIMIT clause begins; its numbers stay, for the parser wants them there. */
const limitAt = (words: readonly Token[]): number => words.findLastIndex((word) => isKeyword(word, "LIMIT"));

/**
 * @param sql one SELECT over one table that SQLite has prepared
 * @param columns of that table, as the database writes them
 */
export function plainForm(sql: string, columns: readonly string[]): PlainForm {
  const words = wordsOf(sql);
  const writer = new Writer(columns);
  const limit = limitAt(words);
  const from = words.findIndex((word) => isKeyword(word, "FROM"));
  for (let at = 0; at < words.length; ) {
    if (at === from) {
      // Only what follows the table matters now; `refuseUnusable` has read the clause itself.
      writer.out.push("FROM t");
      at += 1;
      while (
        at < words.length &&
        !isKeyword(words[at], "WHERE", "GROUP", "HAVING", "ORDER", "LIMIT", "WINDOW")
      )
        at += 1;
      continue;
    }
    at += write(writer, words, at, limit !== -1 && at > limit);
  }
  const { out, functions, literals, globs } = writer;
  return { sql: out.join(" "), columns: writer.columns, functions, literals, globs };
}
