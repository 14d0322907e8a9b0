import { readFileSync, readlinkSync } from "node:fs";

/**
 * A process as something that cannot be confused with a later one of the same number: Linux tells when it was started.
 * Elsewhere the number alone has to do.
 */
export function processIdentity(pid: number): string | undefined {
  try {
    process.kill(pid, 0);
  } catch (error) {
    // EPERM: it is there and belongs to somebody else.
    if ((error as { code?: unknown }).code !== "EPERM") return undefined;
  }
  try {
    // Field 22; the second, the name, is in parentheses and may hold anything.
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
    const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    if (fields[0] === "Z") return undefined;
    return `${pid} ${fields[19]}`;
  } catch {
    return process.platform === "linux" ? undefined : `${pid}`;
  }
}

/** The set of processes that is numbered together with ours, such as a container's; "" where a system has but one. */
export function processSpace(): string {
  try {
    return readlinkSync("/proc/self/ns/pid");
  } catch {
    return "";
  }
}
