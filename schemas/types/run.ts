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
    /**
     * Of the public files alone: the same for a release and for the same release with zones left out.
     */
    public_hash?: string;
  };
  /**
   * Of scored predictions: the hash of what they were made on.
   */
  predicted_on?: string;
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
   * Whether an LLM oracle's responder reads the reference SQL.
   */
  oracle_sql?: "shown" | "hidden";
  /**
   * Askers, matchers, responders and solvers of the user's own: where each came from.
   */
  parts?: {
    [k: string]: OwnPart;
  };
  /**
   * Role → what answers its calls, as the request's key holds it.
   */
  models?: {
    [k: string]: RunModel;
  };
  /**
   * Versions of the prompts that are in use.
   */
  templates?: string[];
  /**
   * Estimated tokens that a prompt's schema may take.
   */
  schema_tokens?: number;
  /**
   * Seconds that the model calls of one episode may take in all.
   */
  deadline_s?: number;
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
export interface OwnPart {
  /**
   * A module's path or an HTTP address.
   */
  address: string;
  /**
   * Of the module's file; what it imports is not in it.
   */
  sha256?: string;
}
export interface RunModel {
  model: string;
  /**
   * Prompts that cannot fit are a context_overflow.
   */
  context_tokens?: number | null;
  /**
   * Of a million tokens.
   */
  price?: {
    prompt: number;
    completion: number;
  };
  [k: string]: unknown;
}
