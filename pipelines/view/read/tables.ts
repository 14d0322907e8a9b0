import { SourceError, SqlError } from "../../errors.js";
import type { DatasetFolder } from "../../record/suite.js";
import type { SqlEngines } from "../../sql/engines.js";
import {
  describeFailure,
  describeSqlite,
  type Execution,
  quoteIdentifier,
  type SchemaDescription,
} from "../../sql/index.js";
import type { PostgresOnDemand } from "../../sql/postgres/on-demand.js";
import type { Found } from "./lineage.js";
import { databasePath, LIMITS } from "./results.js";

export interface OpenDatabase {
  readonly engine: "sqlite" | "postgres";
  readonly schema: SchemaDescription;
  /** Some rows of a table or view; the table must be one of the schema's. */
  rows(table: string, offset: number, limit: number): Promise<Execution>;
  /** How many rows it has, or why they were not counted. */
  count(table: string): Promise<number | string>;
}

const counted = (execution: Execution): number | string => {
  if (execution.outcome !== "rows") return describeFailure(execution);
  const [[cell = null] = []] = execution.rows;
  return Number(cell?.slice(1));
};

async function onPostgres(path: string, postgres: PostgresOnDemand): Promise<OpenDatabase> {
  const { template } = await postgres.template(path);
  const server = await postgres.server();
  const run = (sql: string): Promise<Execution> =>
    server.withDatabase(template, "rollback", (session) => session.exec(sql));
  const name = (table: string): string => table.split(".").map(quoteIdentifier).join(".");
  return {
    engine: "postgres",
    schema: server.describe(template),
    rows: (table, offset, limit) => run(`SELECT * FROM ${name(table)} LIMIT ${limit} OFFSET ${offset}`),
    count: async (table) => counted(await run(`SELECT count(*) FROM ${name(table)}`)),
  };
}

/** Opens a database to look at; the reason where it cannot be shown. A dump starts PostgreSQL and is loaded once. */
export async function openDatabase(
  folder: DatasetFolder,
  { engine, path }: { engine: string; path: string },
  engines: SqlEngines,
): Promise<Found<OpenDatabase>> {
  const found = databasePath(folder, path);
  if ("why" in found) return found;
  const database = found.value;
  try {
    if (engine === "postgres") {
      if (engines.postgres === undefined) return { why: "there is no PostgreSQL here" };
      return { value: await onPostgres(database, engines.postgres) };
    }
    const run = (sql: string): Promise<Execution> => engines.run({ database, sql, limits: LIMITS });
    return {
      value: {
        engine: "sqlite",
        schema: describeSqlite(database),
        rows: (table, offset, limit) =>
          run(`SELECT * FROM ${quoteIdentifier(table)} LIMIT ${limit} OFFSET ${offset}`),
        count: async (table) => counted(await run(`SELECT count(*) FROM ${quoteIdentifier(table)}`)),
      },
    };
  } catch (error) {
    if (error instanceof SourceError || error instanceof SqlError) return { why: error.message };
    throw error;
  }
}
