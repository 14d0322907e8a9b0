/**
 * Commands that are killed with -9 at an operation on files and not after some time: however busy the machine is, it is
 * the same instant, and it is reached.
 */
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { PACKAGE_ROOT } from "../../pipelines/package-root.js";
import { type Outcome, start } from "./command.js";

const PRELOAD = pathToFileURL(join(PACKAGE_ROOT, "test", "system", "kill-self.mjs")).href;
const NODE = ["--import", PRELOAD];

/** Runs a command undisturbed and counts its operations on files. */
export async function counted(args: readonly string[]): Promise<Outcome & { operations: number }> {
  const folder = mkdtempSync(join(tmpdir(), "ambitab-count-"));
  const file = join(folder, "count");
  try {
    const outcome = await start(args, PACKAGE_ROOT, { node: NODE, env: { AMBITAB_TEST_COUNT: file } }).ended;
    return { ...outcome, operations: Number(readFileSync(file, "utf8")) };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Runs a command and kills it just before its `at`-th operation, of those alone that `of` matches ("renameSync from to"). */
export const killed = (args: readonly string[], at: number, of = ""): Promise<Outcome> =>
  start(args, PACKAGE_ROOT, { node: NODE, env: { AMBITAB_TEST_KILL: JSON.stringify({ at, of }) } }).ended;
