import type { FileRef } from "../../../../../pipelines/engine/files.js";
import type { TearoomRow } from "../../sources/tearoom/rows.js";

/** A row, with the hash of the script that its database comes from. */
export interface Question extends TearoomRow {
  source_version: string;
  script_sha256: string;
}

export interface WithDatabase extends Question {
  database: FileRef;
}

/** The SQL of each column's reading, in the row's order. */
export interface WithReadings extends WithDatabase {
  readings: [string, string];
}
