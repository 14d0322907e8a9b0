// Generated from schemas/export.schema.json by scripts/build.mjs. Do not edit: change the schema.

/**
 * An export's export.json: what was exported from what, and under which terms.
 */
export interface ExportManifest {
  schema_version: string;
  made_by: string;
  format: "bird" | "jsonl" | "parquet";
  /**
   * Of the format bird: whether the question is the request as it stands, or made clear.
   */
  question?: "request" | "clear";
  from: {
    kind: "build" | "release";
    /**
     * The release's version; null for builds.
     */
    version: string | null;
    /**
     * Hash over all its files' hashes, as results name it.
     */
    sha256: string;
  };
  datasets: {
    [k: string]: ExportedDataset;
  };
  /**
   * Every other file of the export, sorted by path.
   */
  files: ExportedFile[];
}
export interface ExportedDataset {
  zones: ("public" | "oracle" | "verifier" | "provenance")[];
  records: number;
  /**
   * Reason → records that the format cannot hold.
   */
  left_out: {
    [k: string]: number;
  };
  source: string;
  source_version: string;
  licence: string;
  attribution: string;
  redistribution: string;
}
export interface ExportedFile {
  path: string;
  /**
   * Of a file of records: how many.
   */
  records?: number;
  bytes: number;
  sha256: string;
}
