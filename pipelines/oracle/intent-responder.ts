/** The responder of the deterministic intent oracle (spec 3; paper section B.2, Table 6): frozen responses, verbatim. */
import { frozenAnswers } from "./frozen-answers.js";
import type { IntentView, Responder } from "./types.js";

export const intentResponder = {
  name: "deterministic-intent",
  respond: (_question, credits, _history, view): string =>
    frozenAnswers(credits, view.ambiguities, ({ response }) => response),
} satisfies Responder<IntentView>;
