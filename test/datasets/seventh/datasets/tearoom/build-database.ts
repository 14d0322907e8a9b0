import { readFileSync } from "node:fs";
import Database from "better-sqlite3";
import { itemStage, keep } from "../../../../../pipelines/engine/stage.js";
import { SCRIPT } from "../../sources/tearoom/rows.js";
import type { Question, WithDatabase } from "./items.js";

/** One database for all rows: they share what `select` gives, and so one run. */
export const buildDatabase = itemStage({
  name: "build-database",
  version: "1",
  module: import.meta.url,
  select: ({ script_sha256 }: Question) => script_sha256,
  async run(_sha256, context) {
    const scratch = context.files.scratch();
    const db = new Database(scratch);
    db.exec(readFileSync(context.sourcePath(SCRIPT), "utf8"));
    db.close();
    return keep(await context.files.adopt(scratch));
  },
  merge: (row, database): WithDatabase => ({ ...row, database }),
});
