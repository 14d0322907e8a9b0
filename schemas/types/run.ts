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
  /**
   * Whether a model responder was shown the reference SQL, by dataset; only for the llm oracle.
   */
  oracle_sql?: {
    [k: string]: "shown" | "hidden";
  };
  /**
   * The models and decoding of the roles that the run calls.
   */
  models?: {
    [k: string]: ModelDecoding;
  };
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
export interface ModelDecoding {
  model: string;
  temperature: number | null;
  top_p: number | null;
  top_k: number | null;
  thinking: boolean | null;
  max_tokens: number | null;
  extra: {
    [k: string]: unknown;
  };
  /**
   * Of its endpoint.
   */
  context_tokens?: number | null;
}
