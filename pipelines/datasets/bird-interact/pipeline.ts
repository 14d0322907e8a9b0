import { definePipeline } from "../../engine/pipeline.js";
import { proveIntentGuarantees } from "../prove-guarantees.js";
import { chooseSlices } from "./choose-slices.js";
import { BIRD_INTERACT_VERSION, emitRecord } from "./emit-record.js";
import { loadDatabase } from "./load-database.js";
import { registerAmbiguities } from "./register-ambiguities.js";
import { openBirdInteract } from "./source.js";
import { verifyReference } from "./verify-reference.js";
import { withholdKnowledge } from "./withhold-knowledge.js";
import { writeResponses } from "./write-responses.js";

/** AmbiTab-BIRD-Interact (spec 2; paper Table 5): upstream's tasks with normalised ambiguities and frozen responses. */
export const birdInteract = definePipeline(
  {
    dataset: "bird-interact",
    version: BIRD_INTERACT_VERSION,
    source: "bird-interact",
    published: { records: 600, databases: 22, ambiguities: 1755 },
    roles: ["response-author"],
    modelsOptional: true,
    open: openBirdInteract,
  },
  (tasks) =>
    tasks
      .stage(registerAmbiguities)
      .stage(withholdKnowledge)
      .stage(loadDatabase)
      .stage(verifyReference)
      .stage(writeResponses)
      .stage(emitRecord)
      .stage(proveIntentGuarantees)
      .stage(chooseSlices),
);
