import { drop, itemStage, keep, type StageContext } from "../../engine/stage.js";
import { applyRewrites, compareExecutions, describeFailure, ordersOutermost } from "../../sql/index.js";
import { evidenceOf } from "../sql-evidence.js";
import type { BuiltRow, Reading, ReadRow } from "./items.js";
import { needsQuotes, requote } from "./requote.js";

type ReadingInput = Pick<BuiltRow, "built" | "unit" | "orig_query" | "query1" | "query2">;

/** A reading as upstream wrote it, with its alternative quoted where SQLite would not take it for a name. */
function asWritten({ unit, orig_query, query1, query2 }: ReadingInput, alternative: 0 | 1): Reading {
  const sql = alternative === 0 ? query1 : query2;
  const name = unit.alternatives[alternative];
  if (!needsQuotes(name)) return { alternative, sql, changes: [] };
  const quoted = requote(orig_query, sql, unit.column, name);
  if (quoted === undefined) return { alternative, sql, changes: [] };
  return { alternative, sql: quoted, changes: [`quoted the column name ${JSON.stringify(name)}`] };
}

async function read(input: ReadingInput, alternative: 0 | 1, context: StageContext) {
  const reading = asWritten(input, alternative);
  const execution = await context.sandbox.run({
    database: context.files.path(input.built),
    sql: reading.sql,
  });
  if (execution.rewrites.length > 0) {
    reading.sql = applyRewrites(reading.sql, execution.rewrites);
    reading.changes.push(
      `made ${execution.rewrites.map(({ token }) => token).join(", ")} string literals, as SQLite resolves them`,
    );
  }
  return { reading, execution, evidence: evidenceOf(reading.sql, execution) };
}

/** Step 4: both readings run on the unit's database and their results differ under the records' own policy. */
export const keepDistinctReadings = itemStage({
  name: "keep-distinct-readings",
  version: "1",
  module: import.meta.url,
  select: ({ built, unit, orig_query, query1, query2 }: BuiltRow): ReadingInput => ({
    built,
    unit,
    orig_query,
    query1,
    query2,
  }),
  async run(input, context) {
    const first = await read(input, 0, context);
    const second = await read(input, 1, context);
    const evidence = [first.evidence, second.evidence];
    for (const { reading, execution } of [first, second]) {
      if (execution.outcome === "rows") continue;
      const name = input.unit.alternatives[reading.alternative];
      return drop(
        "reading_fails",
        `the reading with ${JSON.stringify(name)}: ${describeFailure(execution)}`,
        { evidence },
      );
    }
    const ordered = ordersOutermost(first.reading.sql);
    const { verdict } = compareExecutions("multiset", ordered, second.execution, first.execution);
    if (verdict === "match") {
      const rows = first.execution.outcome === "rows" ? first.execution.row_count : 0;
      return drop(
        "equal_results",
        `both readings give ${rows === 0 ? "no rows" : rows === 1 ? "the same row" : `the same ${rows} rows`}`,
        { evidence },
      );
    }
    return keep({ readings: [first.reading, second.reading] as [Reading, Reading], ordered }, evidence);
  },
  merge: (row, { readings, ordered }): ReadRow => ({ ...row, readings, ordered }),
});
