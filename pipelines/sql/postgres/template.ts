import type pg from "pg";
import { SourceError } from "../../errors.js";
import type { SchemaDescription } from "../describe.js";
import type { Administration, WorkDatabase } from "./administration.js";
import { openClient } from "./connection.js";
import { describePostgres, listRelations } from "./describe.js";
import { type LeftOut, type Loaded, loadDump } from "./dump/load.js";
import type { DumpScript } from "./dump/read.js";

/** A loaded dump, from which databases are cloned. */
export interface LoadedTemplate {
  /** The name to give to `run`, `withDatabase` and `describe`. */
  template: string;
  /** Rows of each table, as counted after the load. */
  tables: { name: string; rows: number }[];
  /** Statements about the server that the dump came from, not run here. */
  left_out: LeftOut[];
}

export interface Template extends LoadedTemplate {
  readonly database: WorkDatabase;
  readonly schema: SchemaDescription;
}

/** A load that has not ended by then is stuck: dumps are untrusted SQL too. */
const LOAD_LIMIT_MS = 30 * 60_000;

/** Table as written → rows now; a name that stands for no table any more is left out. */
async function countFilled(client: pg.Client, written: Iterable<string>): Promise<Map<string, number>> {
  const counts = new Map<string, number>();
  for (const name of written) {
    const found = await client.query<{ partitioned: boolean | null }>(
      "SELECT relkind = 'p' AS partitioned FROM pg_class WHERE oid = to_regclass($1)",
      [name],
    );
    const [table] = found.rows;
    if (table === undefined) continue;
    const counted = await client.query<{ rows: string }>(
      `SELECT count(*) AS rows FROM ${table.partitioned ? "" : "ONLY "}${name}`,
    );
    counts.set(name, Number(counted.rows[0]?.rows));
  }
  return counts;
}

/** What the server took must be what is there: a trigger or a rule of the dump may have swallowed rows. */
async function checkCounts(client: pg.Client, loaded: Loaded, file: string): Promise<void> {
  if (loaded.unaccountable) return;
  // As one table may be written in several ways, first what is there.
  const counts = await countFilled(client, loaded.filled.keys());
  const byTable = new Map<string, { put: number; there: number }>();
  for (const [name, put] of loaded.filled) {
    const there = counts.get(name);
    if (there === undefined) continue;
    const key = name.replace(/^"?public"?\s*\.\s*/i, "").replace(/^"([a-z_][a-z0-9_]*)"$/, "$1");
    const known = byTable.get(key);
    byTable.set(key, { put: put + (known?.put ?? 0), there });
  }
  for (const [name, { put, there }] of byTable) {
    if (put !== there) {
      throw new SourceError({ file }, `table ${name} was given ${put} rows and holds ${there}`);
    }
  }
}

async function countTables(client: pg.Client): Promise<LoadedTemplate["tables"]> {
  const tables: LoadedTemplate["tables"] = [];
  for (const { name, qualified, view } of await listRelations(client)) {
    if (view) continue;
    const { rows } = await client.query<{ rows: string }>(`SELECT count(*) AS rows FROM ${qualified}`);
    tables.push({ name, rows: Number(rows[0]?.rows) });
  }
  return tables;
}

/**
 * Loads a dump into a database of its own, as a role that may do no more than a task's: a dump is untrusted SQL.
 *
 * @throws SourceError at what cannot be loaded; nothing of the database is left then
 */
export async function makeTemplate(
  administration: Administration,
  name: string,
  scripts: readonly DumpScript[],
): Promise<Template> {
  const database = await administration.create("template0", "template");
  try {
    await administration.prepare(database);
    const loaded = await inSession(administration, database, (client) => loadDump(client, scripts));
    // Anew, because a dump empties the search path and more.
    return await inSession(administration, database, async (client) => {
      await checkCounts(client, loaded, scripts.map(({ file }) => file)[0] ?? name);
      const schema = await describePostgres(client);
      const tables = await countTables(client);
      if (tables.length === 0) {
        throw new SourceError({ file: scripts[0]?.file ?? name }, "the dump makes no table");
      }
      // So that plans, and with them the order of rows that no ORDER BY fixes, are the same for every clone.
      await client.query("ANALYZE");
      return { template: database.address.database, tables, left_out: loaded.left_out, database, schema };
    });
  } catch (error) {
    await administration.drop(database);
    throw error;
  }
}

/** A session in the owners' role: what the dump makes is then every later login's, which are its members. */
async function inSession<Result>(
  { run, owner }: Administration,
  { address }: WorkDatabase,
  use: (client: pg.Client) => Promise<Result>,
): Promise<Result> {
  const client = await openClient(address, { name: run, settings: { role: owner } });
  const limit = setTimeout(() => client.connection.stream.destroy(), LOAD_LIMIT_MS);
  try {
    return await use(client);
  } finally {
    clearTimeout(limit);
    await client.end().catch(() => undefined);
  }
}
