import type { Emitted } from "../engine/pipeline.js";
import { drop, itemStage, keep } from "../engine/stage.js";
import { checkGuarantees, intentMatcher, intentResponder } from "../oracle/index.js";
import { oracleView } from "../record/views.js";

/**
 * The last stage of every dataset with the deterministic intent oracle (spec 3, "Guarantees"): the canonical questions,
 * alone and with the adversarial suffix, credit exactly their ambiguity, and generic ones credit nothing. A request whose
 * records break it is dropped whole, because a request keeps all its readings or none.
 */
export const proveIntentGuarantees = itemStage({
  name: "prove-guarantees",
  version: "1",
  module: import.meta.url,
  select: (emitted: Emitted) => emitted.records,
  async run(records) {
    for (const record of records) {
      const [broken] = await checkGuarantees(oracleView(record, "intent"), intentMatcher, intentResponder);
      if (broken !== undefined) return drop("guarantee_broken", `${broken.code}: ${broken.question}`);
    }
    return keep(null);
  },
  merge: (emitted): Emitted => emitted,
});
