import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { mkdir, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { PACKAGE_ROOT } from "../../pipelines/package-root.js";
import { afterEachTest } from "../endings.js";

/** A fresh folder that goes when the test is over; its name has a space, a quote and an accent on purpose. */
export function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "ambitab-sources-"));
  folders.push(folder);
  return join(folder, "it's a plâce");
}

const folders: string[] = [];
afterEachTest(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
});

/** Writes files below a folder: path → content. */
export async function writeFiles(folder: string, files: Record<string, string | Uint8Array>): Promise<void> {
  for (const [path, content] of Object.entries(files)) {
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await writeFile(join(folder, path), content);
  }
}

/** Real upstream data, where this machine has it. */
export function realData(source: string): string | undefined {
  const folder = join(process.env.AMBITAB_DATA ?? join(PACKAGE_ROOT, "..", "shared", "data"), source);
  if (existsSync(folder)) return folder;
  console.warn(`skipped: no real ${source} data at ${folder}`);
  return undefined;
}

/** The error that a promise ends with; fails when it does not. */
export async function failureOf(work: Promise<unknown>): Promise<Error> {
  const outcome = await work.then(
    () => "it succeeded",
    (error: unknown) => error,
  );
  if (outcome instanceof Error) return outcome;
  throw new Error(`expected a failure, but ${String(outcome)}`);
}
