/** What a row of BIRD is on its way to a record of `ew-bird` or `bird`: each stage adds to it. */
import type { BirdQuestion } from "../../../sources/bird/index.js";
import type { FileRef } from "../../engine/files.js";
import type { MaskedHint } from "./hints/index.js";

/** Where the database is in this copy of the source. Paths are relative to the source's folder. */
export type SourceDatabase =
  | { kind: "sqlite"; path: string; bytes: number; sha256: string }
  | { kind: "missing"; reason: string };

/** A question with what this copy of the source holds of its database. */
export interface BirdRow extends BirdQuestion {
  location: SourceDatabase;
  /** The database comes from a folder of another release than the questions. */
  other_release: boolean;
  /** The CSVs that describe its columns. */
  descriptions: { path: string; sha256: string }[];
  /** The release of the questions and a hash over every file that was read: stands in every record. */
  source_version: string;
}

/** Hints of the evidence, as ambiguities; none where the row has no evidence and its dataset keeps such rows. */
export type HintedRow<Row extends BirdRow = BirdRow> = Row & { masked: MaskedHint[]; hints: number };

export type LocatedRow<Row extends BirdRow = BirdRow> = HintedRow<Row> & {
  /** A copy of the database, in the store. */
  file: FileRef;
};

export type DescribedRow<Row extends BirdRow = BirdRow> = LocatedRow<Row> & {
  /** `table.column` in the database's own spelling → what upstream says of it. */
  column_meanings: Record<string, string>;
};

/** The gold SQL, proved to run. */
export interface Reference {
  /** As it stands in the record: runs as it is written. */
  sql: string;
  /** What was changed of upstream's text, one sentence each. */
  changes: string[];
}

export type ReferencedRow<Row extends BirdRow = BirdRow> = DescribedRow<Row> & { reference: Reference };
