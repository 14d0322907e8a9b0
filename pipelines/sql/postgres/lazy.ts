import type { PostgresOptions, PostgresServer } from "./server.js";

/** A server that is not opened before somebody asks for it. */
export interface LazyPostgres {
  get(): Promise<PostgresServer>;
  /** Closes it, if it was ever asked for. */
  close(): Promise<void>;
}

/**
 * The server of DATABASE_URL, else one of our own, opened at the first call of `get`: most work needs none, and then not
 * even the driver is loaded.
 */
export function lazyPostgres(options: Omit<PostgresOptions, "url"> = {}): LazyPostgres {
  let server: Promise<PostgresServer> | undefined;
  const open = async (): Promise<PostgresServer> => {
    const { openPostgres } = await import("./index.js");
    return openPostgres({ ...options, url: process.env.DATABASE_URL });
  };
  return {
    get() {
      server ??= open();
      return server;
    },
    async close() {
      const opened = await server?.catch(() => undefined);
      server = undefined;
      await opened?.close();
    },
  };
}
