/** What an AmbiQT row is on its way from a source row to two records: each stage adds to it. */
import type { AmbiqtRow } from "../../../sources/ambiqt/index.js";
import type { FileRef } from "../../engine/files.js";
import type { StageContext } from "../../engine/stage.js";

/** A row of the column-synonym benchmark, and what the source says of its database. */
export interface SourceRow extends Omit<AmbiqtRow, "row" | "row_sha256"> {
  database: SourceDatabase;
  /** Columns that tables.json declares as keys of this database. */
  declared_keys: { table: string; column: string }[];
  /** How tables.json says the column in words ("first name" for Fname). */
  spoken_name: string | null;
  /** The copy of the source that was read: stands in every record. */
  source_version: string;
}

/** Where the row's database is in this copy of the source. `path` is relative to the source's folder. */
export type SourceDatabase =
  | { kind: "sqlite" | "sql"; path: string; bytes: number; sha256: string }
  | { kind: "missing"; reason: string };

/** A SQLite file that a stage may open: upstream's own, or one that a stage made. */
export type DatabaseFile =
  | { from: "source"; path: string; bytes: number; sha256: string }
  | { from: "store"; file: FileRef };

/** Absolute path of a database file. */
export function databasePath(file: DatabaseFile, context: StageContext): string {
  return file.from === "source" ? context.sourcePath(file.path) : context.files.path(file.file);
}

export interface LocatedRow extends SourceRow {
  original: DatabaseFile;
}

/** A unit: one column of one database and the two names that may stand for it. Many rows share one. */
export interface Unit {
  original: DatabaseFile;
  db_id: string;
  /** As the database writes it. */
  table: string;
  /** As the database writes it. */
  column: string;
  /** As the row writes them; the first is query1's, the second query2's. */
  alternatives: [string, string];
}

/** What all draws of a unit are seeded with: what makes it this unit, not where its database lies. */
export function unitKey({ db_id, table, column, alternatives }: Unit): string {
  return JSON.stringify([db_id, table, column, alternatives]);
}

export interface UnitRow extends LocatedRow {
  unit: Unit;
}

export interface BuiltRow extends UnitRow {
  /** The unit's database, which holds both alternatives and not the original column. */
  built: FileRef;
}

/** A reading's SQL as it will stand in the records: runs on the unit's database as it is written. */
export interface Reading {
  /** 0 or 1: which alternative it uses. */
  alternative: 0 | 1;
  sql: string;
  /** What was changed of upstream's text, one sentence each. */
  changes: string[];
}

export interface ReadRow extends BuiltRow {
  readings: [Reading, Reading];
  /** The readings order their outermost result. */
  ordered: boolean;
}
