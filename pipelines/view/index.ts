/** `ambitab view`: a local page to look through a build or release, its lineage, and the episodes of runs. */
import type { AddressInfo } from "node:net";
import { createAdaptorServer } from "@hono/node-server";
import { UserError } from "../errors.js";
import { openSuite } from "../record/suite.js";
import { openSqlEngines } from "../sql/engines.js";
import { viewApp } from "./app.js";
import { type BrokenLine, holdsPrivate, openCatalogue } from "./read/catalogue.js";
import { openLineage } from "./read/lineage.js";
import { type OpenRun, openRun } from "./read/runs.js";

export interface ViewOptions {
  /** A release, a build's folder, or the folder that holds several. */
  readonly path: string;
  /** Folders of runs. */
  readonly runs: readonly string[];
  /** 0 takes a free one. */
  readonly port: number;
  /** Hears of refused requests and of pages that fail. */
  readonly say?: (text: string) => void;
}

export interface View {
  /** `http://127.0.0.1:4747/` */
  readonly url: string;
  readonly records: number;
  /** Whether private zones are shown. */
  readonly holdsPrivate: boolean;
  readonly broken: readonly BrokenLine[];
  /** Ends connections, processes and the server. */
  close(): Promise<void>;
}

/** Only this machine; IPv4, because every browser tries it for `localhost`. */
const LOOPBACK = "127.0.0.1";

/**
 * Reads what is to be viewed and serves it on the loopback interface until it is closed.
 *
 * @throws UserError where there is no build, release or run, or the port is taken
 */
export async function serveView({
  path,
  runs: folders,
  port,
  say = () => undefined,
}: ViewOptions): Promise<View> {
  const suite = openSuite(path);
  const runs: OpenRun[] = [];
  for (const folder of folders) runs.push(openRun(folder, new Set(runs.map(({ name }) => name))));
  const catalogue = await openCatalogue(suite);
  const engines = openSqlEngines({ children: 2 });
  const { fetch } = viewApp({ catalogue, lineage: openLineage(suite), runs, engines }, say);
  const server = createAdaptorServer({ fetch, hostname: LOOPBACK });
  await new Promise<void>((resolve, reject) => {
    server.once("error", (error: NodeJS.ErrnoException) => {
      const taken = error.code === "EADDRINUSE" || error.code === "EACCES";
      const remedy = "choose another with --port N; 0 takes any that is free";
      reject(
        taken ? new UserError(`port ${port} cannot be had: ${error.code}`, { remedy, cause: error }) : error,
      );
    });
    server.listen(port, LOOPBACK, resolve);
  });
  const { port: taken } = server.address() as AddressInfo;
  return {
    url: `http://${LOOPBACK}:${taken}/`,
    records: catalogue.entries.length,
    holdsPrivate: holdsPrivate(suite),
    broken: catalogue.broken,
    async close() {
      const ended = new Promise<void>((resolve) => server.close(() => resolve()));
      if ("closeAllConnections" in server) server.closeAllConnections();
      await Promise.all([ended, engines.close()]);
    },
  };
}
