/** The responder of the deterministic knowledge oracle (spec 3; paper section B.2, Table 6): stored resolutions, verbatim. */
import { REFUSAL } from "../canonical.js";
import type { KnowledgeView, Responder } from "../types.js";

export const knowledgeResponder = {
  name: "deterministic-knowledge",
  /**
   * The stored resolution of each credited ambiguity, in the order of the credits, one a line; the same again on a repeat
   * (`response`, the hint as a person would say it, is not this oracle's to read); the standard refusal without credit.
   */
  respond(_question, credits, _history, view): string {
    if (credits.length === 0) return REFUSAL;
    return credits
      .map((id) => {
        const resolution = view.ambiguities.find((one) => one.ambiguity_id === id)?.resolution;
        if (resolution === undefined) {
          throw new Error(`ambiguity ${id} was credited, but the knowledge view holds no resolution for it`);
        }
        return resolution;
      })
      .join("\n");
  },
} satisfies Responder<KnowledgeView>;
