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
  answered_by?: AnsweringService;
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
   * Askers, matchers, responders and solvers of the user's own: where each came from.
   */
  parts?: {
    [k: string]: OwnPart;
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
/**
 * Of predictions whose questions an answering service answered (ambitab answer).
 */
export interface AnsweringService {
  /**
   * The run's name in the service's log.
   */
  run: string;
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
  price?: RunPrice;
}
/**
 * Of a million tokens.
 */
export interface RunPrice {
  prompt: number;
  completion: number;
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
