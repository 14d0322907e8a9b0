import { definePipeline } from "../../engine/pipeline.js";
import type { ModelRole } from "../../model/index.js";
import {
  type BirdRow,
  describeColumns,
  locateDatabase,
  openBirdRows,
  readHintsIfAny,
  runReference,
} from "../bird-rows/index.js";
import { proveKnowledgeGuarantees } from "../prove-guarantees.js";
import { admit } from "./admit.js";
import { chooseControls } from "./choose-controls.js";
import { BIRD_VERSION, emitRecord } from "./emit-record.js";
import { judgeNecessity } from "./judge-necessity.js";
import { proposeOpenReadings } from "./propose-readings.js";
import { putBack } from "./put-back.js";
import { rewrite } from "./rewrite.js";

const ROLES: readonly ModelRole[] = ["rewriter", "probe", "judge"];

/** AmbiTab-Bird (spec 2; paper Table 5): BIRD's questions rewritten so that another reading of their SQL is plausible. */
export const bird = definePipeline(
  {
    dataset: "bird",
    version: BIRD_VERSION,
    source: "bird",
    published: {
      records: 664,
      databases: 53,
      ambiguities: 996,
      splits: {
        train: { records: 537, databases: 42, ambiguities: 798 },
        dev: { records: 127, databases: 11, ambiguities: 198 },
      },
    },
    roles: ROLES,
    open: (root, settings) => openBirdRows("bird", root, settings),
  },
  (rows) =>
    rows
      .stage(readHintsIfAny<BirdRow>())
      .stage(locateDatabase<BirdRow>())
      .stage(describeColumns<BirdRow>())
      .stage(runReference<BirdRow>())
      .stage(proposeOpenReadings)
      .stage(rewrite)
      .stage(admit)
      .stage(judgeNecessity)
      .stage(putBack)
      .stage(chooseControls)
      .stage(emitRecord)
      .stage(proveKnowledgeGuarantees),
);
