// Generated from schemas/lock.schema.json by scripts/build.mjs. Do not edit: change the schema.

/**
 * All that decided a build's bytes, and the bytes' hashes. Same lock, same build.
 */
export interface BuildLock {
  schema_version: string;
  dataset: string;
  pipeline_version: string;
  source: string;
  source_version: string;
  /**
   * Source file → sha256.
   */
  inputs: {
    [k: string]: string;
  };
  settings: {};
  stages: LockedStage[];
  /**
   * File of the build → sha256.
   */
  outputs: {
    [k: string]: string;
  };
  /**
   * Database file, relative to databases/ → sha256 and size.
   */
  databases: {
    [k: string]: {
      sha256: string;
      bytes: number;
    };
  };
}
export interface LockedStage {
  stage: string;
  version: string;
  parameters: {};
  /**
   * Fingerprint of the stage's import closure.
   */
  code: string;
  inputs_sha256: string;
  outputs_sha256: string;
  in: number;
  out: number;
  dropped: {
    [k: string]: number;
  };
}
