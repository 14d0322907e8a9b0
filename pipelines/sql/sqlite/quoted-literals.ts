import type { Rewrite } from "../execution.js";
import { quoteIdentifier, quoteLiteral } from "../text/shape.js";
import { isNameCharacter, isSignificant, nameOf, type Token, tokens } from "../text/tokens.js";
import type { RowStatement } from "./admission.js";
import type { Connection } from "./open.js";

/**
 * Double-quoted string literals (spec 9): stock SQLite reads `"USA"` as text where no column has that name; the build
 * in use here refuses it and says so. This normaliser does what stock SQLite does, on SQLite's own word alone: a token
 * is rewritten only when name resolution failed on that very token.
 */
export type Prepared = { rewrites: Rewrite[] } & (
  | { statement: RowStatement; sql: string }
  | { error: string }
  /** `"table.column"` in one pair of quotes: meant as a column, so it must not silently become text. */
  | { qualifiedName: string }
);

const UNRESOLVED = /^no such column: "([\s\S]*)" - should this be a string literal in single-quotes\?$/;

type Attempt = { statement: RowStatement } | { error: string };

function attempt(connection: Connection, sql: string): Attempt {
  try {
    return { statement: connection.prepare<[], unknown[]>(sql) };
  } catch (error) {
    return { error: (error as Error).message };
  }
}

/** The name that SQLite could not resolve, when that is the error. */
function unresolvedName(made: Attempt): string | undefined {
  return "error" in made ? UNRESOLVED.exec(made.error)?.[1] : undefined;
}

/** A string literal in a token's place, kept apart from neighbours it would run into (`x"ab"` must not become a blob). */
function literalAt(all: readonly Token[], at: number): string {
  const before = all[at - 1]?.text.at(-1);
  const after = all[at + 1]?.text[0];
  const left = isNameCharacter(before) || before === "'" ? " " : "";
  return `${left}${quoteLiteral(nameOf(all[at] as Token))}${after === "'" ? " " : ""}`;
}

/** The statement with some of its tokens replaced, by token index. */
function textWith(all: readonly Token[], replaced: ReadonlyMap<number, string>): string {
  return all.map((token, at) => replaced.get(at) ?? token.text).join("");
}

/** Whether a token is joined to a neighbour by a dot: such a one is never taken for text. */
function isQualified(all: readonly Token[], at: number): boolean {
  const around = all.filter((token, index) => index === at || isSignificant(token));
  const place = around.indexOf(all[at] as Token);
  return around[place - 1]?.text === "." || around[place + 1]?.text === ".";
}

/**
 * The one token that resolution failed on, among those that spell the name. Two spellings of `"x"` can be a column in
 * one place and text in another, and SQLite reports only the name. Resolution goes through the tokens in an order of
 * its own and stops at the first failure f. Giving a token a name that cannot exist makes it the reported one exactly
 * when it is f or comes before f; of these, f alone changes the next report when it becomes text.
 */
function offender(
  connection: Connection,
  all: readonly Token[],
  done: ReadonlyMap<number, string>,
  spelling: readonly number[],
): number | undefined {
  if (spelling.length < 2) return spelling[0];
  let marker = "no such name";
  while (all.some((token) => token.text.includes(marker))) marker += " either";
  const reportedWhenMarked = (fixed: ReadonlyMap<number, string>) =>
    spelling.filter((at) => {
      if (fixed.has(at)) return false;
      const marked = new Map(fixed).set(at, quoteIdentifier(marker));
      return unresolvedName(attempt(connection, textWith(all, marked))) === marker;
    });
  const upToFailure = reportedWhenMarked(done);
  if (upToFailure.length < 2) return upToFailure[0];
  const name = nameOf(all[spelling[0] as number] as Token);
  return upToFailure.find((at) => {
    const fixed = new Map(done).set(at, literalAt(all, at));
    if (unresolvedName(attempt(connection, textWith(all, fixed))) !== name) return true;
    const rest = upToFailure.filter((other) => other !== at);
    return reportedWhenMarked(fixed).join() !== rest.join();
  });
}

/** Whether `table.column`, split at any dot, names a column in scope at the token, or a table of the schema and its column. */
function namesColumn(
  connection: Connection,
  all: readonly Token[],
  done: ReadonlyMap<number, string>,
  at: number,
): boolean {
  const content = nameOf(all[at] as Token);
  for (let dot = content.indexOf("."); dot >= 0; dot = content.indexOf(".", dot + 1)) {
    const table = content.slice(0, dot).trim();
    const column = content.slice(dot + 1).trim();
    if (table === "" || column === "") continue;
    const qualified = ` ${quoteIdentifier(table)}.${quoteIdentifier(column)}`;
    const inScope = attempt(connection, textWith(all, new Map(done).set(at, qualified)));
    if (!("error" in inScope) || !inScope.error.endsWith(`no such column: ${table}.${column}`)) return true;
    const listed = connection
      .prepare("SELECT 1 FROM pragma_table_xinfo(?) WHERE name = ? COLLATE NOCASE")
      .get(table, column);
    if (listed !== undefined) return true;
  }
  return false;
}

/**
 * Prepares a statement, turning each double-quoted token that SQLite cannot resolve as a column into a string literal.
 * The rewrites are reported in the order of the text, also when another error ends the attempt.
 */
export function prepareWithLiterals(connection: Connection, sql: string): Prepared {
  const first = attempt(connection, sql);
  if ("statement" in first) return { statement: first.statement, sql, rewrites: [] };
  if (unresolvedName(first) === undefined) return { error: first.error, rewrites: [] };

  const all = tokens(sql);
  const done = new Map<number, string>();
  const rewrites = (): Rewrite[] =>
    [...done.keys()]
      .sort((a, b) => a - b)
      .map((at) => ({ kind: "quoted_literal", token: all[at]?.text ?? "", offset: all[at]?.offset ?? 0 }));
  for (let text = sql, made: Attempt = first; ; ) {
    if ("statement" in made) return { statement: made.statement, sql: text, rewrites: rewrites() };
    const name = unresolvedName(made);
    const spelling = [...all.keys()].filter(
      (at) =>
        !done.has(at) &&
        all[at]?.text[0] === '"' &&
        nameOf(all[at] as Token) === name &&
        !isQualified(all, at),
    );
    const at = name === undefined ? undefined : offender(connection, all, done, spelling);
    // Nothing in this text is to blame: the error comes from a view, or is another one.
    if (at === undefined) return { error: made.error, rewrites: rewrites() };
    if (namesColumn(connection, all, done, at)) {
      return { qualifiedName: (all[at] as Token).text, rewrites: rewrites() };
    }
    done.set(at, literalAt(all, at));
    text = textWith(all, done);
    made = attempt(connection, text);
  }
}
