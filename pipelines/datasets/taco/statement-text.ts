/** What the text of a statement says before any database is asked: cut into SQLite's own tokens, never by pattern. */
import Database from "better-sqlite3";
import {
  isKeyword,
  isName,
  isSignificant,
  nameOf,
  statements,
  type Token,
  tokens,
  wordsOf,
} from "../../sql/index.js";
import type { FromTable } from "./items.js";

/** How many statements a text holds; comments and empty ones are none. */
export function countStatements(sql: string): number {
  return statements(sql).filter(({ text }) => tokens(text).some(isSignificant)).length;
}

/**
 * SQLite's message where a single statement is not SQL at all. It is only prepared, and on an empty database, so that
 * names do not matter: SQLite looks names up after it has read the whole statement.
 */
export function syntaxError(sql: string): string | undefined {
  const db = new Database(":memory:");
  try {
    db.prepare(sql);
    return undefined;
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    const isSyntax = /syntax error|unrecognized token|incomplete input|parser stack overflow/.test(message);
    return isSyntax ? message : undefined;
  } finally {
    db.close();
  }
}

/** Tokens outside every parenthesis, each with whether it is. */
function depths(words: readonly Token[]): number[] {
  let depth = 0;
  return words.map(({ text, kind }) => {
    if (kind !== "operator") return depth;
    if (text === ")") depth -= 1;
    const here = depth;
    if (text === "(") depth += 1;
    return here;
  });
}

/** Why a statement does not read exactly one table, or that table. */
export type TableReading =
  | { reads: FromTable }
  | {
      refused: "not_a_select" | "no_table" | "several_tables" | "compound_select" | "subquery";
      detail: string;
    };

const AFTER_FROM = ["WHERE", "GROUP", "HAVING", "ORDER", "LIMIT", "WINDOW"];
const COMPOUND = ["UNION", "EXCEPT", "INTERSECT"];

/** The names in a FROM clause, for messages. */
const namesIn = (clause: readonly Token[]): string =>
  clause
    .map(({ text }) => text)
    .join(" ")
    .replaceAll(" . ", ".")
    .replaceAll(" ,", ",")
    .slice(0, 120);

/** Reads which table a statement, known to be SQL, selects from. */
export function tableRead(sql: string): TableReading {
  const words = wordsOf(sql);
  const [first] = words;
  if (!isKeyword(first, "SELECT", "WITH")) {
    return { refused: "not_a_select", detail: `a ${first?.text.toUpperCase() ?? "blank"} statement` };
  }
  const depth = depths(words);
  const outer = (at: number, ...keywords: string[]): boolean =>
    depth[at] === 0 && isKeyword(words[at], ...keywords);
  const from = words.findIndex((_, at) => outer(at, "FROM"));
  const end = words.findIndex((_, at) => at > from && outer(at, ...AFTER_FROM, ...COMPOUND));
  const clause = from === -1 ? [] : words.slice(from + 1, end === -1 ? undefined : end);
  const compound = words.find((_, at) => outer(at, ...COMPOUND));
  const selects = words.filter((word) => isKeyword(word, "SELECT")).length;
  if (clause.some((word, at) => word.text === "," || (at > 0 && isKeyword(word, "JOIN")))) {
    return { refused: "several_tables", detail: `reads from ${namesIn(clause)}` };
  }
  if (compound !== undefined) {
    return { refused: "compound_select", detail: `joins SELECTs by ${compound.text.toUpperCase()}` };
  }
  if (selects > 1 || isKeyword(first, "WITH")) {
    return { refused: "subquery", detail: `has ${selects} SELECTs` };
  }
  return oneTable(clause);
}

/** `t`, `main.t`, `t AS a`, `t a`; anything else (a function, index hints) is no plain table. */
function oneTable(clause: readonly Token[]): TableReading {
  const [schema, dot, ...afterSchema] = clause;
  const qualified = dot?.text === "." && schema !== undefined && nameOf(schema).toLowerCase() === "main";
  const [table, ...rest] = qualified ? afterSchema : clause;
  if (table === undefined) return { refused: "no_table", detail: "has no FROM" };
  const aliased = isKeyword(rest[0], "AS") ? rest.slice(1) : rest;
  const [alias, ...more] = aliased;
  if (
    !isName(table) ||
    more.length > 0 ||
    (alias !== undefined && !isName(alias) && alias.kind !== "string")
  ) {
    return { refused: "no_table", detail: `reads from ${namesIn(clause)}, which is not a plain table` };
  }
  return { reads: { table: nameOf(table), alias: alias === undefined ? null : nameOf(alias) } };
}
