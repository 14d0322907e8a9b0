import { proveIntentGuarantees } from "../../../../../pipelines/datasets/prove-guarantees.js";
import { definePipeline } from "../../../../../pipelines/engine/pipeline.js";
import { buildDatabase } from "./build-database.js";
import { emitReadings, TEAROOM_VERSION } from "./emit-readings.js";
import { firstOfEach } from "./first-of-each.js";
import { keepDistinctReadings } from "./keep-distinct-readings.js";
import { openTearoom } from "./source.js";

/** The seventh dataset. Nobody published counts of it. */
export const tearoom = definePipeline(
  { dataset: "tearoom", version: TEAROOM_VERSION, source: "tearoom", open: openTearoom },
  (rows) =>
    rows
      .stage(buildDatabase)
      .stage(firstOfEach)
      .stage(keepDistinctReadings)
      .stage(emitReadings)
      .stage(proveIntentGuarantees),
);
