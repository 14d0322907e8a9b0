/**
 * What a model call is (spec 6). A caller says what the call is for (its role) and what it asks; the client knows the
 * endpoint, the model and the decoding from the configuration, keeps the limits, retries the server's faults, and stores
 * every answer before anybody sees it.
 */

/**
 * What a call is for. The configuration maps each role to an endpoint, a model and its decoding (paper Table 7).
 * `probe` and `judge` are AmbiTab-Bird's, the two evidence probes EW-Bird's.
 */
export const MODEL_ROLES = [
  "asker",
  "solver",
  "oracle",
  "rewriter",
  "probe",
  "evidence-probe-a",
  "evidence-probe-b",
  "judge",
  "response-author",
] as const;
export type ModelRole = (typeof MODEL_ROLES)[number];

/** One chat message, as every OpenAI-compatible server takes it. */
export interface ModelMessage {
  readonly role: "system" | "user" | "assistant";
  readonly content: string;
}

/** A prompt to be answered. All of it decides the answer, so all of it is in the request's key. */
export interface ModelRequest {
  readonly role: ModelRole;
  /** The prompt template and its version, such as `rewriter@1`. */
  readonly template: string;
  readonly messages: readonly ModelMessage[];
  /** Sent to the server where it is given; the paper's oracles have none. */
  readonly seed?: number;
  /** Which of several draws for one prompt this is; 0 unless told. */
  readonly sample?: number;
}

/** Tokens as the server counted them; 0 where it did not say. */
export interface ModelUsage {
  readonly prompt_tokens: number;
  readonly completion_tokens: number;
}

/**
 * How a call ended: a closed list. `answered` and `truncated` (the server stopped at the length limit: never a parse
 * error) carry the text; `context_overflow` is the prompt's fault, `model_error` the server's, after all retries, and is
 * not stored, so that the next run asks again. `key` is the request's hash: the ledger names a call by it.
 */
export type ModelAnswer =
  | {
      readonly outcome: "answered" | "truncated";
      readonly key: string;
      readonly text: string;
      readonly model: string;
      readonly usage: ModelUsage;
      readonly stored: boolean;
    }
  | { readonly outcome: "context_overflow" | "model_error"; readonly key: string; readonly detail: string };

/** The one way to a model. Throws `ModelError` where no retry can help (a refused key, an unknown model). */
export interface ModelClient {
  ask(request: ModelRequest, signal?: AbortSignal): Promise<ModelAnswer>;
}
