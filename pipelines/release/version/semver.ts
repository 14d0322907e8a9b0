/** Versions by semantic versioning 2.0.0 (semver.org), without build metadata: a folder bears the version's name. */

export interface Version {
  readonly major: bigint;
  readonly minor: bigint;
  readonly patch: bigint;
  /** The identifiers after the hyphen; none for a full release. */
  readonly pre: readonly string[];
}

const NUMBER = "(0|[1-9]\\d*)";
/** A number without leading zeros, or anything with a letter or hyphen in it. */
const IDENTIFIER = "(?:0|[1-9]\\d*|\\d*[A-Za-z-][0-9A-Za-z-]*)";
const VERSION = new RegExp(`^${NUMBER}\\.${NUMBER}\\.${NUMBER}(?:-(${IDENTIFIER}(?:\\.${IDENTIFIER})*))?$`);

/** No file system has longer names, and the longest that stands beside a release is `.<version>.tar.gz.partial`. */
const LONGEST = 200;

/** The version that a text is; undefined where it is none. */
export function parseVersion(text: string): Version | undefined {
  const [, major, minor, patch, pre] = VERSION.exec(text) ?? [];
  if (major === undefined || minor === undefined || patch === undefined || text.length > LONGEST)
    return undefined;
  return {
    major: BigInt(major),
    minor: BigInt(minor),
    patch: BigInt(patch),
    pre: pre === undefined ? [] : pre.split("."),
  };
}

export function versionText({ major, minor, patch, pre }: Version): string {
  return `${major}.${minor}.${patch}${pre.length === 0 ? "" : `-${pre.join(".")}`}`;
}

const order = <T extends bigint | string | number>(a: T, b: T): number => (a < b ? -1 : a > b ? 1 : 0);

/** Numbers by size and below words; words by code unit (semver 2.0.0, item 11.4). */
function comparePre(a: string, b: string): number {
  const [x, y] = [a, b].map((one) => (/^\d+$/.test(one) ? BigInt(one) : undefined));
  if (x !== undefined && y !== undefined) return order(x, y);
  if (x === undefined && y === undefined) return order(a, b);
  return x === undefined ? 1 : -1;
}

/** The precedence of two versions (item 11): negative where `a` is the lower. */
export function compareVersions(a: Version, b: Version): number {
  const core = order(a.major, b.major) || order(a.minor, b.minor) || order(a.patch, b.patch);
  if (core !== 0) return core;
  // A pre-release is below its full release.
  if (a.pre.length === 0 || b.pre.length === 0) return order(b.pre.length, a.pre.length);
  for (const [index, one] of a.pre.entries()) {
    const other = b.pre[index];
    const way = other === undefined ? 1 : comparePre(one, other);
    if (way !== 0) return way;
  }
  return order(a.pre.length, b.pre.length);
}

/** The full release that a version leads to: itself without its pre-release part. */
export const coreOf = ({ major, minor, patch }: Version): Version => ({ major, minor, patch, pre: [] });
