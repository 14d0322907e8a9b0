import type { TaskRecord } from "../../schemas/types/record.js";
import { SourceError } from "../errors.js";
import { describeFailure } from "../sql/index.js";
import type { PostgresOnDemand } from "../sql/postgres/on-demand.js";
import { error, type Finding, warning } from "./finding.js";

/** Runs the reference and every alternative of a PostgreSQL record under its own comparison. */
export async function checkPostgresReadings(
  { record_id, public: { database }, verifier }: TaskRecord,
  dump: string,
  postgres: PostgresOnDemand | undefined,
): Promise<Finding[]> {
  if (postgres === undefined) {
    return [warning("not_checked", record_id, "there is no PostgreSQL here, so its SQL was not run")];
  }
  let template: string;
  try {
    ({ template } = await postgres.template(dump));
  } catch (problem) {
    if (!(problem instanceof SourceError)) throw problem;
    return [error("database", record_id, `${database.path}: ${problem.message}`)];
  }
  const { judgeTask, runTask } = await import("../sql/postgres/index.js");
  const server = await postgres.server();
  const { category, reference_sql, comparison } = verifier;
  const task = {
    template,
    category,
    reference: reference_sql,
    setup: verifier.setup_sql ?? [],
    cleanup: verifier.cleanup_sql ?? [],
    comparison,
  };
  const { execution } = await runTask(server, task, reference_sql);
  if (execution.outcome !== "rows") {
    return [error("reference_fails", record_id, `the reference SQL: ${describeFailure(execution)}`)];
  }
  const findings: Finding[] = [];
  if (category === "query" && execution.row_count === 0) {
    findings.push(error("reference_empty", record_id, "the reference SQL returns no rows"));
  }
  for (const sql of verifier.alternative_sql ?? []) {
    const { verdict, detail } = await judgeTask(server, task, [sql]);
    if (verdict === "match") {
      const message = `an alternative reading gives the reference's result under ${comparison.policy}`;
      findings.push(error("alternative_equal", record_id, message));
    } else if (verdict !== "mismatch") {
      const message = `an alternative reading: ${detail ?? verdict}`;
      findings.push(error("alternative_fails", record_id, message));
    }
  }
  return findings;
}
