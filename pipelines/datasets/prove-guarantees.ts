import type { TaskRecord } from "../../schemas/types/record.js";
import type { Emitted } from "../engine/pipeline.js";
import { drop, itemStage, keep } from "../engine/stage.js";
import {
  type BrokenGuarantee,
  checkGuarantees,
  intentMatcher,
  intentResponder,
  KNOWLEDGE_PROMISES,
  knowledgeMatcher,
  knowledgeResponder,
} from "../oracle/index.js";
import { type OracleVariant, oracleView } from "../record/views.js";

type Check = (record: TaskRecord) => Promise<readonly BrokenGuarantee[]>;

/**
 * The last stage of every dataset (spec 3, "Guarantees"): the canonical questions, alone and with the adversarial suffix,
 * credit exactly their ambiguity, and generic ones credit nothing. A request whose records break it is dropped whole,
 * because a request keeps all its readings or none.
 */
const proveGuarantees = (oracle: OracleVariant, check: Check) =>
  itemStage({
    name: "prove-guarantees",
    version: "1",
    module: import.meta.url,
    parameters: () => ({ oracle }),
    select: (emitted: Emitted) => emitted.records,
    async run(records) {
      for (const record of records) {
        const [broken] = await check(record);
        if (broken !== undefined) return drop("guarantee_broken", `${broken.code}: ${broken.question}`);
      }
      return keep(null);
    },
    merge: (emitted): Emitted => emitted,
  });

/** For datasets with the deterministic intent oracle. */
export const proveIntentGuarantees = proveGuarantees("intent", (record) =>
  checkGuarantees(oracleView(record, "intent"), intentMatcher, intentResponder),
);

/** For datasets with the deterministic knowledge oracle; what is not resolved yet is preferred, too. */
export const proveKnowledgeGuarantees = proveGuarantees("knowledge", (record) =>
  checkGuarantees(oracleView(record, "knowledge"), knowledgeMatcher, knowledgeResponder, KNOWLEDGE_PROMISES),
);
