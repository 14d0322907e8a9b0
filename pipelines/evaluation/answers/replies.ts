/** What an answering service replies. Whatever stands here crosses to whoever asks. */

/** Why a call is not answered; `status` is HTTP's. It says nothing that an asker may not know. */
export class Refusal extends Error {
  override readonly name: string = "Refusal";
  readonly status: 400 | 401 | 403 | 404 | 412 | 413 | 415 | 422 | 503;
  constructor(status: Refusal["status"], message: string) {
    super(message);
    this.status = status;
  }
}

/** Begins an episode: the decisions that the asker has, what this episode has asked before, and a scripted asker's terms. */
export interface Opened {
  readonly max_turn: number;
  readonly asked: readonly string[];
  readonly terms?: readonly string[];
}

/** The answer's words, or that the oracle's model has failed the episode; no more than an asker in an evaluation has. */
export type Answered =
  | { readonly response: string; readonly questions_left: number }
  | { readonly failed: "context_overflow" | "model_error" };
