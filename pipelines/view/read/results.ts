/** Runs a record's readings in the sandbox and looks into its database; the SQL of a record is nobody's we trust. */
import { existsSync, realpathSync } from "node:fs";
import { resolve, sep } from "node:path";
import type { TaskRecord } from "../../../schemas/types/record.js";
import { SourceError } from "../../errors.js";
import type { DatasetFolder } from "../../record/suite.js";
import type { SqlEngines } from "../../sql/engines.js";
import { compareExecutions, type Execution, type Limits, type SqlVerdict } from "../../sql/index.js";
import type { PostgresOnDemand } from "../../sql/postgres/on-demand.js";
import type { Found } from "./lineage.js";

/** A person is waiting, and looks at a few rows. */
export const LIMITS: Partial<Limits> = { timeoutMs: 10_000, maxRows: 100_000, maxBytes: 16 * 1024 * 1024 };

/** One reading's SQL and how it ended. */
export interface ReadingResult {
  readonly name: string;
  readonly sql: string;
  readonly execution: Execution;
  /** Of an alternative: how it compares with the reference under the record's own policy. */
  readonly verdict?: SqlVerdict;
}

/** The database of a record, where it is inside the folder of its dataset's databases. */
export function databasePath({ databases }: DatasetFolder, path: string): Found<string> {
  const full = resolve(databases, path);
  if (path === "" || !full.startsWith(databases + sep))
    return { why: `its path leads out of the folder of databases: ${path}` };
  if (!existsSync(full)) return { why: `${path} is not there` };
  if (!realpathSync(full).startsWith(realpathSync(databases) + sep))
    return { why: `${path} is a link that leads out of the folder of databases` };
  return { value: full };
}

type Verifier = TaskRecord["verifier"];

async function onSqlite(verifier: Verifier, database: string, engines: SqlEngines): Promise<ReadingResult[]> {
  const { policy, ordered } = verifier.comparison;
  const run = (sql: string) => engines.run({ database, sql, limits: LIMITS });
  const [reference = ""] = verifier.reference_sql;
  const alternatives = verifier.alternative_sql ?? [];
  const [expected, ...given] = await Promise.all([run(reference), ...alternatives.map(run)]);
  return [
    { name: "reference", sql: reference, execution: expected },
    ...given.map((execution, at) => ({
      name: alternatives.length === 1 ? "alternative" : `alternative ${at + 1}`,
      sql: alternatives[at] ?? "",
      execution,
      verdict: compareExecutions(policy, ordered, execution, expected).verdict,
    })),
  ];
}

async function onPostgres(
  verifier: Verifier,
  dump: string,
  postgres: PostgresOnDemand,
): Promise<ReadingResult[]> {
  const { template } = await postgres.template(dump);
  const { judgeTask, runTask } = await import("../../sql/postgres/index.js");
  const server = await postgres.server();
  const task = {
    template,
    category: verifier.category,
    reference: verifier.reference_sql,
    setup: verifier.setup_sql ?? [],
    cleanup: verifier.cleanup_sql ?? [],
    comparison: verifier.comparison,
  };
  const results: ReadingResult[] = [];
  const { execution } = await runTask(server, task, verifier.reference_sql);
  results.push({ name: "reference", sql: verifier.reference_sql.join(";\n"), execution });
  for (const [at, sql] of (verifier.alternative_sql ?? []).entries()) {
    const given = await runTask(server, task, [sql]);
    const { verdict } = await judgeTask(server, task, [sql]);
    results.push({ name: `alternative ${at + 1}`, sql, execution: given.execution, verdict });
  }
  return results;
}

/** The results of the reference and of every other reading; or why nothing can be run. */
export async function runReadings(
  record: Pick<TaskRecord, "public" | "verifier">,
  folder: DatasetFolder,
  engines: SqlEngines,
): Promise<Found<ReadingResult[]>> {
  const { verifier } = record;
  const { database } = record.public;
  if (verifier.reference_sql.length === 0)
    return { why: verifier.not_verifiable ?? "the record has no reference SQL" };
  const found = databasePath(folder, database.path);
  if ("why" in found) return found;
  if (database.engine === "sqlite") return { value: await onSqlite(verifier, found.value, engines) };
  if (engines.postgres === undefined) return { why: "there is no PostgreSQL here" };
  try {
    return { value: await onPostgres(verifier, found.value, engines.postgres) };
  } catch (error) {
    if (!(error instanceof SourceError)) throw error;
    return { why: error.message };
  }
}
