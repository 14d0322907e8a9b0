// Generated from schemas/answer.schema.json by scripts/build.mjs. Do not edit: change the schema.

/**
 * One question that an answering service was put, and all that its holder knows of it. A line of the service's log.
 */
export interface LoggedAnswer {
  run: string;
  record_id: string;
  condition: "asker" | "full";
  seed: number;
  /**
   * From 1.
   */
  turn: number;
  /**
   * When it was answered, ISO 8601.
   */
  at: string;
  question: string;
  /**
   * What the asker was told; absent where the oracle's model failed.
   */
  response?: string;
  /**
   * How the oracle's model failed the episode.
   */
  failed?: "context_overflow" | "model_error";
  detail?: string;
  action?: LoggedAction;
  why?: string;
  live_credits?: string[];
  fallback?: "matcher" | "responder";
  /**
   * Keys of the model answers that it was made of.
   */
  oracle_calls?: string[];
  usage?: AnswerUsage;
}
/**
 * Where the matcher routed the question.
 */
export interface LoggedAction {
  kind: "labeled" | "unlabeled" | "unanswerable";
  term?: string;
  clause?: string;
}
/**
 * What the oracle's model was asked for it.
 */
export interface AnswerUsage {
  calls: number;
  prompt_tokens: number;
  completion_tokens: number;
}
