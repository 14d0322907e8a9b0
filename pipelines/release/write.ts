import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import type { Funnel } from "../../schemas/types/funnel.js";
import type { BuildLock } from "../../schemas/types/lock.js";
import type { ReleaseManifest } from "../../schemas/types/manifest.js";
import { checksums, SUMS_FILE } from "../audit/checksums.js";
import { holdExclusively } from "../engine/exclusive.js";
import { UserError } from "../errors.js";
import { PACKAGE_ROOT } from "../package-root.js";
import { canonicalLine } from "../record/schema-order.js";
import type { DatasetFolder } from "../record/suite.js";
import { ZONES } from "../record/zones.js";
import { writeDataset, zonesOf } from "./dataset.js";
import { type ReleaseContents, writeDocuments } from "./documents/index.js";
import { releaseManifest } from "./manifest.js";

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

/** Writes the files of a release that come from builds, and says what they hold. */
async function writeFiles(
  datasets: readonly DatasetFolder[],
  { version, publicOnly, publishable = false }: ReleaseOptions,
  work: string,
): Promise<ReleaseContents> {
  const zones = publicOnly ? (["public"] as const) : ZONES;
  const funnels: Record<string, Funnel> = {};
  const locks: Record<string, BuildLock> = {};
  const entries: ReleaseManifest["datasets"] = {};
  for (const dataset of [...datasets].sort((a, b) => (a.dataset < b.dataset ? -1 : 1))) {
    const { dataset: name, folder } = dataset;
    const lock = JSON.parse(readFileSync(join(folder, "lock.json"), "utf8")) as BuildLock;
    locks[name] = lock;
    funnels[name] = JSON.parse(readFileSync(join(folder, "funnel.json"), "utf8")) as Funnel;
    const own = zonesOf(lock, zones, publishable);
    entries[name] = await writeDataset(dataset, work, { all: zones, zones: own }, lock);
    if (publicOnly) continue;
    for (const kind of ["dropped", "ledger"]) {
      mkdirSync(join(work, kind), { recursive: true });
      cpSync(join(folder, `${kind}.jsonl`), join(work, kind, `${name}.jsonl`));
    }
  }
  const manifest = releaseManifest(version, zones, entries);
  writeFileSync(join(work, "funnel.json"), `${JSON.stringify(funnels, null, 2)}\n`);
  if (!publicOnly) writeFileSync(join(work, "lock.json"), `${JSON.stringify(locks, null, 2)}\n`);
  writeFileSync(join(work, "manifest.json"), jsonText("manifest", manifest));
  copySchemas(work);
  return { manifest, funnels, locks, zones, publicOnly, publishable };
}

/**
 * Writes a release from builds: zones as folders, databases, drops, ledger, funnel, lock, manifest, schemas, documents
 * and SHA256SUMS. It is made beside its place and renamed at the end, so what is there under its name is whole. The bytes
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
    await writeDocuments(work, await writeFiles(datasets, options, work));
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
