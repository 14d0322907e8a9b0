import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import { readFile } from "node:fs/promises";

/** A size in bytes from the text of a /proc status file: `VmRSS` is the resident size now, `VmHWM` its peak. */
function sizeIn(status: string, field: "VmRSS" | "VmHWM"): number | undefined {
  const kibibytes = new RegExp(`^${field}:\\s+(\\d+) kB$`, "m").exec(status)?.[1];
  return kibibytes === undefined ? undefined : Number(kibibytes) * 1024;
}

function fromPs(pid: number): Promise<number | undefined> {
  return new Promise((resolve) => {
    execFile("ps", ["-o", "rss=", "-p", String(pid)], (error, stdout) => {
      const kibibytes = Number(stdout.trim());
      resolve(error === null && kibibytes > 0 ? kibibytes * 1024 : undefined);
    });
  });
}

/** Resident bytes of another process; undefined when it is gone or the system does not tell. */
export async function residentBytes(pid: number): Promise<number | undefined> {
  if (process.platform !== "linux") return fromPs(pid);
  try {
    return sizeIn(await readFile(`/proc/${pid}/status`, "utf8"), "VmRSS");
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code;
    if (code === "ENOENT" || code === "ESRCH") return undefined;
    throw error;
  }
}

/**
 * The most bytes this process has ever had resident. On Linux not from getrusage(), whose peak a process inherits from
 * the one that started it.
 */
export function ownPeakBytes(): number {
  const peak =
    process.platform === "linux" ? sizeIn(readFileSync("/proc/self/status", "utf8"), "VmHWM") : undefined;
  return peak ?? process.resourceUsage().maxRSS * 1024;
}
