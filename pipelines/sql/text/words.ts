/** The tokens of a statement that carry meaning, and what they are. */
import { isSignificant, type Token, tokens } from "./tokens.js";

/** The tokens that carry meaning, without closing semicolons. */
export function wordsOf(sql: string): Token[] {
  const words = tokens(sql).filter(isSignificant);
  while (words.at(-1)?.text === ";") words.pop();
  return words;
}

/** Whether the token is one of these keywords, written without quotes. */
export function isKeyword(token: Token | undefined, ...keywords: string[]): boolean {
  return token?.kind === "identifier" && keywords.includes(token.text.toUpperCase());
}

/** Whether the token names something, in quotes or not. */
export const isName = (token: Token | undefined): boolean =>
  token?.kind === "identifier" || token?.kind === "quoted_identifier";
