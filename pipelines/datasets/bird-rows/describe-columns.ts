import { readFileSync } from "node:fs";
import { parseDescription } from "../../../sources/bird/index.js";
import { type Evidence, itemStage, keep } from "../../engine/stage.js";
import { describeSqlite } from "../../sql/index.js";
import { fitMeanings } from "./column-meanings.js";
import type { BirdRow, DescribedRow, LocatedRow } from "./items.js";

/** Reads what upstream says of the database's columns; what does not fit the database is a finding of its every row. */
export const describeColumns = <Row extends BirdRow>() =>
  itemStage({
    name: "describe-columns",
    version: "1",
    module: import.meta.url,
    select: ({ file, descriptions }: LocatedRow<Row>) => ({ file, descriptions }),
    run({ file, descriptions }, context) {
      const files = descriptions.map(({ path }) =>
        parseDescription(path, readFileSync(context.sourcePath(path))),
      );
      const { meanings, mismatches } = fitMeanings(describeSqlite(context.files.path(file)), files);
      const evidence: Evidence[] =
        mismatches.length > 0
          ? [{ kind: "finding", code: "description_mismatch", detail: mismatches.join("; ") }]
          : [];
      if (files.length === 0) {
        evidence.push({ kind: "finding", code: "no_column_meanings", detail: "no database_description" });
      }
      return keep(meanings, evidence.length > 0 ? evidence : undefined);
    },
    merge: (row, column_meanings): DescribedRow<Row> => ({ ...row, column_meanings }),
  });
