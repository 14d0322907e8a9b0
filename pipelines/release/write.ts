import { cpSync, mkdirSync, readdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Funnel } from "../../schemas/types/funnel.js";
import type { BuildLock } from "../../schemas/types/lock.js";
import type { ReleaseManifest } from "../../schemas/types/manifest.js";
import { checksums, SUMS_FILE } from "../audit/checksums.js";
import { UserError } from "../errors.js";
import { PACKAGE_ROOT } from "../package-root.js";
import { canonicalLine } from "../record/schema-order.js";
import type { DatasetFolder } from "../record/suite.js";
import { ZONES, type Zone } from "../record/zones.js";
import { ReleaseDatabases } from "./databases.js";
import { writeDataset, zonesOf } from "./dataset.js";
import { type ReleaseContents, writeDocuments } from "./documents/index.js";
import { releaseManifest } from "./manifest.js";
import { clearLeftovers, holdReleases, partsOf, putInPlace, releaseTarget, releaseVersion } from "./place.js";
import { type Packed, packRelease } from "./tar.js";
import { setModes, syncTree } from "./tree.js";
import { type History, historyOf } from "./version/history.js";
import { followed } from "./version/previous.js";

export interface ReleaseOptions {
  /** The folder that holds releases (`out/releases`). */
  releases: string;
  /** By semantic versioning: X.Y.Z, or with a pre-release part. */
  version: string;
  /**
   * Leaves the private zones, drops, ledger, lock and models' answers out. The lock tells the build's seed, from which the
   * order of each AVT's readings, and so the hidden reading behind an id's suffix, could be drawn again.
   */
  publicOnly: boolean;
  /** Leaves out what a source's authors keep from publication; a recipe stands in for it (ground-truth.ts). */
  publishable?: boolean;
  /** Only the demo may replace its own release. */
  replace?: boolean;
  /** The release that the changelog is written against; left out, the highest lower version that is there. */
  previous?: string;
  /** The file in which models' answers are kept (`storePath`); only builds that asked models need it. */
  answers?: string;
  /** Also packs the release as `<version>.tar.gz` beside it. */
  tar?: boolean;
}

/** A release that was made. */
export interface Written {
  readonly folder: string;
  readonly archive?: Packed & { readonly path: string };
}

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

const allZones = ({ publicOnly }: Pick<ReleaseOptions, "publicOnly">): readonly Zone[] =>
  publicOnly ? ["public"] : ZONES;

const readJson = <T>(path: string): T => JSON.parse(readFileSync(path, "utf8")) as T;

const lockOf = ({ folder }: DatasetFolder): BuildLock => readJson<BuildLock>(join(folder, "lock.json"));

/**
 * How a release of these builds will differ from the releases that it follows. All zones of the builds are compared, also
 * for a release that leaves some out: what is hidden must not change unsaid either.
 *
 * @throws UserError where a dataset may not be published, or an earlier release cannot be read; SourceError where a line
 *   of a build or a release cannot be
 */
export function releaseHistory(
  datasets: readonly DatasetFolder[],
  options: ReleaseOptions,
): Promise<History> {
  const { releases, version: text, publishable = false, previous } = options;
  const version = releaseVersion(text);
  for (const dataset of datasets) zonesOf(lockOf(dataset), allZones(options), publishable);
  return historyOf(version, followed(releases, version, previous), datasets);
}

/** Writes the files of a release that come from builds, and says what they hold. */
async function writeFiles(
  datasets: readonly DatasetFolder[],
  options: ReleaseOptions,
  work: string,
): Promise<Omit<ReleaseContents, "history">> {
  const { version, publicOnly, publishable = false, answers } = options;
  const zones = allZones(options);
  const databases = new ReleaseDatabases();
  const funnels: Record<string, Funnel> = {};
  const locks: Record<string, BuildLock> = {};
  const entries: ReleaseManifest["datasets"] = {};
  for (const dataset of [...datasets].sort((a, b) => (a.dataset < b.dataset ? -1 : 1))) {
    const { dataset: name, folder } = dataset;
    const lock = lockOf(dataset);
    locks[name] = lock;
    funnels[name] = readJson<Funnel>(join(folder, "funnel.json"));
    const own = zonesOf(lock, zones, publishable);
    entries[name] = await writeDataset(dataset, { work, all: zones, zones: own, lock, databases, answers });
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

/** Behind the lock: another process may have made a release that this one follows, or this very version. */
function assertStillFollows(options: ReleaseOptions, { version, previous, base }: History): void {
  releaseTarget(options);
  const now = followed(options.releases, version, options.previous);
  if (now.previous?.folder === previous?.from.folder && now.base?.folder === base?.from.folder) return;
  throw new UserError(`another process has made a release in ${options.releases} meanwhile`, {
    remedy: "run it again: this one must be compared with that",
  });
}

/**
 * Writes a release from builds: zones as folders, databases, models' answers, drops, ledger, funnel, lock, manifest,
 * schemas, documents and SHA256SUMS. It is made beside its place and renamed at the end, so what is there under its name
 * is whole (place.ts). The bytes depend on the builds, the version and the releases that it follows alone.
 *
 * @param check is called with the finished folder before it is put in place, and throws to refuse it
 * @param history how it differs from those releases (`releaseHistory`), where the caller knows that already
 * @throws UserError when the version is no version, is there already, or another process is writing here
 */
export async function writeRelease(
  datasets: readonly DatasetFolder[],
  options: ReleaseOptions,
  check: (folder: string) => Promise<void>,
  history?: History,
): Promise<Written> {
  const { releases, version, tar = false } = options;
  releaseTarget(options);
  const compared = history ?? (await releaseHistory(datasets, options));
  const hold = holdReleases(releases);
  const { release, work, packing, packed, archive } = partsOf(releases, version);
  try {
    clearLeftovers(releases);
    assertStillFollows(options, compared);
    mkdirSync(work, { recursive: true });
    const contents = await writeFiles(datasets, options, work);
    await writeDocuments(work, { ...contents, history: compared });
    writeFileSync(join(work, SUMS_FILE), await checksums(work));
    setModes(work);
    await check(work);
    await syncTree(work);
    const pack = tar ? await packRelease(work, `ambitab-${version}`, packing) : undefined;
    if (pack !== undefined) renameSync(packing, packed);
    await putInPlace(releases, version);
    return { folder: release, ...(pack === undefined ? {} : { archive: { path: archive, ...pack } }) };
  } catch (error) {
    clearLeftovers(releases);
    throw error;
  } finally {
    hold.release();
  }
}
