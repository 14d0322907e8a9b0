import type { FileRef } from "../../engine/files.js";
import { drop, itemStage, keep } from "../../engine/stage.js";
import { takeDatabase } from "../take-database.js";
import type { LocatedRow, StatementRow } from "./items.js";

/** Takes a copy of the database that a statement is about; what is not there, or is not whole, is `source_missing`. */
export const locateDatabase = itemStage({
  name: "locate-database",
  version: "1",
  module: import.meta.url,
  select: ({ region, database, location }: StatementRow) => ({ region, database, location }),
  async run({ region, database, location }, context) {
    const missing = (detail: string) => drop("source_missing", detail, { subject: `${region}/${database}` });
    if (location.kind === "missing") return missing(location.reason);
    const taken = await takeDatabase(location.path, context);
    return "file" in taken ? keep<FileRef>(taken.file) : missing(taken.problem);
  },
  merge: (row, file): LocatedRow => ({ ...row, file }),
});
