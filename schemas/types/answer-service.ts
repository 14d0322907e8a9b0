// Generated from schemas/answer-service.schema.json by scripts/build.mjs. Do not edit: change the schema.

/**
 * What an answering service says of itself (GET /).
 */
export interface AnswerService {
  service: "ambitab answer";
  protocol: 1;
  tool: string;
  release: AnsweredRelease;
  datasets: string[];
  oracle: string;
  /**
   * Whether a model responder is shown the reference SQL, by dataset.
   */
  oracle_sql?: {
    [k: string]: "shown" | "hidden";
  };
  /**
   * Whether scripted askers are told the terms, so that the full condition can be run.
   */
  full: boolean;
  /**
   * Questions that its models answer at once; 0: it asks none.
   */
  slots: number;
}
export interface AnsweredRelease {
  name: string;
  public_hash: string;
}
