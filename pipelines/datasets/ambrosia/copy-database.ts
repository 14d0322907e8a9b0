import type { AmbrosiaConcepts } from "../../../sources/ambrosia/index.js";
import type { FileRef } from "../../engine/files.js";
import { drop, itemStage, keep } from "../../engine/stage.js";
import { describeFailure, renderCell } from "../../sql/index.js";
import type { LocatedQuestion, SourceQuestion } from "./items.js";

interface Copied {
  copied: FileRef;
  concepts: AmbrosiaConcepts;
}

/** Asked in the sandbox, where the readings will run on the same open database, and where damage stops nothing. */
const INTEGRITY = "SELECT integrity_check FROM pragma_integrity_check WHERE integrity_check <> 'ok'";

/**
 * Step 5's copy, made first because the readings run on it: the database byte for byte. A database or an annotation that
 * is not in this copy of the source is `source_missing`, by database.
 */
export const copyDatabase = itemStage({
  name: "copy-database",
  version: "1",
  module: import.meta.url,
  select: ({ database, concepts }: SourceQuestion) => ({ database, concepts }),
  async run({ database, concepts }, context) {
    const missing = (detail: string) => drop("source_missing", detail, { subject: database.path });
    if (database.kind === "missing") return missing(`no database ${database.path}: ${database.reason}`);
    if (concepts === null) return missing(`no concepts.json beside ${database.path}`);
    const copied = await context.files.takeCopy(context.sourcePath(database.path));
    const check = await context.sandbox.run({ database: context.files.path(copied), sql: INTEGRITY });
    if (check.outcome !== "rows")
      return missing(`${database.path} cannot be read: ${describeFailure(check)}`);
    const [problem] = check.rows.flat().map(renderCell);
    if (problem !== undefined) {
      return missing(`${database.path} does not pass SQLite's integrity check: ${problem}`);
    }
    return keep<Copied>({ copied, concepts });
  },
  merge: (question, { copied, concepts }): LocatedQuestion => ({ ...question, copied, concepts }),
});
