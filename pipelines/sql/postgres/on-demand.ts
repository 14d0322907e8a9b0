import { readdir, stat } from "node:fs/promises";
import { basename, join } from "node:path";
import { SourceError } from "../../errors.js";
import type { DumpFile, LoadedTemplate, PostgresServer } from "./index.js";

/** A PostgreSQL that is started when somebody first needs one. */
export interface PostgresOnDemand {
  server(): Promise<PostgresServer>;
  /**
   * The template of a dump: one file (`.sql`, `.sql.gz`), or a folder of one file a table. Loaded once.
   *
   * @throws SourceError where the dump is not there or does not load
   */
  template(path: string): Promise<LoadedTemplate>;
  /** Ends it, if it was started. */
  close(): Promise<void>;
}

/** The files of a dump, named for messages by the last parts of their paths. */
async function filesOf(path: string): Promise<DumpFile[]> {
  const there = await stat(path).catch((error: { code?: unknown }) => {
    if (error.code === "ENOENT" || error.code === "ENOTDIR") return undefined;
    throw error;
  });
  if (there === undefined) throw new SourceError({ file: basename(path) }, "the dump is not there");
  if (!there.isDirectory()) return [{ path, name: basename(path) }];
  const names = (await readdir(path)).filter((name) => /\.sql(?:\.gz)?$/.test(name)).sort();
  if (names.length === 0) throw new SourceError({ file: basename(path) }, "the folder holds no .sql file");
  return names.map((name) => ({ path: join(path, name), name: `${basename(path)}/${name}` }));
}

/**
 * @param options see openPostgres; the driver is loaded with the server, so that a run without PostgreSQL pays nothing
 */
export function postgresOnDemand(
  options: { url?: string | undefined; width?: number } = {},
): PostgresOnDemand {
  let opening: Promise<PostgresServer> | undefined;
  const templates = new Map<string, Promise<LoadedTemplate>>();
  const server = () => {
    opening ??= import("./index.js").then(({ openPostgres }) => openPostgres(options));
    return opening;
  };
  return {
    server,
    template(path) {
      let loading = templates.get(path);
      if (loading === undefined) {
        loading = filesOf(path).then(async (files) => (await server()).loadTemplate(basename(path), files));
        templates.set(path, loading);
        loading.catch(() => undefined);
      }
      return loading;
    },
    async close() {
      // One that never came up has said so to whoever asked for it.
      const opened = await opening?.catch(() => undefined);
      await opened?.close();
    },
  };
}
