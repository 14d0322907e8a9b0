/** SQL read as words: enough to see which tables and columns upstream's short statements name. */
import { isSignificant, nameOf, type Token, tokens } from "../../sql/index.js";

export { nameOf } from "../../sql/index.js";

/** A statement's tokens without white space and comments. */
export const sqlWords = (sql: string): Token[] => tokens(sql).filter(isSignificant);

export const isKeyword = (token: Token | undefined, ...keywords: string[]): boolean =>
  token?.kind === "identifier" && keywords.includes(token.text.toUpperCase());

/** Names of the tables after FROM and JOIN. */
export function namesAfterFrom(words: readonly Token[]): string[] {
  return words.flatMap((word, at) => {
    const named = words[at + 1];
    return isKeyword(word, "FROM", "JOIN") && named !== undefined && named.text !== "("
      ? [nameOf(named)]
      : [];
  });
}
