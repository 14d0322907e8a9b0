import { ModelError } from "../errors.js";
import type { ModelRequest } from "../model/types.js";
import type { Evidence, StageContext } from "./stage.js";

/**
 * A model call that came to nothing for the server's fault, or that a replay has no answer for. The row stays undecided:
 * the build goes on with the others, so that their answers are stored, and ends with a message instead of a folder.
 */
export class UnansweredCall extends ModelError {}

/** A call that came to an end: `text` is null where the model gave none that can be used. */
export interface ModelReply {
  text: string | null;
  /** For the ledger: which role, which call, how it ended. */
  evidence: Evidence;
}

/**
 * Asks a model for a stage. Truncated replies and prompts that do not fit the context are outcomes of the row, with no
 * text; what is the server's fault is never the row's.
 *
 * @throws UnansweredCall when the server gave up after all retries, or a replay lacks the answer
 */
export async function askModel(
  { model }: Pick<StageContext, "model">,
  request: ModelRequest,
): Promise<ModelReply> {
  const answer = await model.ask(request);
  const { outcome, key } = answer;
  const evidence: Evidence = { kind: "model", role: request.role, template: request.template, key, outcome };
  if ("text" in answer) {
    return {
      text: outcome === "answered" ? answer.text : null,
      evidence: { ...evidence, model: answer.model },
    };
  }
  if (outcome === "model_error") {
    throw new UnansweredCall(`the model for the role "${request.role}" gave no answer: ${answer.detail}`);
  }
  return { text: null, evidence: { ...evidence, detail: answer.detail } };
}
