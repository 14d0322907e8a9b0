import {
  constants,
  copyFileSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  realpathSync,
  renameSync,
  rmdirSync,
  rmSync,
} from "node:fs";
import { basename, dirname, join, relative, resolve, sep } from "node:path";
import { holdExclusively } from "../../engine/exclusive.js";
import { hashFile } from "../../engine/files.js";
import { isDiskFull, UserError } from "../../errors.js";
import { setModes, syncTree } from "../tree.js";
import type { PublishedFile } from "./files.js";
import { isDone, type PlacedFile, type Plan, planFor } from "./plan.js";

/** The real path of what may not be there yet: of the nearest folder above that is. */
function realPath(path: string): string {
  const whole = resolve(path);
  if (existsSync(whole)) return realpathSync(whole);
  const above = dirname(whole);
  return above === whole ? whole : join(realPath(above), basename(whole));
}

/**
 * The folder that a release is to become.
 *
 * @throws UserError when it is a file, a link, or lies in the release (or the release in it)
 */
export function folderTarget(path: string, release: string): string {
  try {
    return freeTarget(path, release);
  } catch (error) {
    throw asUnwritable(error, path);
  }
}

function freeTarget(path: string, release: string): string {
  const [target, own] = [realPath(path), realPath(release)];
  const within = (one: string, other: string): boolean => one === other || one.startsWith(`${other}${sep}`);
  if (within(target, own) || within(own, target)) {
    throw new UserError(`${path} and the release ${release} lie one in the other`, {
      remedy: "name a folder apart from the release",
    });
  }
  const there = lstatSync(resolve(path), { throwIfNoEntry: false });
  if (there !== undefined && !there.isDirectory()) {
    throw new UserError(`${path} is there already and is no folder`, { remedy: "name another folder" });
  }
  return target;
}

/** Everything below a folder that is no folder, by its path in it; what is no plain file has no hash and is like nothing. */
async function filesIn(folder: string): Promise<Map<string, PlacedFile>> {
  const files = new Map<string, PlacedFile>();
  if (!existsSync(folder)) return files;
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    if (entry.isDirectory()) continue;
    const path = join(entry.parentPath, entry.name);
    const name = relative(folder, path).split(sep).join("/");
    files.set(name, entry.isFile() ? await hashFile(path) : { bytes: -1 });
  }
  return files;
}

/** What publishing to a folder would do. Where the folder holds anything, `keep` alone must be filled. */
export async function planForFolder(files: readonly PublishedFile[], target: string): Promise<Plan> {
  const plan = await planFor(files, await filesIn(target));
  const [other] = [...plan.replace, ...plan.remove, ...(plan.keep.length > 0 ? plan.add : [])];
  if (other !== undefined) {
    throw new UserError(`${target} is not empty, and what it holds is not this release (${other.path})`, {
      remedy: "name a folder that is not there yet; a published release is never overwritten",
    });
  }
  return plan;
}

/** Copies one file, so that under its name it is whole; blocks may be shared, but what is done to one shows in no other. */
async function copyWhole({ from, path, sha256 }: PublishedFile, work: string): Promise<void> {
  const [target, half] = [join(work, path), join(work, ".half")];
  mkdirSync(dirname(target), { recursive: true });
  rmSync(half, { force: true });
  copyFileSync(from, half, constants.COPYFILE_FICLONE);
  if ((await hashFile(half)).sha256 !== sha256) {
    throw new UserError(`${path} changed while it was being published`, {
      remedy: "audit the release and publish again",
    });
  }
  renameSync(half, target);
}

/** What a person can mend: where the copy should go cannot be written. */
function asUnwritable(error: unknown, target: string): unknown {
  const { code = "" } = error as NodeJS.ErrnoException;
  if (!["EACCES", "EPERM", "EROFS", "ENOTDIR", "ENAMETOOLONG", "EEXIST"].includes(code)) return error;
  return new UserError(`${target} cannot be written (${code})`, {
    remedy: "name a folder where you may write",
    cause: error,
  });
}

/** The copy in the making, rid of what is no part of it. */
async function openWork(work: string, files: readonly PublishedFile[]): Promise<Plan> {
  const there = lstatSync(work, { throwIfNoEntry: false });
  if (there?.isDirectory() === false) rmSync(work);
  const plan = await planFor(files, await filesIn(work));
  for (const { path } of plan.remove) rmSync(join(work, path), { force: true });
  mkdirSync(work, { recursive: true });
  removeEmptyFolders(work, files);
  return plan;
}

/**
 * Copies a release into a folder that is not there yet or empty. The copy is made beside it and renamed at the end; one
 * that was stopped goes on where it was.
 *
 * @param step is called before each file and may throw to stop
 * @returns what was done; all is `keep` where the folder held this release already
 * @throws UserError when the folder holds something else or cannot be written, or a file changed meanwhile
 */
export async function publishToFolder(
  files: readonly PublishedFile[],
  target: string,
  step: (done: number) => void,
): Promise<Plan> {
  const plan = await planForFolder(files, target);
  if (isDone(plan)) return plan;
  const work = join(dirname(target), `.${basename(target)}.partial`);
  const lock = `${work}.lock`;
  try {
    const hold = holdExclusively(lock, target);
    try {
      const { add, replace, keep } = await openWork(work, files);
      let done = keep.length;
      for (const file of [...add, ...replace]) {
        step(done);
        await copyWhole(file, work);
        done += 1;
      }
      setModes(work);
      await syncTree(work);
      if (existsSync(target)) rmdirSync(target);
      renameSync(work, target);
      return plan;
    } finally {
      hold.release();
      rmSync(lock, { force: true });
    }
  } catch (error) {
    if (isDiskFull(error)) rmSync(work, { recursive: true, force: true });
    throw asUnwritable(error, target);
  }
}

/** A stopped copy of another release may have left folders that this one does not have. */
function removeEmptyFolders(folder: string, files: readonly PublishedFile[]): void {
  const wanted = new Set(files.flatMap(({ path }) => foldersAbove(path)));
  const walk = (below: string): void => {
    for (const entry of readdirSync(join(folder, below), { withFileTypes: true })) {
      const path = below === "" ? entry.name : `${below}/${entry.name}`;
      if (!entry.isDirectory()) continue;
      walk(path);
      if (!wanted.has(path)) rmdirSync(join(folder, path));
    }
  };
  walk("");
}

const foldersAbove = (path: string): string[] =>
  path
    .split("/")
    .slice(0, -1)
    .map((_, index, parts) => parts.slice(0, index + 1).join("/"));
