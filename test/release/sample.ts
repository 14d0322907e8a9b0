import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { PIPELINES } from "../../pipelines/datasets/index.js";
import { importArchive } from "../../pipelines/model/archive.js";
import { storePath } from "../../pipelines/model/client.js";
import { ResponseStore } from "../../pipelines/model/response-store.js";
import { compiledModule } from "../../pipelines/package-root.js";
import { canonicalLine } from "../../pipelines/record/schema-order.js";
import { openSuite } from "../../pipelines/record/suite.js";
import { type ReleaseOptions, type Written, writeRelease } from "../../pipelines/release/write.js";
import type { TaskRecord } from "../../schemas/types/record.js";
import { buildDatasets } from "../../scripts/build.js";
import { makeRelease } from "../../scripts/release.js";
import { samplePredictions, sampleResponses } from "../../scripts/terminal/build-options.js";
import { sampleFolder } from "../../sources/index.js";
import { afterEachFile } from "../endings.js";
import { inProcess } from "../in-process.js";

const folders: string[] = [];
afterEachFile(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
});

/** A fresh folder that goes when the file's tests are over; its name has a blank and a quote on purpose. */
export function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "ambitab it's "));
  folders.push(folder);
  return folder;
}

/** Every dataset that has a pipeline, and so a sample. */
export const DATASETS: readonly string[] = PIPELINES.map(({ dataset }) => dataset);

async function build(out: string, dataset: string): Promise<void> {
  const sources = PIPELINES.filter((one) => one.dataset === dataset).map(({ source }) => source);
  await buildDatasets([dataset], {
    out,
    jobs: 2,
    from: Object.fromEntries(sources.map((source) => [source, sampleFolder(source)])),
    seed: 1,
    quiet: true,
    json: false,
    keepGoing: false,
    strictReadings: false,
    ...(dataset === "ew-bird" ? { probe: samplePredictions() } : {}),
    ...(dataset === "bird" ? { archives: [sampleResponses()], replayOnly: true } : {}),
  });
}

/** Waits until another worker has built what it took on. */
async function builtByAnother(home: string): Promise<void> {
  while (!existsSync(join(home, "ended"))) await sleep(50);
  const said = readFileSync(join(home, "ended"), "utf8");
  if (said !== "built") throw new Error(`another worker could not build ${home}: ${said}`);
}

/**
 * A sample's build, made once a test run with today's code and shared by all workers: two dozen files need one. The
 * folder is the run's own (`test/build-first.ts`) and goes with it.
 */
async function sharedBuild(dataset: string): Promise<string> {
  const home = join(process.env.AMBITAB_TEST_SAMPLES ?? "", dataset);
  try {
    mkdirSync(home);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
    await builtByAnother(home);
    return join(home, "build", dataset);
  }
  let said = "built";
  try {
    await build(home, dataset);
  } catch (error) {
    said = String(error);
    throw error;
  } finally {
    writeFileSync(join(home, "ended.partial"), said);
    renameSync(join(home, "ended.partial"), join(home, "ended"));
  }
  return join(home, "build", dataset);
}

/** The answers that the sample of `bird` is built with, as a build leaves them in `out`: a release takes them along. */
function keepAnswers(out: string): void {
  const store = new ResponseStore(storePath(out));
  try {
    importArchive(store, sampleResponses());
  } finally {
    store.close();
  }
}

/** Puts builds of the datasets' samples into `<out>/build` and gives that folder. */
export async function buildSample(out: string, datasets: readonly string[] = ["ambiqt"]): Promise<string> {
  if (datasets.includes("bird")) keepAnswers(out);
  for (const dataset of datasets) {
    cpSync(await sharedBuild(dataset), join(out, "build", dataset), {
      recursive: true,
      preserveTimestamps: true,
    });
  }
  return join(out, "build");
}

/** Puts a version's release in place without its gate, for tests of what a release holds. */
export async function writeSample(
  out: string,
  version: string,
  more: Partial<Omit<ReleaseOptions, "version">> = {},
): Promise<Written> {
  return writeRelease(
    openSuite(join(out, "build")).datasets,
    { releases: join(out, "releases"), version, publicOnly: false, answers: storePath(out), ...more },
    () => Promise.resolve(),
  );
}

/** Releases what is built in `out` and gives the release's folder. */
export async function releaseSample(out: string, version = "1.0.0", publicOnly = false): Promise<string> {
  const { folder } = await makeRelease({ out, quiet: true, version, publicOnly, jobs: 1 });
  return folder;
}

/** Every record of a build or release, in order. */
export async function recordsOf(path: string): Promise<TaskRecord[]> {
  const records: TaskRecord[] = [];
  for (const dataset of openSuite(path).datasets) {
    for await (const { record } of dataset.records()) records.push(record);
  }
  return records;
}

/** Writes a build's records in place of its own. The lock does not follow, as if a person had edited the file. */
export function writeRecords(build: string, records: readonly TaskRecord[], dataset = "ambiqt"): void {
  const lines = records.map((record) => `${canonicalLine("record", record)}\n`);
  writeFileSync(join(build, dataset, "records.jsonl"), lines.join(""));
}

/** Every file below a folder → sha256 of its bytes. */
export function treeOf(folder: string): Record<string, string> {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((one) => one.isFile());
  const entries = files.map((one) => {
    const path = join(one.parentPath, one.name);
    return [relative(folder, path), createHash("sha256").update(readFileSync(path)).digest("hex")] as const;
  });
  return Object.fromEntries(entries.sort(([a], [b]) => (a < b ? -1 : 1)));
}

export const COMMAND = compiledModule("scripts/ambitab");

export interface Ended {
  status: number | null;
  stdout: string;
  stderr: string;
}

/** Runs the real command to its end, in a process of its own. */
export function ambitab(words: readonly string[], env: Record<string, string> = {}): Ended {
  const { status, stdout, stderr } = spawnSync(process.execPath, [COMMAND, ...words], {
    encoding: "utf8",
    env: { ...process.env, ...env },
    maxBuffer: 1 << 26,
  });
  return { status, stdout, stderr };
}

/** Runs the command to its end in this process (`test/in-process.ts`), which is several times as fast. */
export async function ambitabHere(
  words: readonly string[],
  env: Record<string, string> = {},
): Promise<Ended> {
  const { code, stdout, stderr } = await inProcess(words, { env: { ...process.env, ...env } });
  return { status: code, stdout, stderr };
}
