/** The releases that a new one follows: what it is compared with, and what its version must step from. */
import { existsSync, readdirSync, statSync } from "node:fs";
import { basename, join, resolve } from "node:path";
import { SUMS_FILE } from "../../audit/checksums.js";
import { SourceError, UserError } from "../../errors.js";
import { openSuite, type Suite } from "../../record/suite.js";
import { compareVersions, parseVersion, type Version, versionText } from "./semver.js";

/** A release that is there. */
export interface Released {
  readonly version: Version;
  readonly folder: string;
}

/** What stands under a folder's versions: folders by that name with the list of a release's files. */
export function releasesIn(folder: string): Released[] {
  if (!existsSync(folder)) return [];
  return readdirSync(folder)
    .flatMap((name) => {
      const version = parseVersion(name);
      return version === undefined ? [] : [{ version, folder: join(folder, name) }];
    })
    .filter((one) => existsSync(join(one.folder, SUMS_FILE)))
    .sort((a, b) => compareVersions(a.version, b.version));
}

/** Opens an earlier release. @throws UserError where it cannot be read as one */
export function openReleased({ folder, version }: Released): Suite {
  const refuse = (why: string, cause?: unknown): UserError =>
    new UserError(`${folder} cannot be compared with: ${why}`, {
      remedy: `mend it or move it away; --previous DIR names another release to compare with`,
      ...(cause === undefined ? {} : { cause }),
    });
  let suite: Suite;
  try {
    suite = openSuite(folder);
  } catch (cause) {
    if (cause instanceof UserError || cause instanceof SourceError || cause instanceof SyntaxError)
      throw refuse(cause.message, cause);
    if ((cause as NodeJS.ErrnoException).code === "ENOENT") throw refuse((cause as Error).message, cause);
    throw cause;
  }
  if (suite.kind !== "release") throw refuse("it is no release");
  if (suite.name !== versionText(version)) throw refuse(`its manifest says version ${suite.name}`);
  return suite;
}

/** The release in a folder that a person named. */
function namedRelease(named: string): Released {
  const folder = resolve(named);
  if (!existsSync(folder) || !statSync(folder).isDirectory()) {
    throw new UserError(`there is no folder ${named}`, { remedy: "name the folder of an earlier release" });
  }
  const suite = openSuite(folder);
  const version = suite.kind === "release" ? parseVersion(suite.name) : undefined;
  if (version === undefined) {
    throw new UserError(`${named} is no release`, {
      remedy: "--previous names a release, such as out/releases/1.0.0",
    });
  }
  return { version, folder };
}

/** What a new version follows. */
export interface Followed {
  /** What the changelog is written against: the release named, else the highest lower version. */
  readonly previous: Released | undefined;
  /** What the version must step from: the highest lower full release; a pre-release promises nothing. */
  readonly base: Released | undefined;
}

/**
 * What a version follows among the releases of a folder and the one that is named.
 *
 * @throws UserError where the one that is named is no lower release
 */
export function followed(folder: string, version: Version, named?: string): Followed {
  const lower = releasesIn(folder).filter((one) => compareVersions(one.version, version) < 0);
  const chosen = named === undefined ? undefined : namedRelease(named);
  if (chosen !== undefined && compareVersions(chosen.version, version) >= 0) {
    throw new UserError(
      `${basename(chosen.folder)} is version ${versionText(chosen.version)}, which ${versionText(version)} cannot follow`,
      { remedy: "name a lower version with --previous" },
    );
  }
  const all = [...lower, ...(chosen === undefined ? [] : [chosen])].sort((a, b) =>
    compareVersions(a.version, b.version),
  );
  return {
    previous: chosen ?? lower.at(-1),
    base: all.filter((one) => one.version.pre.length === 0).at(-1),
  };
}
