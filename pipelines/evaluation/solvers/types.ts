import type { Draws } from "../../engine/random.js";
import type { AgentView, SyntheticSolverView } from "../../record/views.js";
import type { AgentCall, Exchange } from "../askers/index.js";

/** What a solver answers: one SQL, or why there is none. */
export type Answer =
  | {
      readonly outcome: "sql";
      readonly sql: string;
      /** Synthetic solvers: the probability that this answer is right, before the draw was made. */
      readonly expected?: number;
    }
  | {
      readonly outcome: "no_answer" | "truncated" | "model_error" | "context_overflow";
      readonly detail: string;
    };

/** A solver under evaluation: it reads the public context and the clarifications. */
export interface AgentSolver {
  readonly reads: "agent";
  readonly name: string;
  /** What it reads is logged prompt by prompt as its model is asked, so the view need not be logged for it. */
  readonly prompted?: boolean;
  solve(view: AgentView, clarifications: readonly Exchange[], call: AgentCall): Answer | Promise<Answer>;
}

/** A solver that replays recorded answers by record id. */
export interface RecordedSolver {
  readonly reads: "recording";
  readonly name: string;
  solve(recordId: string): Answer;
}

/** A synthetic solver: it reads the verifier's zone openly, to test the harness. Its runs are marked synthetic. */
export interface SyntheticSolver {
  readonly reads: "verifier";
  readonly name: string;
  solve(view: SyntheticSolverView, clarifications: readonly Exchange[], draws: Draws): Answer;
}

export type Solver = AgentSolver | RecordedSolver | SyntheticSolver;
