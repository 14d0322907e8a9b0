// Generated from schemas/campaign.schema.json by scripts/build.mjs. Do not edit: change the schema.

/**
 * The runs of a leakage campaign and what each is for: campaign.json. Their folders stand in runs/ beside it.
 */
export interface Campaign {
  schema_version: string;
  suite_hash: string;
  asker: string;
  solver: string;
  runs: CampaignRun[];
}
export interface CampaignRun {
  dataset: string;
  /**
   * The oracle's key in tables; the reference oracle is `deterministic`.
   */
  oracle: string;
  /**
   * Whether the LLM responder reads the reference SQL; null where none is an LLM.
   */
  sql: "shown" | "hidden" | null;
  /**
   * Which policy: the asker under O, under the hybrid oracle, spec-randomized, full-adversarial, none-adversarial.
   */
  role: "asker" | "hybrid" | "spec" | "full" | "none";
  /**
   * The run's folder in runs/.
   */
  run: string;
}
