/**
 * The folder of releases, and what stands in it while one is made. A release comes into being by one rename; everything
 * before it has a name with a dot in front, and what a killed process left under such a name is set right by the next:
 *
 * - `.<version>.partial`, a release in the making, and `.<version>.tar.gz.partial`, its archive: removed.
 * - `.<version>.tar.gz.ready`, a whole archive of a release that was about to be put in place: put beside its release if
 *   that is there, else removed.
 * - `.<version>.old`, the demo's release while another took its place: back to its name, unless that one is there.
 */
import { existsSync, readdirSync, renameSync, rmSync } from "node:fs";
import { open } from "node:fs/promises";
import { join } from "node:path";
import { holdExclusively } from "../engine/exclusive.js";
import { UserError } from "../errors.js";
import { parseVersion, type Version } from "./version/semver.js";

/** Where one version's parts stand in the folder of releases. */
export const partsOf = (releases: string, version: string) => ({
  release: join(releases, version),
  archive: join(releases, `${version}.tar.gz`),
  work: join(releases, `.${version}.partial`),
  old: join(releases, `.${version}.old`),
  packing: join(releases, `.${version}.tar.gz.partial`),
  packed: join(releases, `.${version}.tar.gz.ready`),
});

/** Keeps other processes from making releases in this folder. @throws UserError where one is at it */
export const holdReleases = (releases: string): { release(): void } =>
  holdExclusively(join(releases, ".lock"), `a release in ${releases}`);

/** @throws UserError when the text is no version by semantic versioning */
export function releaseVersion(text: string): Version {
  const version = parseVersion(text);
  if (version === undefined)
    throw new UserError(`"${text}" is not a release's version`, { remedy: "use X.Y.Z, such as 1.0.0" });
  return version;
}

/**
 * The folder of a release that is yet to be made.
 *
 * @throws UserError when the version is no version, or is there already
 */
export function releaseTarget({
  releases,
  version,
  replace = false,
}: {
  releases: string;
  version: string;
  replace?: boolean;
}): string {
  releaseVersion(version);
  const { release, archive } = partsOf(releases, version);
  const there = [replace ? [] : [release], archive].flat().find((path) => existsSync(path));
  if (there !== undefined) {
    throw new UserError(`${there} is there already, and a release is never overwritten`, {
      remedy: "choose the next version",
    });
  }
  return release;
}

const LEFT = /^\.(.+?)\.(partial|old|tar\.gz\.partial|tar\.gz\.ready)$/;

/** Sets right what killed processes left. The caller holds the folder (`holdReleases`). */
export function clearLeftovers(releases: string): void {
  const left = readdirSync(releases)
    .map((name) => LEFT.exec(name)?.[1])
    .filter((name) => name !== undefined && parseVersion(name) !== undefined);
  for (const version of new Set(left)) {
    if (version === undefined) continue;
    const { release, archive, work, old, packing, packed } = partsOf(releases, version);
    rmSync(work, { recursive: true, force: true });
    rmSync(packing, { force: true });
    if (existsSync(packed)) {
      if (existsSync(release)) renameSync(packed, archive);
      else rmSync(packed);
    }
    if (!existsSync(old)) continue;
    if (existsSync(release)) rmSync(old, { recursive: true, force: true });
    else renameSync(old, release);
  }
}

/** Sets right what killed processes left, where there is anything. @throws UserError where a process is at work there */
export function clearReleases(releases: string): void {
  if (!existsSync(releases) || !readdirSync(releases).some((name) => LEFT.test(name))) return;
  const hold = holdReleases(releases);
  try {
    clearLeftovers(releases);
  } finally {
    hold.release();
  }
}

/** Makes the names in a folder durable, where the system can open folders. */
async function syncNames(folder: string): Promise<void> {
  if (process.platform === "win32") return;
  const handle = await open(folder, "r");
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/**
 * Puts a whole release in place, and its archive where `packed` is there. A kill at any instant leaves the release before
 * (the demo's) or the new one under the name, whole, once `clearLeftovers` has run.
 */
export async function putInPlace(releases: string, version: string): Promise<void> {
  const { release, archive, work, old, packed } = partsOf(releases, version);
  if (existsSync(release)) renameSync(release, old);
  renameSync(work, release);
  if (existsSync(packed)) renameSync(packed, archive);
  rmSync(old, { recursive: true, force: true });
  await syncNames(releases);
}
