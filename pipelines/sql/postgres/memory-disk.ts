import { existsSync, readFileSync, statfsSync, statSync } from "node:fs";
import { freemem } from "node:os";

/** Linux's file system in memory, which every program may use. */
const PLACE = "/dev/shm";
/** What must be free, of that file system and of memory, before databases are kept there. */
const NEEDED_BYTES = 8 * 1024 ** 3;

/** Whether a mount point is a tmpfs from which programs may be run (`/proc/self/mounts`: device, place, type, options). */
function mountedForPrograms(mounts: string): boolean {
  // A place that is mounted over counts as what was mounted last.
  const mount = mounts
    .split("\n")
    .map((line) => line.split(" "))
    .findLast(([, place]) => place === PLACE);
  const [, , type, options = ""] = mount ?? [];
  const set = options.split(",");
  return type === "tmpfs" && set.includes("rw") && !set.includes("noexec");
}

/**
 * A folder in memory for servers' databases, where this machine has room for it; else undefined. They are scratch: each is
 * loaded from a dump, copied for a task and dropped. On a disk with ext4 every copy of a database looks for the hundreds of
 * inodes that the one before it has just freed, and takes several times as long. A person's TMPDIR is left alone.
 *
 * @param mounts the text of `/proc/self/mounts`
 */
export function memoryDisk(
  mounts = existsSync("/proc/self/mounts") ? readFileSync("/proc/self/mounts", "utf8") : "",
): string | undefined {
  if (process.env.TMPDIR !== undefined || !mountedForPrograms(mounts)) return undefined;
  if ((statSync(PLACE).mode & 0o002) === 0) return undefined;
  const { bavail, bsize } = statfsSync(PLACE);
  // 0 where no limit is known, such as that of a container.
  const limit = process.constrainedMemory() || Number.POSITIVE_INFINITY;
  return Math.min(bavail * bsize, freemem(), limit) >= NEEDED_BYTES ? PLACE : undefined;
}
