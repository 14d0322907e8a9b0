import { chmodSync, copyFileSync } from "node:fs";
import { type FileRef, hashFile } from "../../engine/files.js";
import { drawsFor } from "../../engine/random.js";
import { CannotBuild, giveBothColumns, type TwoColumns } from "./both-columns.js";

/** This module by the name under which the work thread loads it. */
export const MAKE_UNIT = "pipelines/datasets/ambiqt/make-unit";

/** What a unit's database is made of. Everything that is drawn depends on `seed` and `key`. */
export interface UnitPlan {
  /** Absolute path of the original database. */
  original: string;
  /** Where the unit's database is made. */
  scratch: string;
  layout: TwoColumns;
  seed: number;
  key: string;
}

/** The database that was made, or why SQLite cannot make it. */
export type MadeUnit = { file: FileRef } | { kind: CannotBuild["kind"]; message: string };

/** Makes a unit's database; runs on the work thread, because it takes longer than all the rest of a row. */
export async function work({ original, scratch, layout, seed, key }: UnitPlan): Promise<MadeUnit> {
  copyFileSync(original, scratch);
  chmodSync(scratch, 0o644);
  try {
    giveBothColumns(scratch, layout, drawsFor(seed, "ambiqt/resample", key));
  } catch (error) {
    if (!(error instanceof CannotBuild)) throw error;
    return { kind: error.kind, message: error.message };
  }
  return { file: await hashFile(scratch) };
}
