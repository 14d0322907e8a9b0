/** Enough of SQL read as words to see which tables upstream's short statements name. */
import { isKeyword, nameOf, type Token } from "../../sql/index.js";

/** Names of the tables after FROM and JOIN. */
export function namesAfterFrom(words: readonly Token[]): string[] {
  return words.flatMap((word, at) => {
    const named = words[at + 1];
    return isKeyword(word, "FROM", "JOIN") && named !== undefined && named.text !== "("
      ? [nameOf(named)]
      : [];
  });
}
