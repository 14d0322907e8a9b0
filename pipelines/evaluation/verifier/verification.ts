import type { Verdict } from "../metrics/index.js";

/** How an answer was decided: the verdict of spec 9's closed list, why, and what should be known of the decision. */
export interface Verification {
  verdict: Verdict;
  /** One sentence where the verdict alone does not say it: the database's message, a limit. */
  detail?: string;
  /** Such as `both_empty`: a match that deserves a look. */
  flags: string[];
  /** Milliseconds that prediction and reference took, 0 for a result that was still known. */
  duration_ms: { prediction: number; reference: number };
}
