import type { FileRef } from "../../engine/files.js";
import { drop, type Evidence, itemStage, keep } from "../../engine/stage.js";
import { takeDatabase } from "../take-database.js";
import type { BirdRow, HintedRow, LocatedRow } from "./items.js";

/** Takes a copy of the row's database; what is not there, or is not whole, is `source_missing` by the database's name. */
export const locateDatabase = <Row extends BirdRow>() =>
  itemStage({
    name: "locate-database",
    version: "1",
    module: import.meta.url,
    select: ({ db_id, location, other_release }: HintedRow<Row>) => ({ db_id, location, other_release }),
    async run({ db_id, location, other_release }, context) {
      const missing = (detail: string) => drop("source_missing", detail, { subject: db_id });
      if (location.kind === "missing") return missing(location.reason);
      const taken = await takeDatabase(location.path, context);
      if ("problem" in taken) return missing(taken.problem);
      const evidence: Evidence[] = other_release
        ? [
            {
              kind: "finding",
              code: "database_of_other_release",
              detail: `no database beside the questions; ${location.path} was taken`,
            },
          ]
        : [];
      return keep<FileRef>(taken.file, evidence.length > 0 ? evidence : undefined);
    },
    merge: (row, file): LocatedRow<Row> => ({ ...row, file }),
  });
