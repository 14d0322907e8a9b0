import { type PostgresOnDemand, postgresOnDemand } from "./postgres/on-demand.js";
import { openSqliteSandbox, type SandboxOptions, type SqliteSandbox } from "./sqlite/sandbox.js";

/** What runs the SQL of records of either engine. A SQLite sandbox alone is one that has no PostgreSQL. */
export interface SqlEngines extends SqliteSandbox {
  readonly postgres?: PostgresOnDemand;
}

/**
 * A SQLite sandbox, and a PostgreSQL that is started when a record needs it: DATABASE_URL if that is set, else the
 * embedded server.
 */
export function openSqlEngines(options: SandboxOptions = {}): SqlEngines & { postgres: PostgresOnDemand } {
  const sandbox = openSqliteSandbox(options);
  const width = options.children === undefined ? {} : { width: options.children };
  const postgres = postgresOnDemand({ url: process.env.DATABASE_URL, ...width });
  return {
    ...sandbox,
    postgres,
    async close() {
      await Promise.all([sandbox.close(), postgres.close()]);
    },
  };
}
