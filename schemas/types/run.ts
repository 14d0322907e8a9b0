// Generated from schemas/run.schema.json by scripts/build.mjs. Do not edit: change the schema.

/**
 * All that decides a run's results. A run is resumed only under the same settings.
 */
export interface RunSettings {
  schema_version: string;
  tool: string;
  suite: {
    kind: "build" | "release";
    name: string;
    hash: string;
  };
  datasets: string[];
  split: string | null;
  slice: string | null;
  limit: number | null;
  asker: string;
  oracle: string;
  solver: string;
  /**
   * Of the replayed file.
   */
  predictions_sha256?: string;
  /**
   * The solver reads what only the verifier may: the run tests the harness, not a system.
   */
  synthetic: boolean;
  seeds: number[];
  /**
   * Condition → asker; a condition whose asker another one has is run once.
   */
  conditions: {
    [k: string]: string;
  };
}
