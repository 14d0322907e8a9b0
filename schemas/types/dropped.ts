// Generated from schemas/dropped.schema.json by scripts/build.mjs. Do not edit: change the schema.

/**
 * A source row, or a part of it, that is not in the benchmark, and why.
 */
export interface DroppedRow {
  key: string;
  file: string;
  row: number;
  row_sha256: string;
  stage: string;
  /**
   * A code of the documented list.
   */
  reason: string;
  detail: string;
  /**
   * What the reason is about, such as the database that is missing.
   */
  subject?: string;
}
