import { isSignificant, type Token, tokens } from "./tokens.js";

/** Words that begin a clause of a query outside of parentheses; those of two words are told by their first. */
const BEGINNINGS = new Set([
  "WITH",
  "SELECT",
  "FROM",
  "WHERE",
  "GROUP",
  "HAVING",
  "WINDOW",
  "ORDER",
  "LIMIT",
  "OFFSET",
  "FETCH",
  "UNION",
  "INTERSECT",
  "EXCEPT",
  "VALUES",
  "SET",
  "RETURNING",
]);
/** GROUP and ORDER begin a clause only before BY. */
const BEFORE_BY = new Set(["GROUP", "ORDER"]);

const wordOf = (token: Token | undefined): string =>
  token?.kind === "identifier" ? token.text.toUpperCase() : "";

function begins(words: readonly Token[], at: number): boolean {
  const word = wordOf(words[at]);
  if (!BEGINNINGS.has(word)) return false;
  // IS DISTINCT FROM compares; GROUP may end an aggregate's WITHIN GROUP (…).
  if (word === "FROM" && wordOf(words[at - 1]) === "DISTINCT") return false;
  return !BEFORE_BY.has(word) || wordOf(words[at + 1]) === "BY";
}

/**
 * The outermost clauses of a statement, in order, each as it is written: `SELECT …`, `FROM … JOIN …`, `WHERE …`. Joined
 * with blanks they are the statement but for white space and comments at the seams. What stands in parentheses belongs
 * to its clause; a statement of another kind is one clause up to its first such word.
 */
export function clauses(sql: string): string[] {
  const words = tokens(sql).filter(isSignificant);
  while (words.at(-1)?.text === ";") words.pop();
  const last = words.at(-1);
  if (last === undefined) return [];
  const starts: number[] = [];
  let depth = 0;
  for (const [at, token] of words.entries()) {
    if (token.text === "(") depth += 1;
    else if (token.text === ")") depth -= 1;
    else if (at === 0 || (depth === 0 && begins(words, at))) starts.push(at);
  }
  if (starts[0] !== 0) starts.unshift(0);
  const endOf = (token: Token): number => token.offset + token.text.length;
  return starts.map((from, index) => {
    const to = starts[index + 1] ?? words.length;
    return sql.slice(words[from]!.offset, endOf(words[to - 1]!));
  });
}
