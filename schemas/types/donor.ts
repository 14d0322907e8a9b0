// Generated from schemas/donor.schema.json by scripts/build.mjs. Do not edit: change the schema.

/**
 * Whose public specification a spec-randomized asker is shown in place of a record's own. A line of a run's donors.jsonl.
 */
export interface Donor {
  dataset: string;
  record_id: string;
  avt_id: string;
  /**
   * The donor's record id.
   */
  donor: string;
  /**
   * The donor's AVT: it joins clusters of intervals.
   */
  donor_avt_id: string;
}
