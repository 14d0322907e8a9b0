import type { Writing } from "../items.js";
import { ambiguityFault } from "./ambiguities.js";
import { matcherFault } from "./matcher.js";
import { type CheckedRow, requestFault } from "./request.js";

export type { CheckedRow } from "./request.js";

/** The first thing that is wrong with what the rewriter wrote, in words that it is told; null for a good writing. */
export async function writingFault(writing: Writing, row: CheckedRow): Promise<string | null> {
  return ambiguityFault(writing, row.readings) ?? requestFault(writing, row) ?? (await matcherFault(writing));
}
