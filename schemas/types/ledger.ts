// Generated from schemas/ledger.schema.json by scripts/build.mjs. Do not edit: change the schema.

/**
 * One source row's whole way through a build: what each stage did with it and on which evidence.
 */
export interface LedgerEntry {
  /**
   * The row's stable name: dataset, file and coordinates.
   */
  key: string;
  dataset: string;
  source: string;
  origin: {
    file: string;
    file_sha256: string;
    row: number;
    /**
     * Empty for a row that could not be parsed.
     */
    row_sha256: string;
  };
  steps: LedgerStep[];
  record_ids: string[];
}
export interface LedgerStep {
  stage: string;
  version: string;
  /**
   * Which item of the row, where a stage had made several of it.
   */
  item?: string;
  outcome: "kept" | "dropped";
  /**
   * How many outputs, where not one.
   */
  outputs?: number;
  reason?: string;
  detail?: string;
  subject?: string;
  evidence?: {
    kind: string;
  }[];
}
