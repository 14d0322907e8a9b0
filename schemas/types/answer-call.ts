// Generated from schemas/answer-call.schema.json by scripts/build.mjs. Do not edit: change the schema.

/**
 * What an answering service is sent. POST /open begins an episode; POST /ask, with dialogue and question, puts a question.
 */
export interface AnswerCall {
  /**
   * The release's public hash: what run.json calls public_hash.
   */
  release: string;
  /**
   * The oracle that is expected to answer.
   */
  oracle: string;
  /**
   * The run's name, which its maker draws once; each episode of a run has its own budget.
   */
  run: string;
  record_id: string;
  condition: "asker" | "full";
  seed: number;
  /**
   * All that was asked and answered in this episode so far, oldest first.
   */
  dialogue?: AnsweredQuestion[];
  question?: string;
}
export interface AnsweredQuestion {
  question: string;
  response: string;
}
