import type { Failure, Rewrite } from "./execution.js";
import { quoteLiteral } from "./text/shape.js";
import { nameOf, tokens } from "./text/tokens.js";

/** How a statement ended without a result, in one line; the same words each time, since it may stand in a build. */
export function describeFailure(failure: Failure): string {
  switch (failure.outcome) {
    case "error":
      return failure.message;
    case "timeout":
      return "it was stopped at its time limit";
    case "too_large":
      return `its result is over the limit of ${failure.what}`;
    case "refused":
      return `refused (${failure.reason}): ${failure.message}`;
  }
}

/** The statement as it ran: each rewritten token as the string literal that it was taken for. */
export function applyRewrites(sql: string, rewrites: readonly Rewrite[]): string {
  const offsets = new Set(rewrites.map(({ offset }) => offset));
  return tokens(sql)
    .map((token) => (offsets.has(token.offset) ? quoteLiteral(nameOf(token)) : token.text))
    .join("");
}
