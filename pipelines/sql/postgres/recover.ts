import { readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import type { Account } from "./binaries.js";
import { processIdentity, processSpace } from "./identity.js";

export const FOLDER_PREFIX = "ambitab-postgres-";
const OWNER = "owner";

/** Writes down which process a server's folder belongs to, and where numbers of processes mean what they mean here. */
export function writeOwner(folder: string): void {
  writeFileSync(join(folder, OWNER), `${processIdentity(process.pid) ?? process.pid}\n${processSpace()}\n`);
}

function linesOf(path: string): string[] {
  try {
    return readFileSync(path, "utf8").split("\n");
  } catch {
    return [];
  }
}

function ownerLives(folder: string): boolean {
  const [owner = "", space] = linesOf(join(folder, OWNER));
  // A folder without a name in it is either being made at this moment or a rest of one that was being removed.
  if (owner === "") return Date.now() - statSync(folder).mtimeMs < 60_000;
  // Containers may share a temporary directory: what lives in another cannot be seen from here.
  if (space !== processSpace()) return true;
  return processIdentity(Number(owner.split(" ")[0])) === owner;
}

/** The server that runs on a folder, if the process of that number is one and is the account's. */
function serverOn(folder: string, uid: number): number | undefined {
  const pid = Number(linesOf(join(folder, "data", "postmaster.pid"))[0]);
  if (!Number.isInteger(pid) || pid <= 1) return undefined;
  try {
    const command = readFileSync(`/proc/${pid}/cmdline`, "utf8");
    return command.includes(folder) && statSync(`/proc/${pid}`).uid === uid ? pid : undefined;
  } catch {
    // Without /proc the file's word has to do; the signal reaches our own processes only, unless we are root.
    return process.platform === "linux" || uid !== process.getuid?.() ? undefined : pid;
  }
}

async function end(pid: number): Promise<void> {
  // Immediate shutdown: what the server holds is thrown away.
  for (const signal of ["SIGQUIT", "SIGKILL"] as const) {
    try {
      process.kill(pid, signal);
    } catch {
      return;
    }
    for (let tries = 0; tries < 50 && processIdentity(pid) !== undefined; tries++) await wait(20);
  }
}

/**
 * Ends servers and removes folders that killed runs have left. A server is ended by its supervisor when its run dies
 * (embedded.ts); this is for what remains when the supervisor was killed too. Folders of runs that live, and of other
 * users, are left alone.
 *
 * @param base where servers keep their folders
 * @returns the folders removed
 */
export async function recoverStale(base: string, account: Account | undefined): Promise<string[]> {
  const uid = account?.uid ?? process.getuid?.() ?? -1;
  const removed: string[] = [];
  for (const name of readdirSync(base).sort()) {
    if (!name.startsWith(FOLDER_PREFIX)) continue;
    const folder = join(base, name);
    try {
      if (![uid, process.getuid?.()].includes(statSync(folder).uid) || ownerLives(folder)) continue;
      const pid = serverOn(folder, uid);
      if (pid !== undefined) await end(pid);
      rmSync(folder, { recursive: true, force: true });
      removed.push(folder);
    } catch (error) {
      // Another run, or the supervisor, is removing it at this moment.
      if (!["ENOENT", "ENOTEMPTY", "EPERM", "EACCES"].includes(String((error as { code?: unknown }).code))) {
        throw error;
      }
    }
  }
  return removed;
}
