/** What an AMBROSIA question is on its way from the source to its records: each stage adds to it. */
import type {
  AmbrosiaConcepts,
  AmbrosiaQuestion,
  AmbrosiaReading,
  LocatedAmbrosiaDatabase,
} from "../../../sources/ambrosia/index.js";
import type { FileRef } from "../../engine/files.js";

/** A question with its readings, and what this copy of the source holds of its database. */
export interface SourceQuestion extends Omit<AmbrosiaQuestion, "row" | "row_sha256"> {
  database: LocatedAmbrosiaDatabase;
  /** null where the annotation is not in this copy. */
  concepts: AmbrosiaConcepts | null;
  /** The copy of the source that was read: stands in every record. */
  source_version: string;
}

export interface LocatedQuestion extends SourceQuestion {
  concepts: AmbrosiaConcepts;
  /** The copy of the database that the records will name. */
  copied: FileRef;
}

/** A reading that runs. */
export interface RunReading extends AmbrosiaReading {
  /** The SQL as it stands in the records: runs as it is written, without double-quoted literals. */
  runnable: string;
  /** It orders its outermost result. */
  ordered: boolean;
  /** What was changed of upstream's text, one sentence each. */
  changes: string[];
  /** Positions of other readings whose results differ from this one's under this reading's own comparison. */
  differs_from: number[];
}

export interface ReadQuestion extends LocatedQuestion {
  read: RunReading[];
}
