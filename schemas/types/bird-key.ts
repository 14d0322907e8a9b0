// Generated from schemas/bird-key.schema.json by scripts/build.mjs. Do not edit: change the schema.

/**
 * Why the record is no question here.
 */
export type LeftOut = "no_reference_sql" | "several_statements" | "no_single_line" | "database_name";

/**
 * One line of a BIRD-style export's <split>_records.jsonl: which record a question is, or why a record is no question there.
 */
export interface BirdKey {
  /**
   * Position in the split's questions and gold SQL, from 0; null where the record is left out.
   */
  question_id: number | null;
  record_id: string;
  avt_id: string;
  db_id: string;
  left_out?: LeftOut;
}
