// Generated from schemas/manifest.schema.json by scripts/build.mjs. Do not edit: change the schema.

/**
 * What a release holds. It carries no time and no path, so that the same build gives the same bytes.
 */
export interface ReleaseManifest {
  schema_version: string;
  name: string;
  version: string;
  /**
   * The tool and its version.
   */
  made_by: string;
  /**
   * Which zones are here; a public-only release has just one.
   */
  zones: ("public" | "oracle" | "verifier" | "provenance")[];
  datasets: {
    [k: string]: ReleasedDataset;
  };
}
export interface ReleasedDataset {
  records: number;
  avts: number;
  /**
   * Counted ones, over all records.
   */
  ambiguities: number;
  databases: number;
  /**
   * Split → records.
   */
  splits: {
    [k: string]: number;
  };
  source: string;
  source_version: string;
  pipeline_version: string;
  licence: string;
  attribution: string;
  /**
   * What the source's licence lets a published release carry.
   */
  redistribution: string;
  /**
   * Which zones of this dataset are here, where its source's terms keep some from publication.
   */
  zones?: ("public" | "oracle" | "verifier" | "provenance")[];
  responses?: ReleasedResponses;
  /**
   * sha256 of the ground-truth file that was joined locally (ambitab merge-private).
   */
  merged_ground_truth?: string;
}
/**
 * The archive of models' answers that the build used (responses/<dataset>.jsonl.gz); absent where it used none, or where the private zones are left out.
 */
export interface ReleasedResponses {
  answers: number;
  /**
   * Answers left out because they hold ground truth that may not be published; a replay lacks them.
   */
  withheld?: number;
}
