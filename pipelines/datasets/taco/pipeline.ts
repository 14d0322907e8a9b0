import { definePipeline } from "../../engine/pipeline.js";
import { proveIntentGuarantees } from "../prove-guarantees.js";
import { emitRecord, TACO_VERSION } from "./emit-record.js";
import { findAlternatives } from "./find-alternatives.js";
import { groupReadings } from "./group-readings.js";
import { locateDatabase } from "./locate-database.js";
import { refuseUnusable } from "./refuse-unusable.js";
import { openTaco } from "./source.js";
import { verbalise } from "./verbalise.js";

/** AmbiTab-TACO (spec 2; paper Table 5): single-table statements in words, with the table, and at times a value, withheld. */
export const taco = definePipeline(
  {
    dataset: "taco",
    version: TACO_VERSION,
    source: "taco",
    published: { records: 187, databases: 16, ambiguities: 197 },
    open: openTaco,
  },
  (rows) =>
    rows
      .stage(refuseUnusable)
      .stage(locateDatabase)
      .stage(findAlternatives)
      .stage(verbalise)
      .stage(groupReadings)
      .stage(emitRecord)
      .stage(proveIntentGuarantees),
);
