import { statements } from "../../../sql/index.js";
import type { SyntheticSolver } from "../types.js";
import { answerAsResolved } from "./reference-when-resolved.js";

/** SQL in a text: a fenced block, else what stands from SELECT or WITH … to the end of the statement. */
export function sqlIn(text: string): string | undefined {
  const fenced = /```(?:sql|sqlite)?\s*\n?([\s\S]*?)```/i.exec(text)?.[1]?.trim();
  if (fenced !== undefined && /^(?:select|with)\b/i.test(fenced)) return fenced;
  const start =
    /\b(?:select\b[\s\S]*?\bfrom\b|with\s+(?:recursive\s+)?["\w]+(?:\s*\([^)]*\))?\s+as\s*\()/i.exec(text);
  if (start === null) return undefined;
  return statements(text.slice(start.index))[0]?.text.trim();
}

/**
 * Submits SQL found in the transcript's answers, the latest first; without any it behaves like
 * `reference-when-resolved` (spec 4; ours). It makes a responder that leaks SQL visible in SR.
 */
export const copiesLeakedSql: SyntheticSolver = {
  reads: "verifier",
  name: "copies-leaked-sql",
  solve(view, clarifications, draws) {
    for (const { response } of clarifications.toReversed()) {
      const sql = sqlIn(response);
      if (sql !== undefined) return { outcome: "sql", sql };
    }
    return answerAsResolved(view, clarifications, (limit) => draws.below(limit));
  },
};
