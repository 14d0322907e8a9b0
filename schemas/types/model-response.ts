// Generated from schemas/model-response.schema.json by scripts/build.mjs. Do not edit: change the schema.

/**
 * One stored answer of a model: a line of a response archive (.jsonl.gz, sorted by key), which stands in for the model when a build is replayed.
 */
export interface ModelResponse {
  /**
   * sha256 of the canonical JSON of everything that decides the answer.
   */
  key: string;
  role: string;
  template: string;
  model: string;
  sample: number;
  seed: number | null;
  outcome: "answered" | "truncated" | "context_overflow";
  /**
   * The reply; for context_overflow what told so.
   */
  text: string;
  /**
   * As the server gave it.
   */
  finish_reason: string | null;
  /**
   * The model's name in the server's reply; null where it gave none.
   */
  served_model: string | null;
  usage: ResponseUsage;
  /**
   * Of the attempt that was answered, from sending to the last byte.
   */
  latency_ms: number;
  /**
   * The endpoint's configured context when a request did not fit; null otherwise.
   */
  context_tokens: number | null;
}
export interface ResponseUsage {
  prompt_tokens: number;
  completion_tokens: number;
}
