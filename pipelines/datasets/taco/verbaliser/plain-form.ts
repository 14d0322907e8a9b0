/**
 * A statement as the parser can read it. node-sql-parser knows few of SQLite's names and literals (measured: it fails on
 * `[name]`, a column named Count, `sum(DISTINCT x)`, `NOT GLOB`, ISNULL, NULLS LAST, and it keeps `''` doubled), so each
 * name, function and literal is given a plain stand-in first, by SQLite's own tokens, and put back in what it returns.
 */
import { isKeyword, isName, nameOf, type Token, wordsOf } from "../../../sql/index.js";
import { NoSentence } from "./no-sentence.js";
import { NO_LIMIT, type PlainForm, PlainWriter } from "./plain-writer.js";

/** Words of SQL that the parser must see; any other unquoted one names something. */
const GRAMMAR =
  "SELECT DISTINCT FROM WHERE GROUP BY HAVING ORDER ASC DESC LIMIT OFFSET AND OR NOT IN IS NULL LIKE BETWEEN CASE WHEN THEN ELSE END CAST AS TRUE FALSE ESCAPE COLLATE FILTER OVER PARTITION EXISTS REGEXP MATCH".split(
    " ",
  );
/** Those of them that may stand before a parenthesis and call nothing. */
const NO_CALL = GRAMMAR.filter((word) => !["EXISTS", "FILTER", "OVER"].includes(word));
/** One spelling of each operator; the other one is free to stand for IS and IS NOT, which the parser reads wrongly. */
const SPELLING: ReadonlyMap<string, string> = new Map([
  ["==", "="],
  ["!=", "<>"],
]);
const AFTER_TABLE = ["WHERE", "GROUP", "HAVING", "ORDER", "LIMIT", "WINDOW"];

/** In `CAST(x AS type)` the word after AS is a type: the AS stands inside a parenthesis. */
function isInside(words: readonly Token[], at: number): boolean {
  const operators = words.slice(0, at).filter(({ kind }) => kind === "operator");
  const count = (text: string): number => operators.filter((word) => word.text === text).length;
  return count("(") > count(")");
}

/** Where the statement's own clauses begin; -1 for one that it has not. */
interface Clauses {
  from: number;
  order: number;
  limit: number;
}

class Reader {
  readonly #writer: PlainWriter;
  readonly #words: readonly Token[];
  readonly #clauses: Clauses;

  constructor(words: readonly Token[], columns: readonly string[]) {
    this.#words = words;
    this.#writer = new PlainWriter(columns);
    this.#clauses = {
      from: words.findIndex((word) => isKeyword(word, "FROM")),
      order: words.findLastIndex((word, at) => isKeyword(word, "ORDER") && isKeyword(words[at + 1], "BY")),
      limit: words.findLastIndex((word) => isKeyword(word, "LIMIT")),
    };
  }

  read(): PlainForm {
    for (let at = 0; at < this.#words.length; ) at += this.#step(at);
    return this.#writer.form();
  }

  /** Writes what stands at a place; gives how many tokens it took. */
  #step(at: number): number {
    const words = this.#words;
    const word = words[at] as Token;
    const before = words[at - 1];
    const inLimit = this.#clauses.limit !== -1 && at > this.#clauses.limit;
    if (at === this.#clauses.from) return this.#table(at);
    if (word.kind === "string") {
      if (isKeyword(before, "AS")) this.#writer.alias(nameOf(word));
      else this.#writer.literal({ kind: "text", text: nameOf(word) }, isKeyword(before, "GLOB"));
    } else if (word.kind === "blob") {
      this.#writer.literal({ kind: "blob", text: word.text.slice(2, -1).toLowerCase() });
    } else if (inLimit && word.text === "-") {
      this.#writer.write(isKeyword(before, "LIMIT") ? String(NO_LIMIT) : "0");
      return 2;
    } else if (!inLimit && word.kind === "number") {
      this.#writer.literal({ kind: "number", text: word.text });
    } else if (isName(word)) return this.#name(at);
    else this.#writer.write(SPELLING.get(word.text) ?? word.text);
    return 1;
  }

  /** There is one table only, which `refuseUnusable` has read. */
  #table(from: number): number {
    this.#writer.write("FROM t");
    const end = this.#words.findIndex((word, at) => at > from && isKeyword(word, ...AFTER_TABLE));
    return (end === -1 ? this.#words.length : end) - from;
  }

  #name(at: number): number {
    const words = this.#words;
    const [before, word, next] = [words[at - 1], words[at] as Token, words[at + 1]];
    if (next?.text === "." && before?.text !== ".") return 2;
    if (isKeyword(before, "COLLATE")) this.#writer.write(nameOf(word));
    else if (isKeyword(before, "AS")) {
      if (isInside(words, at)) this.#writer.write(word.text);
      else this.#writer.alias(nameOf(word));
    } else if (word.kind === "quoted_identifier") this.#named(at);
    else if (next?.text === "(" && !isKeyword(word, ...NO_CALL)) return this.#call(at);
    else return this.#word(at);
    return 1;
  }

  #call(at: number): number {
    const [word, inside, after] = [this.#words[at] as Token, this.#words[at + 2], this.#words[at + 3]];
    if (isKeyword(word, "EXISTS", "FILTER", "OVER")) {
      throw new NoSentence("no_sentence", `no sentence for ${word.text.toUpperCase()}`);
    }
    const distinct = isKeyword(inside, "DISTINCT");
    const star = inside?.text === "*" && after?.text === ")";
    this.#writer.call({ name: word.text.toUpperCase(), distinct, star });
    this.#writer.write("(");
    return distinct || star || isKeyword(inside, "ALL") ? 3 : 2;
  }

  /** A word without quotes: SQL's own, or a name. */
  #word(at: number): number {
    const words = this.#words;
    const [before, word, next] = [words[at - 1], words[at] as Token, words[at + 1]];
    if (isKeyword(word, "ISNULL")) this.#writer.write("IS NULL");
    else if (isKeyword(word, "NOTNULL")) this.#writer.write("IS NOT NULL");
    else if (isKeyword(word, "NOT") && isKeyword(next, "NULL") && !isKeyword(before, "IS")) {
      this.#writer.write("IS NOT NULL");
      return 2;
    } else if (isKeyword(word, "GLOB")) {
      if (next?.kind !== "string")
        throw new NoSentence("no_sentence", "no sentence for GLOB without a literal");
      this.#writer.write("LIKE");
    } else if (isKeyword(word, "NULLS") && isKeyword(next, "FIRST", "LAST")) {
      const { order } = this.#clauses;
      const term = words.slice(order, at).filter((_, index) => this.#endsTerm(order + index)).length;
      this.#writer.nullsGo(term, isKeyword(next, "FIRST") ? "first" : "last");
      return 2;
    } else if (isKeyword(word, "IS")) return this.#is(at);
    else if (isKeyword(word, "ALL") && isKeyword(before, "SELECT")) return 1;
    else if (isKeyword(word, ...GRAMMAR)) this.#writer.write(word.text);
    else this.#named(at);
    return 1;
  }

  /** `IS NULL` and `IS NOT NULL` stay; of anything else, the parser takes the NOT for a part of what follows. */
  #is(at: number): number {
    const negated = isKeyword(this.#words[at + 1], "NOT");
    const operand = this.#words[at + (negated ? 2 : 1)];
    if (isKeyword(operand, "DISTINCT")) throw new NoSentence("no_sentence", "no sentence for DISTINCT FROM");
    const missing = isKeyword(operand, "NULL");
    this.#writer.write(missing ? `IS ${negated ? "NOT " : ""}NULL` : negated ? "!=" : "==");
    return (negated ? 2 : 1) + (missing ? 1 : 0);
  }

  /** A comma between ORDER BY terms, not one inside a call. */
  #endsTerm(at: number): boolean {
    const { order } = this.#clauses;
    return this.#words[at]?.text === "," && !isInside(this.#words.slice(order), at - order);
  }

  /** A column, or what a result is called; a name that alone is an ORDER BY term means the result first. */
  #named(at: number): void {
    const words = this.#words;
    const name = nameOf(words[at] as Token);
    const [before, after] = [words[at - 1], words[at + 1]];
    const { order } = this.#clauses;
    const begins = order !== -1 && at > order + 1 && (before?.text === "," || at === order + 2);
    const ends =
      after === undefined || after.text === "," || isKeyword(after, "ASC", "DESC", "LIMIT", "NULLS");
    if (begins && ends && this.#writer.hasAlias(name)) this.#writer.alias(name);
    else if (!this.#writer.column(name)) this.#writer.alias(name);
  }
}

/**
 * @param sql one SELECT over one table that SQLite has prepared
 * @param columns of that table, as the database writes them
 */
export function plainForm(sql: string, columns: readonly string[]): PlainForm {
  return new Reader(wordsOf(sql), columns).read();
}
