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
  published: {
    records: number;
    databases: number;
    ambiguities: number;
  };
  /**
   * Rows dropped as source_missing, by what is missing.
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
