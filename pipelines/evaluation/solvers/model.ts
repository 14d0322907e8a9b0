import { readSql } from "../prompts/reply.js";
import { SOLVER_TEMPLATE, solverMessages } from "../prompts/solver.js";
import type { AgentSolver } from "./types.js";

/**
 * The solver on a model (spec 4; paper section C.1): one sample and no repair round. A reply that was cut off is
 * `truncated`, one without SQL is `no_answer`: both are the model's own and count as wrong.
 */
export const modelSolver: AgentSolver = {
  reads: "agent",
  name: "model",
  prompted: true,
  async solve(view, clarifications, { model, schemaTokens }) {
    const messages = solverMessages(view, clarifications, schemaTokens);
    const answer = await model.ask({ role: "solver", template: SOLVER_TEMPLATE, messages });
    if (answer.outcome === "truncated") {
      return { outcome: "truncated", detail: "the reply was cut off at the length limit" };
    }
    if (answer.outcome !== "answered") {
      throw new Error(`an episode's client gave the outcome ${answer.outcome} to a solver`);
    }
    return readSql(answer.text);
  },
};
