import type { ModelClient } from "../../model/types.js";
import type { AgentView, ScriptView } from "../../record/views.js";

/** A question and its answer, as asker and solver see them: credits are recorded, never shown. */
export interface Exchange {
  readonly question: string;
  readonly response: string;
}

/** Where in its budget an asker is (spec 4, step 2): `turn` counts decisions from 1, the last one is for stopping. */
export interface Budget {
  readonly turn: number;
  readonly maxTurn: number;
}

/** One decision: a question, or the end of asking. `fallback_stop`: a reply that could not be read, even on retry. */
export type Decision =
  | { readonly kind: "question"; readonly text: string }
  | { readonly kind: "stop" }
  | { readonly kind: "fallback_stop"; readonly reply: string };

/** What an agent under evaluation works with besides what it reads. */
export interface AgentCall {
  /** The episode's way to the models; it knows the run's seed and the episode's deadline. */
  readonly model: ModelClient;
  /** The run's seed: asker and solver share it. */
  readonly seed: number;
  /** Estimated tokens that a prompt's schema may take. */
  readonly schemaTokens: number;
  /** Fires when the episode's time is up. */
  readonly signal: AbortSignal;
}

/** An asker under evaluation: it reads the agent's view and the dialogue so far. */
export interface AgentAsker {
  readonly reads: "agent";
  readonly name: string;
  /** What it reads is logged prompt by prompt as its model is asked, so the view need not be logged for it. */
  readonly prompted?: boolean;
  /**
   * It wants to decide on the last turn too, which is for stopping (paper appendix G: the prompt then says so). A question
   * is not put there; others are spared the decision.
   */
  readonly decidesLast?: boolean;
  /** It is shown a donor's public specification in place of the record's own (spec 4, `spec-randomized`). */
  readonly readsDonor?: boolean;
  decide(
    view: AgentView,
    dialogue: readonly Exchange[],
    budget: Budget,
    call: AgentCall,
  ): Decision | Promise<Decision>;
}

/** A scripted asker of the protocol: it knows the registered terms and nothing else, and ignores the answers. */
export interface ScriptedAsker {
  readonly reads: "script";
  readonly name: string;
  decide(script: ScriptView, budget: Budget): Decision;
}

export type Asker = AgentAsker | ScriptedAsker;
