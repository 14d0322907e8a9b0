import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { SUMS_FILE } from "../../audit/checksums.js";
import type { PublishedFile } from "./files.js";

/** A file as it lies at the place where the release goes. */
export interface PlacedFile {
  bytes: number;
  /** Known where the place keeps files by it (LFS). */
  sha256?: string;
  /** Else the name that git gives its bytes. */
  gitOid?: string;
}

export type Action = "add" | "replace" | "keep" | "delete";

/** What becomes of one file. */
export interface PlannedFile extends Omit<PublishedFile, "zone" | "sha256" | "from"> {
  action: Action;
  zone: PublishedFile["zone"] | null;
  /** Null for a file that goes. */
  sha256: string | null;
}

/** Written last, so that what is half there does not look whole: nothing opens a release that has no SHA256SUMS. */
export const LAST: readonly string[] = ["README.md", SUMS_FILE];

/** What is to be done to make a place hold a release and nothing else. */
export interface Plan {
  add: PublishedFile[];
  replace: PublishedFile[];
  keep: PublishedFile[];
  /** Paths that the release does not have, and their sizes. */
  remove: { path: string; bytes: number }[];
}

/** The name that git gives a file's bytes. */
async function gitOid({ from, bytes }: PublishedFile): Promise<string> {
  const hash = createHash("sha1").update(`blob ${bytes}\0`);
  for await (const chunk of createReadStream(from) as AsyncIterable<Buffer>) hash.update(chunk);
  return hash.digest("hex");
}

async function isThere(file: PublishedFile, placed: PlacedFile): Promise<boolean> {
  if (placed.bytes !== file.bytes) return false;
  if (placed.sha256 !== undefined) return placed.sha256 === file.sha256;
  return placed.gitOid !== undefined && placed.gitOid === (await gitOid(file));
}

/**
 * Compares a release with what is at a place.
 *
 * @param spared says which files there are the place's own and stay
 */
export async function planFor(
  files: readonly PublishedFile[],
  there: ReadonlyMap<string, PlacedFile>,
  spared: (path: string) => boolean = () => false,
): Promise<Plan> {
  const plan: Plan = { add: [], replace: [], keep: [], remove: [] };
  const own = new Set(files.map(({ path }) => path));
  for (const file of files) {
    const placed = there.get(file.path);
    if (placed === undefined) plan.add.push(file);
    else if (await isThere(file, placed)) plan.keep.push(file);
    else plan.replace.push(file);
  }
  for (const [path, { bytes }] of there) {
    if (!own.has(path) && !spared(path)) plan.remove.push({ path, bytes });
  }
  return plan;
}

/** Whether nothing is left to do. */
export const isDone = ({ add, replace, remove }: Plan): boolean =>
  add.length + replace.length + remove.length === 0;

/** A plan file by file, sorted by path. */
export function plannedFiles({ add, replace, keep, remove }: Plan): PlannedFile[] {
  const told = (action: Action, files: readonly PublishedFile[]): PlannedFile[] =>
    files.map(({ path, bytes, sha256, zone }) => ({ action, path, bytes, zone, sha256 }));
  const gone = remove.map(({ path, bytes }) => ({
    action: "delete" as const,
    path,
    bytes,
    zone: null,
    sha256: null,
  }));
  return [...told("add", add), ...told("replace", replace), ...told("keep", keep), ...gone].sort((a, b) =>
    a.path < b.path ? -1 : 1,
  );
}
