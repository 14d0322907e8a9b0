import { createHash } from "node:crypto";
import PQueue from "p-queue";
import { SqlError } from "../../errors.js";
import type { SchemaDescription } from "../describe.js";
import { DEFAULT_LIMITS, type Execution, type Limits } from "../execution.js";
import { Administration } from "./administration.js";
import { addressOf } from "./connection.js";
import { type DumpFile, readDump } from "./dump/read.js";
import { type EmbeddedServer, startEmbedded } from "./embedded.js";
import { LostConnection } from "./session.js";
import { readState } from "./state.js";
import type { Isolation, PostgresRun, TaskSession } from "./task-session.js";
import { type LoadedTemplate, makeTemplate, type Template } from "./template.js";
import { WorkDatabases } from "./work-databases.js";

export interface PostgresOptions {
  /** A server that is there (DATABASE_URL); without it one is started, and ended with this program. */
  url?: string | undefined;
  /** Limits for statements that do not name their own. */
  limits?: Partial<Limits>;
  /** Tasks at once; others wait. Default 4. */
  width?: number;
  /** Bytes that a task's database, and its temporary files, may grow before it is stopped. Default 1 GiB. */
  diskGrowth?: number;
}

const DISK_GROWTH = 1024 ** 3;

export interface PostgresServer {
  /** Loads a dump's files, in any order, or finds the template of a load with the same bytes. */
  loadTemplate(name: string, files: readonly DumpFile[]): Promise<LoadedTemplate>;
  /** Runs a task's statements in a database of the template and says how they ended. */
  run(request: PostgresRun): Promise<Execution>;
  /**
   * Gives a session on a database of the template for as long as `use` runs. Where the server loses the session without
   * our doing, `use` is run again on a fresh one, at most twice; then its statements end in errors.
   */
  withDatabase<Result>(
    template: string,
    isolation: Isolation,
    use: (session: TaskSession) => Promise<Result>,
  ): Promise<Result>;
  /** Tables, columns, keys and views of a template, as describeSqlite tells them of a file. */
  describe(template: string): SchemaDescription;
  /** As the server says it: `15.18`. */
  version(): Promise<string>;
  /** Removes what is this run's; ends the server, if it was started here. */
  close(): Promise<void>;
}

const LOSSES = 2;
/** What makes a read-only run be done again in a database of its own. */
const NEEDS_CLONE = new Set(["write", "several_statements"]);

class Server implements PostgresServer {
  readonly #administration: Administration;
  readonly #embedded: EmbeddedServer | undefined;
  readonly #work: WorkDatabases;
  readonly #queue: PQueue;
  readonly #templates = new Map<string, Promise<Template>>();
  readonly #known = new Map<string, Template>();
  #closed = false;

  constructor(
    administration: Administration,
    embedded: EmbeddedServer | undefined,
    options: PostgresOptions,
  ) {
    this.#administration = administration;
    this.#embedded = embedded;
    this.#work = new WorkDatabases(administration, options.limits ?? {});
    this.#queue = new PQueue({ concurrency: options.width ?? 4 });
  }

  async loadTemplate(name: string, files: readonly DumpFile[]): Promise<LoadedTemplate> {
    const scripts = await Promise.all(files.map(readDump));
    const key = createHash("sha256")
      .update(scripts.map(({ sha256 }) => sha256).join("\n"))
      .digest("hex");
    let loading = this.#templates.get(key);
    if (loading === undefined) {
      loading = makeTemplate(this.#administration, name, scripts);
      this.#templates.set(key, loading);
      // A failed load is not remembered: the file may be mended.
      loading.catch(() => this.#templates.delete(key));
    }
    const template = await loading;
    this.#known.set(template.template, template);
    return { template: template.template, tables: template.tables, left_out: template.left_out };
  }

  describe(template: string): SchemaDescription {
    return this.#template(template).schema;
  }

  version(): Promise<string> {
    return this.#administration.version();
  }

  async run(request: PostgresRun): Promise<Execution> {
    const isolation = request.isolation ?? "rollback";
    const setup = request.setup ?? [];
    const cleanup = request.cleanup ?? [];
    if (isolation === "rollback" && setup.length === 0 && cleanup.length === 0) {
      const execution = await this.#attempt(request, "rollback");
      if (execution.outcome !== "refused" || !NEEDS_CLONE.has(execution.reason)) return execution;
    }
    return this.#attempt(request, "clone");
  }

  withDatabase<Result>(
    template: string,
    isolation: Isolation,
    use: (session: TaskSession) => Promise<Result>,
  ): Promise<Result> {
    this.#template(template);
    return this.#queue.add(() => this.#withDatabase(template, isolation, use));
  }

  async close(): Promise<void> {
    if (this.#closed) return;
    this.#closed = true;
    this.#queue.clear();
    await this.#work.close();
    await this.#administration.close(this.#embedded === undefined);
    await this.#embedded?.close();
  }

  #template(name: string): Template {
    const template = this.#known.get(name);
    if (template === undefined) throw new SqlError(`there is no template ${name}: load it first`);
    return template;
  }

  #attempt({ template, statements, setup, cleanup, limits, take }: PostgresRun, isolation: Isolation) {
    const options = { ...(limits !== undefined && { limits }), ...(take !== undefined && { take }) };
    return this.withDatabase(template, isolation, async (session): Promise<Execution> => {
      for (const sql of setup ?? []) await session.exec(sql, options);
      let last: Execution = {
        outcome: "refused",
        reason: "empty",
        message: "there is no statement",
        duration_ms: 0,
        rewrites: [],
      };
      for (const sql of statements) {
        last = await session.exec(sql, options);
        if (last.outcome !== "rows") break;
      }
      for (const sql of cleanup ?? []) await session.exec(sql, options);
      return last;
    });
  }

  async #withDatabase<Result>(
    template: string,
    isolation: Isolation,
    use: (session: TaskSession) => Promise<Result>,
  ): Promise<Result> {
    for (let losses = 0; ; losses++) {
      const kept = await this.#work.take(template, isolation);
      const { database, session } = kept;
      session.losesQuietly = losses === LOSSES;
      const readStateNow = async (limits: Partial<Limits> = DEFAULT_LIMITS) => {
        const reader = await this.#work.connect(database, "clone");
        try {
          return await readState(reader, limits);
        } finally {
          await reader.close();
        }
      };
      try {
        return await use(Object.assign(session, { state: readStateNow, address: database.address }));
      } catch (error) {
        if (!(error instanceof LostConnection) || losses === LOSSES) throw error;
      } finally {
        this.#work.giveBack(template, kept);
      }
    }
  }
}

/**
 * Opens a PostgreSQL for untrusted SQL (spec 9): the server of `url`, or one of our own. Every run on it has its own
 * databases and roles, and takes them away again.
 *
 * @example
 * const server = await openPostgres({ url: process.env.DATABASE_URL });
 * const { template } = await server.loadTemplate("alien", [{ path: "alien.sql" }]);
 * const execution = await server.run({ template, statements: ["SELECT count(*) FROM signals"] });
 * if (execution.outcome === "rows") console.log(execution.rows); // [["i1000"]]
 * await server.close();
 */
export async function openPostgres(options: PostgresOptions = {}): Promise<PostgresServer> {
  const { url } = options;
  const memory = options.limits?.maxMemoryBytes ?? DEFAULT_LIMITS.maxMemoryBytes;
  const embedded = url === undefined || url === "" ? await startEmbedded(memory) : undefined;
  try {
    const address = embedded === undefined ? addressOf(url ?? "") : { ...embedded, database: "postgres" };
    return new Server(
      await Administration.open(address, options.diskGrowth ?? DISK_GROWTH),
      embedded,
      options,
    );
  } catch (error) {
    await embedded?.close();
    throw error;
  }
}
