import { definePipeline } from "../../engine/pipeline.js";
import { proveIntentGuarantees } from "../prove-guarantees.js";
import { chooseSlices } from "./choose-slices.js";
import { copyDatabase } from "./copy-database.js";
import { AMBROSIA_VERSION, emitReadings } from "./emit-readings.js";
import { excludeFewShot } from "./exclude-few-shot.js";
import { runReadings } from "./run-readings.js";
import { openAmbrosia } from "./source.js";

/** AmbiTab-Ambrosia (spec 2; paper Table 5): each annotated reading of an ambiguous question is a record. */
export const ambrosia = definePipeline(
  {
    dataset: "ambrosia",
    version: AMBROSIA_VERSION,
    source: "ambrosia",
    published: { records: 2670, databases: 763, ambiguities: 2670 },
    open: openAmbrosia,
  },
  (questions) =>
    questions
      .stage(excludeFewShot)
      .stage(copyDatabase)
      .stage(runReadings)
      .stage(emitReadings)
      .stage(proveIntentGuarantees)
      .stage(chooseSlices),
);
