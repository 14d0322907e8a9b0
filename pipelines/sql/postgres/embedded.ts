import { type ChildProcess, execFile, spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { chownSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { UserError } from "../../errors.js";
import { type Account, programsFor, serverAccount, serversFolder } from "./binaries.js";
import { FOLDER_PREFIX, recoverStale, writeOwner } from "./recover.js";

/** A server of our own, and how to reach it as its superuser. */
export interface EmbeddedServer {
  readonly host: string;
  readonly port: number;
  readonly user: string;
  readonly password: string;
  /** Settles when the server has ended for whatever reason. */
  readonly ended: Promise<void>;
  /** Ends the server and removes its folder. */
  close(): Promise<void>;
}

const SUPERUSER = "ambitab_admin";
const READY_LIMIT_MS = 30_000;

/**
 * Nothing the server holds outlives it, so nothing is synced to disk. No autovacuum: it would hold templates open and
 * change statistics while tasks run. What decides a plan is in session.ts, for any server.
 */
const SETTINGS: Record<string, string> = {
  listen_addresses: "",
  max_connections: "64",
  shared_buffers: "64MB",
  fsync: "off",
  synchronous_commit: "off",
  full_page_writes: "off",
  wal_level: "minimal",
  max_wal_senders: "0",
  max_wal_size: "256MB",
  min_wal_size: "80MB",
  autovacuum: "off",
  max_worker_processes: "0",
  // In the server's own folder: what a killed server leaves goes with that.
  dynamic_shared_memory_type: "mmap",
  // A client that is gone is noticed while its statement runs.
  client_connection_check_interval: "1s",
  log_min_messages: "log",
  log_min_error_statement: "panic",
  log_checkpoints: "off",
};

/**
 * Starts the server and waits beside it: descriptor 3 is a pipe that nobody writes to and that ends when our process
 * does, also when that is killed. Then the server is ended at once and its folder removed. `ulimit -v` bounds the memory
 * of each backend, so that a statement which asks for more gets an error; macOS has no such limit and goes without.
 */
const SUPERVISOR = `
folder=$1; memory=$2; shift 2
ulimit -v "$memory" 2>/dev/null
"$@" </dev/null 3<&- &
server=$!
( read -r _ <&3; kill -QUIT "$server" 2>/dev/null ) >/dev/null 2>&1 &
wait "$server"
exec 2>/dev/null
rm -rf "$folder"
`;

/** Bytes of address space that a backend has at its start: the shared memory, the program and its libraries. */
const BACKEND_BASE_BYTES = 320 * 1024 * 1024;

async function initialise(
  programs: string,
  folder: string,
  password: string,
  account: Account | undefined,
): Promise<void> {
  const passwordFile = join(folder, "password");
  writeFileSync(passwordFile, `${password}\n`, { mode: 0o600 });
  if (account !== undefined) chownSync(passwordFile, account.uid, account.gid);
  const options = [
    `--pgdata=${join(folder, "data")}`,
    `--username=${SUPERUSER}`,
    `--pwfile=${passwordFile}`,
    "--auth=scram-sha-256",
    "--encoding=UTF8",
    // Text sorts as in the official image (en_US), by the ICU that the package brings: the same on every machine.
    "--locale=C",
    "--locale-provider=icu",
    "--icu-locale=en-US",
    "--no-sync",
    "--no-instructions",
  ];
  try {
    const settings = { ...account, cwd: "/", env: environment(), timeout: READY_LIMIT_MS * 2 };
    await promisify(execFile)(join(programs, "initdb"), options, settings);
  } catch (cause) {
    const { stderr = "" } = cause as { stderr?: string };
    const reason = stderr.trim().split("\n")[0] || (cause as Error).message;
    throw new UserError(`the embedded PostgreSQL could not be prepared: ${reason}`, {
      remedy: "look for room and rights in the temporary folder, or set DATABASE_URL",
      cause,
    });
  } finally {
    rmSync(passwordFile, { force: true });
  }
}

/** No setting of the person's shell decides anything. */
const environment = () => ({ PATH: process.env.PATH ?? "/usr/bin:/bin", LC_ALL: "C", TZ: "UTC" });

function supervise(
  programs: string,
  folder: string,
  memoryBytes: number,
  account: Account | undefined,
): { child: ChildProcess; lifeline: Socket } {
  const settings = { ...SETTINGS, unix_socket_directories: folder };
  const child = spawn(
    "/bin/sh",
    [
      "-c",
      SUPERVISOR,
      "ambitab-postgres",
      folder,
      String(Math.ceil((BACKEND_BASE_BYTES + memoryBytes) / 1024)),
      join(programs, "postgres"),
      "-D",
      join(folder, "data"),
      ...Object.entries(settings).flatMap(([name, value]) => ["-c", `${name}=${value}`]),
    ],
    // A session of its own: a Ctrl-C in the terminal is for us, and we end it in order.
    { ...account, cwd: "/", env: environment(), detached: true, stdio: ["ignore", "ignore", "pipe", "pipe"] },
  );
  const lifeline = child.stdio[3];
  if (!(lifeline instanceof Socket))
    throw new UserError("the embedded PostgreSQL could not be started: no pipes");
  lifeline.on("error", () => undefined);
  return { child, lifeline };
}

function untilReady(child: ChildProcess): Promise<void> {
  return new Promise((resolve, reject) => {
    let log = "";
    const fail = (why: string) => {
      clearTimeout(limit);
      const said = /(?:FATAL|ERROR|PANIC):\s*(.+)/.exec(log)?.[1] ?? log.trim().split("\n").at(-1) ?? "";
      reject(
        new UserError(`the embedded PostgreSQL did not start (${why}${said === "" ? "" : `: ${said}`})`, {
          remedy: "set DATABASE_URL to a server that may be used",
        }),
      );
    };
    const limit = setTimeout(() => fail(`not ready after ${READY_LIMIT_MS / 1000} s`), READY_LIMIT_MS);
    child.stderr?.on("data", (chunk: Buffer) => {
      log = (log + chunk.toString()).slice(-4000);
      if (!log.includes("ready to accept connections")) return;
      clearTimeout(limit);
      resolve();
    });
    child.once("error", (error) => fail(error.message));
    child.once("exit", (code, signal) => fail(signal ?? `exit code ${code}`));
  });
}

/**
 * Starts a PostgreSQL of our own: a fresh cluster in a folder of the temporary directory, reachable over a Unix socket in
 * that folder and with a random password only. It ends with our process, however that ends, and leaves nothing behind.
 *
 * @param memoryBytes what each backend may allocate beyond what it starts with
 */
export async function startEmbedded(memoryBytes: number): Promise<EmbeddedServer> {
  const account = serverAccount();
  const base = serversFolder(account);
  // One that was killed may have kept its folder in the other place.
  for (const place of new Set([base, tmpdir()])) await recoverStale(place, account);
  const folder = mkdtempSync(join(base, FOLDER_PREFIX));
  try {
    writeOwner(folder);
    if (account !== undefined) chownSync(folder, account.uid, account.gid);
    const programs = await programsFor(account, folder);
    const password = randomBytes(24).toString("hex");
    await initialise(programs, folder, password, account);
    const { child, lifeline } = supervise(programs, folder, memoryBytes, account);
    const ended = new Promise<void>((resolve) => {
      child.once("exit", () => resolve());
      child.once("error", () => resolve());
    });
    // What waits at the pipe must not outlast a server that ended by itself.
    void ended.then(() => lifeline.destroy());
    const close = async () => {
      for (const stream of [lifeline, child.stderr]) if (stream instanceof Socket) stream.ref();
      child.ref();
      lifeline.destroy();
      await ended;
      rmSync(folder, { recursive: true, force: true });
    };
    try {
      await untilReady(child);
    } catch (error) {
      await close();
      throw error;
    }
    // A forgotten server keeps nobody's program from ending.
    child.unref();
    for (const stream of [lifeline, child.stderr]) if (stream instanceof Socket) stream.unref();
    return { host: folder, port: 5432, user: SUPERUSER, password, ended, close };
  } catch (error) {
    rmSync(folder, { recursive: true, force: true });
    throw error;
  }
}
