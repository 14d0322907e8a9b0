import {
  isKeyword,
  isName,
  isSignificant,
  nameOf,
  quoteIdentifier,
  type Token,
  tokens,
} from "../../sql/index.js";
import type { FromTable } from "./items.js";
import { foldName, sameName } from "./schema.js";

/** The token that names the table in FROM: the last before an alias, a keyword or the end. */
function fromToken(words: readonly Token[], table: string): Token | undefined {
  const from = words.findIndex((word) => isKeyword(word, "FROM"));
  const clause = words.slice(from + 1, from + 4);
  const qualified = clause[1]?.text === ".";
  const named = qualified ? clause[2] : clause[0];
  return named !== undefined && sameName(nameOf(named), table) ? named : undefined;
}

/**
 * The same statement on another table: the name in FROM and, where no alias stands for it, each qualifier of that name
 * are replaced, token by token; all else stays as it is written.
 */
export function onTable(sql: string, from: FromTable, table: string): string {
  const all = tokens(sql);
  const words = all.filter(isSignificant);
  const inFrom = fromToken(words, from.table);
  if (inFrom === undefined) throw new Error(`no table ${from.table} in the FROM of: ${sql}`);
  const swapped = new Set<Token>([inFrom]);
  words.forEach((word, at) => {
    const qualifies = words[at + 1]?.text === "." && words[at - 1]?.text !== ".";
    if (from.alias === null && qualifies && isName(word) && sameName(nameOf(word), from.table))
      swapped.add(word);
  });
  const written = quoteIdentifier(table);
  return all.map((token) => (swapped.has(token) ? written : token.text)).join("");
}

/**
 * The columns, of those given, that a statement surely needs: names that are neither what it calls a result (after AS)
 * nor a function. Only to spare tables that cannot fit: whether one fits is for SQLite to say.
 */
export function columnsNeeded(sql: string, columns: readonly string[]): string[] {
  const words = tokens(sql).filter(isSignificant);
  const results = new Set<string>();
  const used = new Set<string>();
  words.forEach((word, at) => {
    if (!isName(word)) return;
    const name = foldName(nameOf(word));
    if (isKeyword(words[at - 1], "AS")) results.add(name);
    else if (words[at + 1]?.text !== "(" && words[at + 1]?.text !== ".") used.add(name);
  });
  return columns.filter((column) => used.has(foldName(column)) && !results.has(foldName(column)));
}
