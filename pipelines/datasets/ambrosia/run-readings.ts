import type { FileRef } from "../../engine/files.js";
import { drop, itemStage, keep, type StageContext } from "../../engine/stage.js";
import {
  applyRewrites,
  compareExecutions,
  describeFailure,
  type Execution,
  ordersOutermost,
} from "../../sql/index.js";
import { evidenceOf } from "../sql-evidence.js";
import type { LocatedQuestion, ReadQuestion, RunReading } from "./items.js";

type Ran = Omit<RunReading, "sentence" | "sql" | "row" | "row_sha256">;

async function runOne(copied: FileRef, sql: string, context: StageContext) {
  const execution = await context.sandbox.run({ database: context.files.path(copied), sql });
  const { rewrites } = execution;
  const runnable = rewrites.length > 0 ? applyRewrites(sql, rewrites) : sql;
  const tokens = [...new Set(rewrites.map(({ token }) => token))].join(", ");
  const changes = rewrites.length > 0 ? [`made ${tokens} string literals, as SQLite resolves them`] : [];
  return { execution, runnable, changes, ordered: ordersOutermost(runnable) };
}

const pairs = (length: number): [number, number][] =>
  Array.from({ length }, (_, one) => one).flatMap((one) =>
    Array.from({ length: length - one - 1 }, (_, more): [number, number] => [one, one + 1 + more]),
  );

function describePair([one, other]: [number, number], readings: readonly Ran[]): string {
  const names = `readings ${one + 1} and ${other + 1}`;
  return readings[one]?.differs_from.includes(other)
    ? `${names} give the same rows in another order`
    : `${names} give the same result`;
}

/**
 * Step 1: every reading runs on the copied database and returns rows; a request keeps all its readings or none. Readings
 * with the same rows are a finding, because the published count keeps them; `--strict-readings` drops the request. An
 * alternative is what differs under the reading's own comparison, so the order of rows tells apart what orders them.
 */
export const runReadings = itemStage({
  name: "run-readings",
  version: "1",
  module: import.meta.url,
  parameters: ({ strict_readings }) => ({ strict_readings }),
  select: ({ copied, readings }: LocatedQuestion) => ({ copied, statements: readings.map(({ sql }) => sql) }),
  async run({ copied, statements }, context) {
    const ran = await Promise.all(statements.map((sql) => runOne(copied, sql, context)));
    const evidence = ran.map(({ runnable, execution }) => evidenceOf(runnable, execution));
    for (const [at, { execution }] of ran.entries()) {
      const failure = execution.outcome === "rows" ? undefined : describeFailure(execution);
      if (failure !== undefined) {
        return drop("reading_fails", `reading ${at + 1} of ${ran.length}: ${failure}`, { evidence });
      }
      if (execution.outcome === "rows" && execution.row_count === 0) {
        return drop("empty_result", `reading ${at + 1} of ${ran.length} returns no rows`, { evidence });
      }
    }
    const readings = ran.map(({ execution, ...reading }, at): Ran => {
      const differs = (other: Execution): boolean =>
        compareExecutions("multiset", reading.ordered, other, execution).verdict !== "match";
      const differs_from = ran.flatMap((other, index) =>
        index !== at && differs(other.execution) ? [index] : [],
      );
      return { ...reading, differs_from };
    });
    const alike = pairs(ran.length).filter(([one, other]) => {
      const [a, b] = [ran[one]?.execution, ran[other]?.execution];
      return a && b && compareExecutions("multiset", false, a, b).verdict === "match";
    });
    if (alike.length > 0) {
      const detail = alike.map((pair) => describePair(pair, readings)).join("; ");
      if (context.settings.strict_readings) return drop("equal_results", detail, { evidence });
      evidence.push({ kind: "finding", code: "equal_results", detail });
    }
    return keep(readings, evidence);
  },
  merge: (question, ran): ReadQuestion => ({
    ...question,
    read: question.readings.flatMap((reading, at) => {
      const result = ran[at];
      return result === undefined ? [] : [{ ...reading, ...result }];
    }),
  }),
});
