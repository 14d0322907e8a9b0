import type { SourceError } from "../../pipelines/errors.js";
import type { FileDigest } from "../fetch/hash.js";

/** The three kinds of ambiguity that AMBROSIA has, as its files name them. */
export const AMBIGUITY_TYPES = ["attachment", "scope", "vague"] as const;
export type AmbiguityType = (typeof AMBIGUITY_TYPES)[number];

/** The sides of the official split. */
export const SPLITS = ["test", "few_shot_examples"] as const;
export type OfficialSplit = (typeof SPLITS)[number];

/** One way to read a question: a person's unambiguous sentence, and the SQL that answers it. */
export interface AmbrosiaReading {
  sentence: string;
  /** As upstream wrote it, `\r\n` and double-quoted literals included. */
  sql: string;
  /** Position of the reading in its file, from 0: of its own CSV row, or of the example that holds it. */
  row: number;
  /** Of that row's canonical JSON (RFC 8785), hex. */
  row_sha256: string;
}

/** An ambiguous question and its readings, in upstream's order. */
export interface AmbrosiaQuestion {
  /** Position of the question in its file, from 0. */
  row: number;
  row_sha256: string;
  type: AmbiguityType;
  domain: string;
  /** Path of the database, relative to the source's folder; the annotation lies beside it. */
  db_file: string;
  /** Position among the questions about this database, from 0, in file order: the same in both layouts. */
  number: number;
  /** null where the layout does not say it. */
  split: OfficialSplit | null;
  question: string;
  readings: AmbrosiaReading[];
}

/** A good question, or what is wrong with a bad row; both know where they stand (`row` from 0, `line` from 1). */
export type AmbrosiaItem =
  | { kind: "question"; file: string; row: number; line: number; value: AmbrosiaQuestion }
  | { kind: "error"; file: string; row: number; line: number; error: SourceError };

/** The questions of an AMBROSIA folder and the files they are read from. */
export interface AmbrosiaQuestions {
  /** `csv`: the official file. `folders`: one examples.json beside each database. */
  layout: "csv" | "folders";
  /** Every file that holds questions: path relative to the source's folder → digest. */
  files: Map<string, FileDigest>;
  /** Reads from the start, each time it is called. Throws a SourceError where a file is not of its format at all. */
  questions(): AsyncGenerator<AmbrosiaItem, void, undefined>;
}
