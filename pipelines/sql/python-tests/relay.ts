import { chownSync, mkdtempSync, rmSync } from "node:fs";
import { connect, createServer, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Address } from "../postgres/index.js";

/** A folder with a socket in it that leads to the database server and nowhere else. */
export interface Relay {
  readonly folder: string;
  close(): void;
}

const PORT = 5432;
/** The account of nobody, under which no file of ours can be read. */
export const NOBODY = 65534;

/**
 * Lets a program that has no network, and no right to the server's own folder, reach the server: a Unix socket in a folder
 * of its own, whose bytes are passed on. The password still decides what it may do there.
 */
export async function openRelay({ host, port }: Address, account: boolean): Promise<Relay> {
  const folder = mkdtempSync(join(tmpdir(), "ambitab-tests-"));
  const sockets = new Set<Socket>();
  const server = createServer((near) => {
    const far = host.startsWith("/")
      ? connect({ path: join(host, `.s.PGSQL.${port}`) })
      : connect({ host, port });
    for (const [socket, other] of [
      [near, far],
      [far, near],
    ] as const) {
      sockets.add(socket);
      socket.on("error", () => other.destroy());
      socket.on("close", () => {
        sockets.delete(socket);
        other.destroy();
      });
      socket.pipe(other);
    }
  });
  const path = join(folder, `.s.PGSQL.${PORT}`);
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(path, resolve);
  });
  if (account) for (const one of [folder, path]) chownSync(one, NOBODY, NOBODY);
  return {
    folder,
    close() {
      for (const socket of sockets) socket.destroy();
      server.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
