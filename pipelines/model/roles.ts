import type { ModelRole } from "./types.js";

/** All of a model and its decoding that decides an answer, and so is part of a request's key. `null` is not sent. */
export interface Decoding {
  readonly model: string;
  readonly temperature: number | null;
  readonly top_p: number | null;
  /** No field of OpenAI's own interface; vLLM, SGLang, Ollama and llama.cpp take it in the body. */
  readonly top_k: number | null;
  /** Sent as `chat_template_kwargs.enable_thinking`. */
  readonly thinking: boolean | null;
  readonly max_tokens: number | null;
  /** Further fields of the request's body. */
  readonly extra: Readonly<Record<string, unknown>>;
}

const REST = { thinking: false, max_tokens: null, extra: {} };
const qwen = (model: string): Decoding => ({ model, temperature: 0.7, top_p: 0.8, top_k: 20, ...REST });
const greedy = (model: string, thinking: boolean | null): Decoding => ({
  model,
  temperature: 0,
  top_p: null,
  top_k: null,
  ...REST,
  thinking,
});

const QWEN_8B = "Qwen/Qwen3-8B";
const QWEN_14B = "Qwen/Qwen3-14B";
const QWEN_CODER = "Qwen/Qwen3-Coder-30B-A3B-Instruct";
const GEMMA = "google/gemma-3-27b-it";

/**
 * The paper's models and decoding (Table 7, C.1), named as the models' makers publish them. Where it offers two models,
 * one stands here: Qwen3-14B is the oracle, Gemma-3-27B another (1.0, 0.95, top-k 64, thinking null). Where it gives no
 * decoding, probes and the judge are greedy (ours), and the rewriter decodes as the paper's Qwen oracle does. The coder
 * and Gemma cannot think; the switch is sent to neither.
 */
export const DEFAULT_DECODING: Readonly<Record<ModelRole, Decoding>> = {
  asker: qwen(QWEN_8B),
  solver: { ...qwen(QWEN_CODER), top_k: null, thinking: null },
  oracle: qwen(QWEN_14B),
  rewriter: qwen(QWEN_14B),
  probe: greedy(QWEN_8B, false),
  "evidence-probe-a": greedy(QWEN_CODER, null),
  "evidence-probe-b": greedy(GEMMA, null),
  judge: greedy(GEMMA, null),
  "response-author": greedy(QWEN_14B, false),
};
