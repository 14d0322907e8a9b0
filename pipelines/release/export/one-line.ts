import { isSignificant, type Token, tokens } from "../../sql/index.js";

/** What SQLite sees of a statement. */
const seen = (all: readonly Token[]): string =>
  JSON.stringify(all.filter(isSignificant).map(({ kind, text }) => [kind, text]));

/**
 * A statement in one line without tabs, which is how BIRD's evaluator reads gold SQL (`package_sqls` in its evaluation.py
 * takes the file line by line and cuts each at its tab). Comments, and blanks that hold a line break, become one blank: token
 * by token and never by pattern, so that no line is pulled into a comment before it and no quoted text changes. What SQLite
 * sees stays the same.
 *
 * @returns undefined where a quoted text or name holds a line break or a tab itself, or has no end
 */
export function oneLine(sql: string): string | undefined {
  const all = tokens(sql);
  const line = all
    .map((token) => {
      if (isSignificant(token)) return token.text;
      return token.kind === "comment" || /[\t\n\v\f\r]/.test(token.text) ? " " : token.text;
    })
    .join("")
    .trim();
  if (/[\t\n\r]/.test(line) || all.some(({ unterminated }) => unterminated === true)) return undefined;
  return seen(tokens(line)) === seen(all) ? line : undefined;
}
