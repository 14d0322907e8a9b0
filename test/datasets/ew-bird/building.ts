import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Funnel } from "../../../schemas/types/funnel.js";
import type { LedgerEntry } from "../../../schemas/types/ledger.js";
import type { BuildLock } from "../../../schemas/types/lock.js";
import type { TaskRecord } from "../../../schemas/types/record.js";
import { sampleFolder } from "../../../sources/index.js";
import { inProcess } from "../../in-process.js";

export const SAMPLE = sampleFolder("bird");
/** Arguments that replay the sample's own predictions. */
export const REPLAY = [
  "--probe",
  `replay=${SAMPLE}/predictions/without.json,${SAMPLE}/predictions/with.json`,
];

/** Runs the command to its end in this process (`test/in-process.ts`). */
export async function ambitab(
  args: readonly string[],
): Promise<{ status: number; stdout: string; stderr: string }> {
  const environment = { PATH: process.env.PATH, NO_COLOR: "1" };
  const { code, stdout, stderr } = await inProcess(args, { env: environment });
  return { status: code, stdout, stderr };
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

/** Builds ew-bird with the command; fails with what it said. */
export async function buildEwBird(from: string, ...more: string[]): Promise<Built> {
  const out = outFolder();
  const args = ["build", "ew-bird", "--from", `bird=${from}`, "--out", out, "--quiet", ...more];
  const { status, stderr } = await ambitab(args);
  if (status !== 0) throw new Error(`the build ended with ${status}: ${stderr}`);
  return builtIn(out);
}

/** Reasons with how often each drops a row, over all stages. */
export function reasons({ stages }: Funnel): Record<string, number> {
  return Object.fromEntries(stages.flatMap((stage) => Object.entries(stage.reasons)).sort());
}
