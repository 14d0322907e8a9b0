/** The responder of the deterministic intent oracle (spec 3; paper section B.2, Table 6): frozen responses, verbatim. */
import { REFUSAL } from "./canonical.js";
import type { IntentView, Responder } from "./types.js";

export const intentResponder = {
  name: "deterministic-intent",
  /**
   * The response of each credited ambiguity, in the order of the credits, one a line (this project's matchers credit
   * one at most, but any matcher may be paired with this responder); the standard refusal when there is no credit.
   */
  respond(_question, credits, _history, view): string {
    if (credits.length === 0) return REFUSAL;
    return credits
      .map((id) => {
        const response = view.ambiguities.find((one) => one.ambiguity_id === id)?.response;
        if (response === undefined) {
          throw new Error(`ambiguity ${id} was credited, but the intent view holds no response for it`);
        }
        return response;
      })
      .join("\n");
  },
} satisfies Responder<IntentView>;
