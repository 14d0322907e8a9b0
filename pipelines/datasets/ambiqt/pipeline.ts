import { definePipeline } from "../../engine/pipeline.js";
import { proveIntentGuarantees } from "../prove-guarantees.js";
import { buildDatabase } from "./build-database.js";
import { AMBIQT_VERSION, emitIntents } from "./emit-intents.js";
import { keepDistinctReadings } from "./keep-distinct-readings.js";
import { locateDatabaseStage } from "./locate-database.js";
import { oneColumnTwoNames } from "./one-column-two-names.js";
import { rejectProtectedKeys } from "./reject-protected-keys.js";
import { openAmbiqt } from "./source.js";

/** AmbiTab-AmbiQT (spec 2; paper Table 5): column synonyms whose two readings give different results. */
export const ambiqt = definePipeline(
  {
    dataset: "ambiqt",
    version: AMBIQT_VERSION,
    source: "ambiqt",
    published: { records: 1722, databases: 172, ambiguities: 1722 },
    open: openAmbiqt,
  },
  (rows) =>
    rows
      .stage(locateDatabaseStage)
      .stage(oneColumnTwoNames)
      .stage(rejectProtectedKeys)
      .stage(buildDatabase)
      .stage(keepDistinctReadings)
      .stage(emitIntents)
      .stage(proveIntentGuarantees),
);
