import type { Comparison } from "../../../schemas/types/record.js";
import type { SqlVerdict } from "../compare/index.js";
import type { Limits } from "../execution.js";

/** A PostgreSQL task as its verifier knows it. */
export interface PostgresTask {
  /** The template that the server loaded. */
  template: string;
  /** Run before the answer; errors are ignored (spec 13, 4). */
  setup: readonly string[];
  /** Run after the tests; errors are ignored. */
  cleanup: readonly string[];
  /** Each element is sent as one string, which may hold several statements. */
  reference: readonly string[];
  category: "query" | "management";
  comparison: Readonly<Comparison>;
}

/** How an answer to a task was decided. */
export interface TaskVerification {
  verdict: SqlVerdict;
  /** One sentence: why no match, or the message of the side that failed. */
  detail?: string;
  /** `both_empty`, `definitions_only`, …: facts that a reader of the verdict should know. */
  flags: string[];
  /** Milliseconds that the answer's and the reference's statements took. */
  duration_ms: { prediction: number; reference: number };
}

/** The official evaluator's limit for a string (spec 13, 2). */
export const TASK_LIMITS: Readonly<Partial<Limits>> = { timeoutMs: 60_000 };

/** The official evaluator's cap, and where it applies (spec 13, 3). */
const ROW_CAP = 10_000;
export const rowCap = (sql: string): { take: number } | Record<string, never> =>
  /^\s*(?:select|with)/i.test(sql) ? { take: ROW_CAP } : {};
