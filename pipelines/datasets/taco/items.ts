/** What a TACO query file is on its way to a record: each stage adds to it. */
import type { FileRef } from "../../engine/files.js";

/** Where the database is in this copy of the source. `path` is relative to the source's folder. */
export type SourceDatabase =
  | { kind: "sqlite"; path: string; bytes: number; sha256: string }
  | { kind: "missing"; reason: string };

export interface SourceRow {
  region: string;
  database: string;
  sql: string;
  /** `table.column` of the tables that upstream made the statement from. */
  columns: string[];
  location: SourceDatabase;
  source_version: string;
}

/** A statement that reads one table, as far as its text tells. */
export interface StatementRow extends SourceRow {
  from: FromTable;
}

/** The table in FROM as the statement writes it, quotes taken off. */
export interface FromTable {
  table: string;
  /** Under which the columns may be qualified instead. */
  alias: string | null;
}

export interface LocatedRow extends StatementRow {
  /** A copy of the database, in the store. */
  file: FileRef;
}

/** A statement with the table it reads. */
export interface Reading {
  table: string;
  sql: string;
}

/** The statement, proved to run, and what the other tables give for it. */
export interface Choices {
  reference: Reading;
  /** The reference orders its outermost result. */
  ordered: boolean;
  /** Other tables on which the statement returns rows, and others than the reference's; by name. */
  alternatives: Reading[];
  /** Tables that give the same result as the reference: no answer tells them apart. */
  equal: string[];
  /** Every table on which the statement runs, the reference's included; by name. */
  runs_on: string[];
  /** What was changed of upstream's text, one sentence each. */
  changes: string[];
}

export interface ChoiceRow extends LocatedRow {
  choices: Choices;
}

/** A filter whose value the request leaves open. */
export interface ValueChoice {
  column: string;
  value: string;
  /** "a certain facility type", as it stands in the request. */
  term: string;
  /** The column as the request says it elsewhere. */
  phrase: string;
  /** All values of the column, in their own order. */
  values: string[];
  /** The request names the column elsewhere, too. */
  named_elsewhere: boolean;
}

/** The statement in words, with the table, and perhaps a value, left open. */
export interface Wording {
  request: string;
  /** "the records", as it stands in the request. */
  term: string;
  value: ValueChoice | null;
  /** How the columns of the table are called in words, whether the request has them or not. */
  column_phrases: string[];
}

export interface WordedRow extends ChoiceRow {
  wording: Wording;
}

/** Which request the record belongs to, and its drawn place among that request's readings. */
export interface Place {
  avt_id: string;
  suffix: number;
}

export interface PlacedRow extends WordedRow {
  place: Place;
}
