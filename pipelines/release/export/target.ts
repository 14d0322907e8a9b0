import { existsSync, mkdirSync, readdirSync, renameSync, rmSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import { UserError } from "../../errors.js";

/** Whether a process of that id runs; one of another user counts. */
function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as { code?: string }).code === "EPERM";
  }
}

/** Takes away what exports to this place that were killed had begun. */
function clearLeftovers(parent: string, name: string): void {
  if (!existsSync(parent)) return;
  for (const entry of readdirSync(parent)) {
    if (!entry.startsWith(`.${name}.`) || !entry.endsWith(".partial")) continue;
    const pid = entry.slice(name.length + 2, -".partial".length);
    if (/^\d+$/.test(pid) && !isAlive(Number(pid)))
      rmSync(join(parent, entry), { recursive: true, force: true });
  }
}

/** @throws UserError when something is there already, be it an empty folder */
function refuseToOverwrite(target: string): void {
  if (existsSync(target)) {
    throw new UserError(`${target} is there already, and an export overwrites nothing`, {
      remedy: "name a folder that is not there yet",
    });
  }
}

/**
 * Makes a folder as a whole or not at all: `write` fills a folder beside it, which takes the name at the end. What a killed
 * process left is cleared by the next export to the same place.
 *
 * @returns the folder's absolute path
 * @throws UserError when it is there already
 */
export async function wholeFolder(to: string, write: (work: string) => Promise<void>): Promise<string> {
  const target = resolve(to);
  refuseToOverwrite(target);
  const [parent, name] = [dirname(target), basename(target)];
  clearLeftovers(parent, name);
  const work = join(parent, `.${name}.${process.pid}.partial`);
  try {
    mkdirSync(work, { recursive: true });
    await write(work);
    // Once more: another process may have put its own there in the meantime.
    refuseToOverwrite(target);
    renameSync(work, target);
    return target;
  } catch (error) {
    rmSync(work, { recursive: true, force: true });
    throw error;
  }
}
