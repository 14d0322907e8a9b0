import { copyFileSync, rmSync } from "node:fs";
import type { AmbrosiaConcepts } from "../../../sources/ambrosia/index.js";
import type { FileRef } from "../../engine/files.js";
import { drop, itemStage, keep } from "../../engine/stage.js";
import { checkIntegrity } from "../../sql/index.js";
import type { LocatedQuestion, SourceQuestion } from "./items.js";

interface Copied {
  copied: FileRef;
  concepts: AmbrosiaConcepts;
}

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
    const scratch = context.files.scratch();
    copyFileSync(context.sourcePath(database.path), scratch);
    const [problem] = checkIntegrity(scratch);
    if (problem !== undefined) {
      rmSync(scratch, { force: true });
      return missing(`${database.path} does not pass SQLite's integrity check: ${problem}`);
    }
    return keep<Copied>({ copied: await context.files.adopt(scratch), concepts });
  },
  merge: (question, { copied, concepts }): LocatedQuestion => ({ ...question, copied, concepts }),
});
