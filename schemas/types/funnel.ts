// Generated from schemas/funnel.schema.json by scripts/build.mjs. Do not edit: change the schema.

/**
 * From rows to records: what each stage kept and dropped, and the published counts beside ours.
 */
export interface Funnel {
  dataset: string;
  /**
   * Source rows read, bad ones included.
   */
  rows: number;
  stages: FunnelStage[];
  records: number;
  avts: number;
  databases: number;
  ambiguities: number;
  /**
   * Left out where nobody has published counts of the dataset.
   */
  published?: {
    records: number;
    databases: number;
    ambiguities: number;
  };
  /**
   * Counts of each split beside the published ones, where a dataset has several.
   */
  splits?: {
    [k: string]: SplitCounts;
  };
  /**
   * What stages counted in the rows that they saw, by name: of all such rows, and of those that became records.
   */
  counts?: {
    [k: string]: StageCount;
  };
  /**
   * Rows dropped as source_missing, by what is missing; 0 for a file of rows that is not there at all.
   */
  missing: {
    [k: string]: number;
  };
  /**
   * What was noticed and kept, by code.
   */
  findings: {
    [k: string]: number;
  };
}
export interface FunnelStage {
  stage: string;
  in: number;
  kept: number;
  /**
   * Items after the stage; more than kept where a stage makes several of one.
   */
  out: number;
  dropped: number;
  reasons: {
    [k: string]: number;
  };
}
export interface SplitCounts {
  records: number;
  databases: number;
  ambiguities: number;
  published: {
    records: number;
    databases: number;
    ambiguities: number;
  };
}
export interface StageCount {
  rows: number;
  records: number;
}
