/** What a format has written of one dataset. */
export interface Written {
  /** File of records, relative to the export → records in it. */
  records: ReadonlyMap<string, number>;
  /** Reason → records that the format cannot hold. */
  left_out: Readonly<Record<string, number>>;
}
