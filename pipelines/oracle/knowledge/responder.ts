/** The responder of the deterministic knowledge oracle (spec 3; paper section B.2, Table 6): stored resolutions, verbatim. */
import { frozenAnswers } from "../frozen-answers.js";
import type { KnowledgeView, Responder } from "../types.js";

export const knowledgeResponder = {
  name: "deterministic-knowledge",
  /**
   * The resolution is the hint as it is stored, and the same again on a repeat. `response`, the hint as a person would say
   * it, is not in this oracle's view (spec 3's table).
   */
  respond: (_question, credits, _history, view): string =>
    frozenAnswers(credits, view.ambiguities, ({ resolution }) => resolution),
} satisfies Responder<KnowledgeView>;
