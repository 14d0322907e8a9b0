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

/** An asker under evaluation: it reads the agent's view and the dialogue so far. */
export interface AgentAsker {
  readonly reads: "agent";
  readonly name: string;
  decide(view: AgentView, dialogue: readonly Exchange[], budget: Budget): Decision | Promise<Decision>;
}

/** A scripted asker of the protocol: it knows the registered terms and nothing else, and ignores the answers. */
export interface ScriptedAsker {
  readonly reads: "script";
  readonly name: string;
  decide(script: ScriptView, budget: Budget): Decision;
}

export type Asker = AgentAsker | ScriptedAsker;
