import { randomBytes } from "node:crypto";
import pg from "pg";
import { SqlError, UserError } from "../../errors.js";
import { quoteIdentifier, quoteLiteral } from "../text/shape.js";
import { type Address, keepAwake, openClient, shownAddress } from "./connection.js";
import type { Steward } from "./steward.js";

/** All our databases and roles begin so: then the run's name, then what it is. */
const PREFIX = "ambitab_";
const CONNECTIONS = 4;
const OLDEST_SERVER = 150_000;

/** A database of one session: a login that may enter this database only, and dies with it. */
export interface WorkDatabase {
  readonly address: Address;
}

/**
 * What is done as the server's administrator: databases and roles of this run. Nothing of a task ever runs with these
 * rights, and no administrator's session ever enters a database that a task has changed.
 */
export class Administration implements Steward {
  readonly growth: number;
  /** The name of this run on the server. */
  readonly run: string;
  readonly #address: Address;
  readonly #pool: pg.Pool;
  /** Held for as long as the run lasts: other runs tell by it that this one lives (`recover`). */
  readonly #presence: pg.Client;
  /** Owns what dumps create; every login of a task or a load is a member. */
  readonly owner: string;
  readonly #superuser: boolean;
  #count = 0;

  private constructor(
    address: Address,
    run: string,
    presence: pg.Client,
    superuser: boolean,
    growth: number,
  ) {
    this.growth = growth;
    this.#address = address;
    this.run = run;
    this.#presence = presence;
    this.#superuser = superuser;
    this.owner = `${run}_owner`;
    this.#pool = new pg.Pool({
      host: address.host,
      port: address.port,
      user: address.user,
      password: address.password ?? "",
      database: address.database,
      ...(address.ssl !== undefined && { ssl: address.ssl }),
      application_name: run,
      max: CONNECTIONS,
      allowExitOnIdle: true,
    });
    this.#pool.on("error", () => undefined);
  }

  /** @param growth bytes that a session's database, and its temporary files, may grow */
  static async open(address: Address, growth: number): Promise<Administration> {
    const run = `${PREFIX}${randomBytes(5).toString("hex")}`;
    let presence: pg.Client;
    try {
      presence = await openClient(address, { name: run });
    } catch (cause) {
      throw new UserError(
        `the PostgreSQL server at ${shownAddress(address)} cannot be reached: ${(cause as Error).message}`,
        { remedy: "look at DATABASE_URL, or unset it to use the embedded server", cause },
      );
    }
    const { rows } = await presence.query<{ version: number; superuser: boolean; makes: boolean }>(
      `SELECT current_setting('server_version_num')::int AS version, rolsuper AS superuser,
         rolcreatedb AND rolcreaterole AS makes FROM pg_roles WHERE rolname = current_user`,
    );
    const facts = rows[0] ?? { version: 0, superuser: false, makes: false };
    const problem =
      facts.version < OLDEST_SERVER
        ? "is older than PostgreSQL 15"
        : !facts.superuser && !facts.makes
          ? `does not let ${address.user} make databases and roles`
          : undefined;
    if (problem !== undefined) {
      await presence.end();
      throw new UserError(`the PostgreSQL server at ${shownAddress(address)} ${problem}`, {
        remedy:
          "set DATABASE_URL to a superuser of PostgreSQL 15 or newer, or unset it to use the embedded server",
      });
    }
    const administration = new Administration(address, run, presence, facts.superuser, growth);
    await administration.#recover();
    await administration.#query(`CREATE ROLE ${quoteIdentifier(administration.owner)} NOLOGIN`);
    if (!facts.superuser)
      await administration.#query(`GRANT ${quoteIdentifier(administration.owner)} TO CURRENT_USER`);
    keepAwake(presence, false);
    return administration;
  }

  /** A new database from a template of the server's or of ours, with its own login. */
  async create(template: string, kind: "template" | "work"): Promise<WorkDatabase> {
    const name = `${this.run}_${kind}_${++this.#count}`;
    const password = randomBytes(18).toString("hex");
    const [database, owner] = [quoteIdentifier(name), quoteIdentifier(this.owner)];
    await this.#query(
      `CREATE ROLE ${database} LOGIN NOSUPERUSER NOCREATEDB NOCREATEROLE NOREPLICATION NOBYPASSRLS
         PASSWORD ${quoteLiteral(password)} IN ROLE ${owner};
       ${this.#superuser ? `ALTER ROLE ${database} SET temp_file_limit = ${Math.ceil(this.growth / 1024)}` : ""}`,
    );
    await this.#query(`CREATE DATABASE ${database} TEMPLATE ${quoteIdentifier(template)} STRATEGY FILE_COPY`);
    await this.#query(
      `REVOKE ALL ON DATABASE ${database} FROM PUBLIC;
       GRANT CONNECT, CREATE, TEMPORARY ON DATABASE ${database} TO ${owner}`,
    );
    return { address: { ...this.#address, user: name, password, database: name } };
  }

  /** Before a dump is loaded, while nothing untrusted is in the database: its schema is given to the loads' role. */
  async prepare({ address }: WorkDatabase): Promise<void> {
    const client = await openClient({ ...this.#address, database: address.database }, { name: this.run });
    try {
      await client.query(`ALTER SCHEMA public OWNER TO ${quoteIdentifier(this.owner)}`);
      // Writes to the log of changes without bound, and has no use in a query.
      if (this.#superuser) {
        await client.query(
          `REVOKE EXECUTE ON FUNCTION pg_logical_emit_message(boolean, text, text),
             pg_logical_emit_message(boolean, text, bytea) FROM PUBLIC`,
        );
      }
    } finally {
      await client.end();
    }
  }

  /** Ends the sessions of a database and removes it with its login. */
  async drop({ address }: WorkDatabase): Promise<void> {
    await this.#query(`DROP DATABASE IF EXISTS ${quoteIdentifier(address.database)} WITH (FORCE)`);
    await this.#query(`DROP ROLE IF EXISTS ${quoteIdentifier(address.user)}`);
  }

  async cancel(backend: number): Promise<void> {
    await this.#query(`SELECT pg_cancel_backend(${backend})`);
  }

  async terminate(backend: number): Promise<void> {
    await this.#query(`SELECT pg_terminate_backend(${backend})`);
  }

  async size(database: string): Promise<number> {
    const rows = await this.#query<{ bytes: string }>(
      `SELECT pg_database_size(oid) AS bytes FROM pg_database WHERE datname = ${quoteLiteral(database)}`,
    );
    return Number(rows[0]?.bytes ?? 0);
  }

  async version(): Promise<string> {
    const rows = await this.#query<{ server_version: string }>("SHOW server_version");
    return rows[0]?.server_version ?? "";
  }

  /** Removes all that is this run's from a server that goes on, and leaves it. */
  async close(remove: boolean): Promise<void> {
    if (remove) await this.#remove(this.run);
    await this.#pool.end();
    keepAwake(this.#presence, true);
    await this.#presence.end();
  }

  /** Removes databases and roles of runs that no session on the server speaks for any more. */
  async #recover(): Promise<void> {
    const rows = await this.#query<{ run: string }>(
      `SELECT DISTINCT substring(name FROM '^${PREFIX}[0-9a-f]{10}') AS run
         FROM (SELECT datname AS name FROM pg_database UNION SELECT rolname FROM pg_roles) AS names
         WHERE name ~ '^${PREFIX}[0-9a-f]{10}_'
           AND NOT EXISTS (SELECT FROM pg_stat_activity WHERE application_name = substring(name FROM '^${PREFIX}[0-9a-f]{10}'))
         ORDER BY 1`,
    );
    for (const { run } of rows) await this.#remove(run);
  }

  async #remove(run: string): Promise<void> {
    const like = quoteLiteral(`^${run}_`);
    const databases = await this.#query<{ name: string }>(
      `SELECT datname AS name FROM pg_database WHERE datname ~ ${like} ORDER BY 1`,
    );
    for (const { name } of databases) {
      await this.#query(`DROP DATABASE IF EXISTS ${quoteIdentifier(name)} WITH (FORCE)`);
    }
    const roles = await this.#query<{ name: string }>(
      `SELECT rolname AS name FROM pg_roles WHERE rolname ~ ${like} ORDER BY rolname LIKE '%owner', 1`,
    );
    for (const { name } of roles) await this.#query(`DROP ROLE IF EXISTS ${quoteIdentifier(name)}`);
  }

  /** Our own SQL on the maintenance database: what fails here is no task's fault. */
  async #query<Found extends pg.QueryResultRow>(sql: string): Promise<Found[]> {
    try {
      return (await this.#pool.query<Found>(sql)).rows;
    } catch (cause) {
      throw new SqlError(`PostgreSQL at ${shownAddress(this.#address)}: ${(cause as Error).message}`, {
        sql,
        cause,
      });
    }
  }
}
