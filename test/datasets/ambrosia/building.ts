import { cpSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ambrosia } from "../../../pipelines/datasets/ambrosia/pipeline.js";
import { type BuildResult, runPipeline } from "../../../pipelines/engine/run.js";
import type { BuildSettings } from "../../../pipelines/engine/stage.js";
import type { DroppedRow } from "../../../schemas/types/dropped.js";
import type { LedgerEntry } from "../../../schemas/types/ledger.js";
import type { TaskRecord } from "../../../schemas/types/record.js";
import { sampleFolder } from "../../../sources/index.js";
import { afterEachFile } from "../../endings.js";
import { jsonLines } from "../../engine/toy.js";

export const SAMPLE = sampleFolder("ambrosia");
const SETTINGS: BuildSettings = { seed: 1, limit: null, strict_readings: false, keep_going: false };

const folders: string[] = [];
afterEachFile(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
});

/** A fresh folder that goes when the file's tests are over. */
export function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "ambitab-ambrosia-"));
  folders.push(folder);
  return folder;
}

/** A copy of the sample that a test may change. */
export function copyOfSample(): string {
  const root = join(temporaryFolder(), "sample");
  cpSync(SAMPLE, root, { recursive: true });
  return root;
}

export interface Built extends BuildResult {
  out: string;
  records: TaskRecord[];
  dropped: DroppedRow[];
  ledger: LedgerEntry[];
}

/** Runs the real pipeline over a folder. */
export async function built(root: string, more: Partial<BuildSettings> = {}, jobs = 2): Promise<Built> {
  const out = temporaryFolder();
  const result = await runPipeline(ambrosia, { out, root, settings: { ...SETTINGS, ...more }, jobs });
  const read = <T>(file: string): T[] => jsonLines<T>(join(result.folder, file));
  return {
    ...result,
    out,
    records: read<TaskRecord>("records.jsonl"),
    dropped: read<DroppedRow>("dropped.jsonl"),
    ledger: read<LedgerEntry>("ledger.jsonl"),
  };
}

/** Codes of the findings of a ledger, sorted. */
export const findingsOf = (ledger: readonly LedgerEntry[]): string[] =>
  ledger
    .flatMap(({ steps }) => steps.flatMap(({ evidence }) => evidence ?? []))
    .flatMap((one) => (one.kind === "finding" && "code" in one ? [String(one.code)] : []))
    .sort();

/** The first ambiguity, which is the only one of Ambrosia's records. */
export function ambiguityOf(record: TaskRecord) {
  const [only, ...more] = record.oracle.ambiguities;
  if (only === undefined || more.length > 0) throw new Error(`${record.record_id} has not one ambiguity`);
  return only;
}
