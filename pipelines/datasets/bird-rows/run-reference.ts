import { drop, itemStage, keep } from "../../engine/stage.js";
import { applyRewrites, describeFailure } from "../../sql/index.js";
import { evidenceOf } from "../sql-evidence.js";
import type { BirdRow, DescribedRow, Reference, ReferencedRow } from "./items.js";

/**
 * The gold SQL runs and returns rows. One that fails, is refused or is too large is `gold_error`, one that is stopped at
 * the time limit `gold_timeout`: neither is ever scored as a model's fault (spec 10). No rows is `empty_result`.
 */
export const runReference = <Row extends BirdRow>() =>
  itemStage({
    name: "run-reference",
    version: "1",
    module: import.meta.url,
    select: ({ file, sql }: DescribedRow<Row>) => ({ file, sql }),
    async run({ file, sql }, context) {
      const execution = await context.sandbox.run({ database: context.files.path(file), sql });
      const { rewrites } = execution;
      const runnable = rewrites.length > 0 ? applyRewrites(sql, rewrites) : sql;
      const evidence = [evidenceOf(runnable, execution)];
      if (execution.outcome !== "rows") {
        const code = execution.outcome === "timeout" ? "gold_timeout" : "gold_error";
        return drop(code, describeFailure(execution), { evidence });
      }
      if (execution.row_count === 0)
        return drop("empty_result", "the gold SQL returns no rows", { evidence });
      const tokens = [...new Set(rewrites.map(({ token }) => token))].join(", ");
      const changes = rewrites.length > 0 ? [`made ${tokens} string literals, as SQLite resolves them`] : [];
      return keep<Reference>({ sql: runnable, changes }, evidence);
    },
    merge: (row, reference): ReferencedRow<Row> => ({ ...row, reference }),
  });
