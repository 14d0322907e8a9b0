import {
  constants,
  copyFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import type { Funnel } from "../../schemas/types/funnel.js";
import type { BuildLock } from "../../schemas/types/lock.js";
import type { ReleaseManifest } from "../../schemas/types/manifest.js";
import { MANIFESTS, REDISTRIBUTION_TERMS } from "../../sources/index.js";
import { checksums, SUMS_FILE } from "../audit/checksums.js";
import { RecordCounts } from "../audit/counts.js";
import { holdExclusively } from "../engine/exclusive.js";
import { LineFile } from "../engine/line-file.js";
import { UserError } from "../errors.js";
import { PACKAGE_ROOT } from "../package-root.js";
import { canonicalLine } from "../record/schema-order.js";
import type { DatasetFolder } from "../record/suite.js";
import { splitZones, ZONES, type Zone } from "../record/zones.js";
import { publishableZones, recipeOf, withheldIn } from "./ground-truth.js";
import { manifestEntry, releaseManifest } from "./manifest.js";

export interface ReleaseOptions {
  /** The folder that holds releases (`out/releases`). */
  releases: string;
  /** X.Y.Z, or with a pre-release part. */
  version: string;
  /**
   * Leaves the private zones, drops, ledger and lock out. The lock tells the build's seed, from which the order of each
   * AVT's readings, and so the hidden reading behind an id's suffix, could be drawn again.
   */
  publicOnly: boolean;
  /** Leaves out what a source's authors keep from publication; a recipe stands in for it (ground-truth.ts). */
  publishable?: boolean;
  /** Only the demo may replace its own release. */
  replace?: boolean;
}

const VERSION = /^\d+\.\d+\.\d+(-[0-9A-Za-z.-]+)?$/;

const jsonText = (schema: string, value: object): string =>
  `${JSON.stringify(JSON.parse(canonicalLine(schema, value)), null, 2)}\n`;

async function writeDataset(
  dataset: DatasetFolder,
  work: string,
  { all, zones }: { all: readonly Zone[]; zones: readonly Zone[] },
  lock: BuildLock,
): Promise<ReleaseManifest["datasets"][string]> {
  const counts = new RecordCounts();
  const files = new Map<string, LineFile>();
  const withheld = all.includes("verifier") && !zones.includes("verifier");
  const lines = (zone: Zone | "recipe", split: string): LineFile => {
    const path = join(work, zone, dataset.dataset, `${split}.jsonl`);
    let file = files.get(path);
    if (file === undefined) {
      mkdirSync(dirname(path), { recursive: true });
      file = new LineFile(path);
      files.set(path, file);
    }
    return file;
  };
  for await (const { record } of dataset.records()) {
    counts.add(record);
    const split = splitZones(record);
    for (const zone of zones) {
      const line = canonicalLine("record", split[zone]);
      if (withheld && withheldIn(line, record.verifier)) {
        throw new UserError(`${record.record_id} has its ground truth in its ${zone} zone, too`, {
          remedy: "mend the record's source or its responses: the ground truth may not be published",
        });
      }
      lines(zone, record.split).line(line);
    }
    if (withheld) lines("recipe", record.split).line(canonicalLine("recipe", recipeOf(record)));
  }
  for (const file of files.values()) file.close();
  for (const path of Object.keys(lock.databases)) {
    // A copy (cheap where the file system can share blocks) and no link: what happens to a build must not reach a release.
    const target = join(work, "databases", dataset.dataset, path);
    mkdirSync(dirname(target), { recursive: true });
    copyFileSync(join(dataset.databases, path), target, constants.COPYFILE_FICLONE);
  }
  const entry = manifestEntry(counts.counts(), lock);
  return zones.length === all.length ? entry : { ...entry, zones: [...zones] };
}

/** Which zones of a dataset a release carries. */
function zonesOf(lock: BuildLock, all: readonly Zone[], publishable: boolean): readonly Zone[] {
  const source = Object.values(MANIFESTS).find(({ source: name }) => name === lock.source);
  if (!publishable || source === undefined) return all;
  const allowed = publishableZones(source.redistribution);
  if (allowed === null) {
    throw new UserError(
      `${lock.dataset} may not be published: ${REDISTRIBUTION_TERMS[source.redistribution]}`,
      {
        remedy: "name the others with --datasets",
      },
    );
  }
  return all.filter((zone) => allowed.includes(zone));
}

/** The JSON Schemas that the files obey travel with them. */
function copySchemas(work: string): void {
  mkdirSync(join(work, "schemas"), { recursive: true });
  for (const name of readdirSync(join(PACKAGE_ROOT, "schemas"))) {
    if (name.endsWith(".schema.json"))
      cpSync(join(PACKAGE_ROOT, "schemas", name), join(work, "schemas", name));
  }
}

/**
 * The folder of a release that is yet to be made.
 *
 * @throws UserError when the version is no version, or is there already
 */
export function releaseTarget({ releases, version, replace = false }: ReleaseOptions): string {
  if (!VERSION.test(version)) {
    throw new UserError(`"${version}" is not a release's version`, { remedy: "use X.Y.Z, such as 1.0.0" });
  }
  const target = join(releases, version);
  if (existsSync(target) && !replace) {
    throw new UserError(`${target} is there already, and a release is never overwritten`, {
      remedy: "choose the next version",
    });
  }
  return target;
}

/** Writes all of a release but its sums. */
async function writeFiles(
  datasets: readonly DatasetFolder[],
  { version, publicOnly, publishable = false }: ReleaseOptions,
  work: string,
): Promise<void> {
  const zones = publicOnly ? (["public"] as const) : ZONES;
  const funnels: Record<string, Funnel> = {};
  const locks: Record<string, BuildLock> = {};
  const entries: ReleaseManifest["datasets"] = {};
  for (const dataset of [...datasets].sort((a, b) => (a.dataset < b.dataset ? -1 : 1))) {
    const { dataset: name, folder } = dataset;
    const lock = JSON.parse(readFileSync(join(folder, "lock.json"), "utf8")) as BuildLock;
    locks[name] = lock;
    funnels[name] = JSON.parse(readFileSync(join(folder, "funnel.json"), "utf8")) as Funnel;
    entries[name] = await writeDataset(
      dataset,
      work,
      { all: zones, zones: zonesOf(lock, zones, publishable) },
      lock,
    );
    if (publicOnly) continue;
    for (const kind of ["dropped", "ledger"]) {
      mkdirSync(join(work, kind), { recursive: true });
      cpSync(join(folder, `${kind}.jsonl`), join(work, kind, `${name}.jsonl`));
    }
  }
  writeFileSync(join(work, "funnel.json"), `${JSON.stringify(funnels, null, 2)}\n`);
  if (!publicOnly) writeFileSync(join(work, "lock.json"), `${JSON.stringify(locks, null, 2)}\n`);
  writeFileSync(join(work, "manifest.json"), jsonText("manifest", releaseManifest(version, zones, entries)));
  copySchemas(work);
}

/**
 * Writes a release from builds: zones as folders, databases, drops, ledger, funnel, lock, manifest, schemas and
 * SHA256SUMS. It is made beside its place and renamed at the end, so what is there under its name is whole. The bytes
 * depend on the builds and the version alone.
 *
 * @param check is called with the finished folder before it is put in place, and throws to refuse it
 * @returns the release's folder
 * @throws UserError when the version is no version, is there already, or another process is writing here
 */
export async function writeRelease(
  datasets: readonly DatasetFolder[],
  options: ReleaseOptions,
  check: (folder: string) => Promise<void>,
): Promise<string> {
  const { releases, version, replace = false } = options;
  releaseTarget(options);
  const hold = holdExclusively(join(releases, ".lock"), `a release in ${releases}`);
  const work = join(releases, `.${version}.partial`);
  try {
    // Once more behind the lock: the process that held it may have made this very version.
    const target = releaseTarget(options);
    rmSync(work, { recursive: true, force: true });
    mkdirSync(work, { recursive: true });
    await writeFiles(datasets, options, work);
    writeFileSync(join(work, SUMS_FILE), await checksums(work));
    await check(work);
    // The old demo release goes only when the new one has passed.
    if (replace) rmSync(target, { recursive: true, force: true });
    renameSync(work, target);
    return target;
  } catch (error) {
    rmSync(work, { recursive: true, force: true });
    throw error;
  } finally {
    hold.release();
  }
}
