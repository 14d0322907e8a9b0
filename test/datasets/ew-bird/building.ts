import { execFileSync, spawn } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { PACKAGE_ROOT } from "../../../pipelines/package-root.js";
import type { Funnel } from "../../../schemas/types/funnel.js";
import type { LedgerEntry } from "../../../schemas/types/ledger.js";
import type { BuildLock } from "../../../schemas/types/lock.js";
import type { TaskRecord } from "../../../schemas/types/record.js";
import { sampleFolder } from "../../../sources/index.js";

export const SAMPLE = sampleFolder("bird");
/** Arguments that replay the sample's own predictions. */
export const REPLAY = [
  "--probe",
  `replay=${SAMPLE}/predictions/without.json,${SAMPLE}/predictions/with.json`,
];

const COMMAND = join(PACKAGE_ROOT, "dist", "scripts", "ambitab.js");
const environment = { PATH: process.env.PATH, NO_COLOR: "1" };

/** Runs the real command to its end, without keeping this process from serving a model meanwhile. */
export function ambitab(
  args: readonly string[],
): Promise<{ status: number | null; stdout: string; stderr: string }> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [COMMAND, ...args], { env: environment });
    let stdout = "";
    let stderr = "";
    child.stdout.on("data", (chunk) => {
      stdout += String(chunk);
    });
    child.stderr.on("data", (chunk) => {
      stderr += String(chunk);
    });
    child.once("error", reject);
    child.once("close", (status) => resolve({ status, stdout, stderr }));
  });
}

export interface Built {
  out: string;
  funnel: Funnel;
  lock: BuildLock;
  records: TaskRecord[];
  ledger: LedgerEntry[];
  dropped: { key: string; reason: string; detail: string }[];
  text(file: string): string;
}

/** What a build of ew-bird left in `out`. */
export function builtIn(out: string): Built {
  const text = (file: string): string => readFileSync(join(out, "build", "ew-bird", file), "utf8");
  const lines = <T>(file: string): T[] =>
    text(file)
      .split("\n")
      .filter(Boolean)
      .map((line) => JSON.parse(line) as T);
  return {
    out,
    funnel: JSON.parse(text("funnel.json")) as Funnel,
    lock: JSON.parse(text("lock.json")) as BuildLock,
    records: lines<TaskRecord>("records.jsonl"),
    ledger: lines<LedgerEntry>("ledger.jsonl"),
    dropped: lines<Built["dropped"][number]>("dropped.jsonl"),
    text,
  };
}

const folders: string[] = [];

/** A folder that `removeFolders` takes away. */
export function outFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "ambitab-ew-bird-"));
  folders.push(folder);
  return folder;
}

export function removeFolders(): void {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
}

/** Builds ew-bird with the real command; fails with what it said. */
export function buildEwBird(from: string, ...more: string[]): Built {
  const out = outFolder();
  const args = ["build", "ew-bird", "--from", `bird=${from}`, "--out", out, "--quiet", ...more];
  execFileSync(process.execPath, [COMMAND, ...args], { env: environment, encoding: "utf8" });
  return builtIn(out);
}

/** Reasons with how often each drops a row, over all stages. */
export function reasons({ stages }: Funnel): Record<string, number> {
  return Object.fromEntries(stages.flatMap((stage) => Object.entries(stage.reasons)).sort());
}
