import { nameOf } from "./tokens.js";
import { isKeyword, wordsOf } from "./words.js";

const RANDOM = ["RANDOM", "RANDOMBLOB"];
const CLOCK = ["CURRENT_DATE", "CURRENT_TIME", "CURRENT_TIMESTAMP"];
/** Without a time to work on, these take the present one. */
const TIME = ["DATE", "TIME", "DATETIME", "JULIANDAY", "UNIXEPOCH"];

/**
 * What makes a statement's result differ from run to run: chance or the clock. No result of such a statement can be
 * compared with another, and a build would not come out the same twice.
 */
export function changingCall(sql: string): string | undefined {
  const words = wordsOf(sql);
  for (const [at, token] of words.entries()) {
    const [next, afterNext] = [words[at + 1]?.text, words[at + 2]];
    if (isKeyword(token, ...RANDOM) && next === "(") return `${token.text}()`;
    if (isKeyword(token, ...CLOCK) && words[at - 1]?.text !== ".") return token.text;
    if (isKeyword(token, ...TIME) && next === "(" && afterNext?.text === ")") return `${token.text}()`;
    if (isKeyword(token, "STRFTIME") && next === "(" && words[at + 3]?.text === ")") {
      return `${token.text}() without a time`;
    }
    const before = words[at - 1]?.text;
    if (token.kind === "string" && /^now$/i.test(nameOf(token)) && (before === "(" || before === ",")) {
      return "the time 'now'";
    }
  }
  return undefined;
}
