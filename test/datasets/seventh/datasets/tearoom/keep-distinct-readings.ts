import { evidenceOf } from "../../../../../pipelines/datasets/sql-evidence.js";
import { drop, itemStage, keep } from "../../../../../pipelines/engine/stage.js";
import {
  compareExecutions,
  describeFailure,
  describeSqlite,
  quoteIdentifier,
  sameName,
} from "../../../../../pipelines/sql/index.js";
import type { WithDatabase, WithReadings } from "./items.js";

/** Both columns are there, both readings run, and their results differ. */
export const keepDistinctReadings = itemStage({
  name: "keep-distinct-readings",
  version: "1",
  module: import.meta.url,
  select: ({ database, table, columns }: WithDatabase) => ({ database, table, columns }),
  async run({ database, table, columns }, context) {
    const path = context.files.path(database);
    const there = describeSqlite(path).tables.find(({ name }) => sameName(name, table));
    const missing = columns.find((column) => !there?.columns.some(({ name }) => sameName(name, column)));
    if (missing !== undefined) return drop("column_not_found", `there is no column ${table}.${missing}`);
    const [one, other] = columns.map(
      (column) => `SELECT name, ${quoteIdentifier(column)} FROM ${quoteIdentifier(table)}`,
    );
    const readings: [string, string] = [one ?? "", other ?? ""];
    const [first, second] = [
      await context.sandbox.run({ database: path, sql: readings[0] }),
      await context.sandbox.run({ database: path, sql: readings[1] }),
    ];
    const evidence = [evidenceOf(readings[0], first), evidenceOf(readings[1], second)];
    for (const execution of [first, second])
      if (execution.outcome !== "rows")
        return drop("reading_fails", describeFailure(execution), { evidence });
    if (compareExecutions("multiset", false, first, second).verdict === "match")
      return drop("equal_results", "both readings give the same rows", { evidence });
    return keep(readings, evidence);
  },
  merge: (row, readings): WithReadings => ({ ...row, readings }),
});
