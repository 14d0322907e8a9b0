import { definePipeline } from "../../engine/pipeline.js";
import { describeColumns, locateDatabase, readHints, runReference } from "../bird-rows/index.js";
import { proveKnowledgeGuarantees } from "../prove-guarantees.js";
import { EW_BIRD_VERSION, emitRecord } from "./emit-record.js";
import type { EvidenceRow } from "./items.js";
import { EVIDENCE_PROBES } from "./model-probe.js";
import { probeEvidence } from "./probe.js";
import { openEvidenceRows } from "./source.js";

/** AmbiTab-EW-Bird (spec 2; paper Table 5): BIRD's questions with their evidence withheld, where the evidence matters. */
export const ewBird = definePipeline(
  {
    dataset: "ew-bird",
    version: EW_BIRD_VERSION,
    source: "bird",
    published: {
      records: 2537,
      databases: 78,
      ambiguities: 5328,
      splits: {
        train: { records: 2091, databases: 67, ambiguities: 4417 },
        dev: { records: 446, databases: 11, ambiguities: 911 },
      },
    },
    roles: EVIDENCE_PROBES,
    open: openEvidenceRows,
  },
  (rows) =>
    rows
      .stage(readHints<EvidenceRow>())
      .stage(locateDatabase<EvidenceRow>())
      .stage(describeColumns<EvidenceRow>())
      .stage(runReference<EvidenceRow>())
      .stage(probeEvidence)
      .stage(emitRecord)
      .stage(proveKnowledgeGuarantees),
);
