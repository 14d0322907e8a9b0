// Generated from schemas/prediction.schema.json by scripts/build.mjs. Do not edit: change the schema.

/**
 * One whole episode before it is verified: what was asked and answered, and the SQL. A line of predictions.jsonl.
 */
export interface Prediction {
  /**
   * Condition, seed and record: unique in the run.
   */
  episode_id: string;
  record_id: string;
  avt_id: string;
  dataset: string;
  split: string;
  condition: "none" | "asker" | "full";
  asker: string;
  seed: number;
  /**
   * |Amb|: counted ambiguities; null where the oracle zone is not there and nobody was asked.
   */
  ambiguities: number | null;
  /**
   * Decisions the asker had, the last one reserved for stopping.
   */
  max_turn: number | null;
  /**
   * spec-randomized askers: the record whose public specification the asker was shown.
   */
  donor?: string;
  turns: PredictionTurn[];
  /**
   * Who ended the asking; oracle: its model gave no reply for good; cut_short: a call of the asker did. The verdict says how.
   */
  stop: "asker" | "budget" | "fallback" | "nothing_to_ask" | "oracle" | "cut_short";
  fallback_stop: boolean;
  /**
   * The asker's reply that could not be read, after a fallback stop.
   */
  unread_reply?: string;
  /**
   * How the episode ended: a SQL, or why there is none.
   */
  outcome: "sql" | "model_error" | "truncated" | "no_answer" | "context_overflow";
  /**
   * The solver's answer; null where there is none.
   */
  sql: string | null;
  detail?: string;
  /**
   * Hashes of what asker and solver were given; the texts stand in prompts.jsonl.
   */
  prompts: string[];
  /**
   * Role → model calls and their tokens, whether the answers came from the store or from a server.
   */
  usage?: {
    [k: string]: PredictionUsage;
  };
  timings_ms: {
    asking: number;
    solving: number;
  };
}
/**
 * A question and what was answered. How it was routed and credited is here only where the oracle was.
 */
export interface PredictionTurn {
  question: string;
  response: string;
  /**
   * Where the live matcher routed the question.
   */
  action?: {
    kind: "labeled" | "unlabeled" | "unanswerable";
    term?: string;
    clause?: string;
  };
  why?: string;
  /**
   * What the live matcher credited.
   */
  live_credits?: string[];
  /**
   * What the offline scorer credits: the metrics read this.
   */
  credits?: string[];
  credit_source?: "label" | "question" | "response" | "rationale" | "none";
  /**
   * Whose reply could not be read, even on retry: the turn is recorded as unanswerable.
   */
  fallback?: "matcher" | "responder";
  /**
   * Keys of the model answers that routed and answered it, in the order of the calls.
   */
  oracle_calls?: string[];
}
export interface PredictionUsage {
  calls: number;
  prompt_tokens: number;
  completion_tokens: number;
}
