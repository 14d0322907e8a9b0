import { constants } from "node:fs";
import { copyFile, mkdir, rename, rm, stat } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import { SourceError, UserError } from "../../pipelines/errors.js";
import type { LockedFile, SourceLock } from "../../schemas/types/source-lock.js";
import type { SourceManifest } from "../manifest.js";
import { findArtefacts } from "./artefacts.js";
import { digestFile } from "./hash.js";
import type { HashMemo } from "./hash-memo.js";
import { describeFiles, makeLock, readLock, sourceFolder, writeLock } from "./lock.js";

/** What a person is told when a source is not complete: what is missing, and how to come by it. */
export function incomplete(manifest: SourceManifest, missing: string[], out: string): UserError {
  const folder = sourceFolder(resolve(out), manifest.source);
  return new UserError(`source ${manifest.source} is not complete: ${missing.join(", ")} not found`, {
    remedy:
      `${manifest.obtain.replaceAll("{folder}", folder)} Then run: ambitab fetch ${manifest.source}. ` +
      `Or name a folder that holds them already: ambitab fetch ${manifest.source} --from ${manifest.source}=DIR`,
  });
}

/**
 * Takes in a folder that a person has: finds the source's files in it, verifies and hashes them and writes the lock. The
 * folder is read in place ever after (later commands need no --from), or its files are copied with `copy`.
 *
 * @throws UserError when the folder is not there or lacks something required; SourceError(s) for wrong sizes or hashes;
 *   Interrupted when `signal` fires.
 */
export async function adoptFolder(
  manifest: SourceManifest,
  from: string,
  options: {
    out: string;
    memo: HashMemo;
    copy?: boolean;
    earlier?: SourceLock | undefined;
    signal?: AbortSignal | undefined;
  },
): Promise<SourceLock> {
  const folder = resolve(from);
  const home = sourceFolder(resolve(options.out), manifest.source);
  const there = await stat(folder).catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT" || error.code === "ENOTDIR") return undefined;
    throw error;
  });
  if (!there?.isDirectory()) {
    throw new UserError(`${from} is not a folder`, {
      remedy: `give the folder that holds ${manifest.artefacts[0]?.path ?? "the source"}: --from ${manifest.source}=DIR`,
    });
  }
  const found = await findArtefacts(manifest, folder);
  const missing = found.missing.filter((artefact) => artefact.required).map((artefact) => artefact.path);
  if (missing.length > 0) {
    const error = incomplete(manifest, missing, options.out);
    throw new UserError(`${error.message} in ${folder}`, {
      ...(error.remedy === undefined ? {} : { remedy: error.remedy }),
    });
  }
  const files = await describeFiles(manifest, folder, found, options.memo, options.signal);
  const placed = folder === home;
  if (options.copy === true && !placed) {
    await copyIn(manifest, folder, home, files, options.out);
  }
  // Looking again at what was copied does not make us forget where it came from.
  const copied = placed && options.earlier?.held === "copied" ? options.earlier.adopted_from : null;
  const lock = placed
    ? makeLock(manifest, files, copied === null ? "placed" : "copied", copied)
    : makeLock(manifest, files, options.copy === true ? "copied" : "linked", folder);
  await writeLock(options.out, lock);
  return lock;
}

async function copyIn(
  manifest: SourceManifest,
  folder: string,
  home: string,
  files: LockedFile[],
  out: string,
): Promise<void> {
  const kept = new Set(files.map((file) => file.path));
  const before = await readLock(out, manifest.source);
  if (before?.held === "copied") {
    // Otherwise what an earlier copy brought would still be read beside the new one.
    for (const { path } of before.files) if (!kept.has(path)) await rm(join(home, path), { force: true });
  }
  for (const { path, bytes, sha256 } of files) {
    const target = join(home, path);
    await mkdir(dirname(target), { recursive: true });
    await copyFile(join(folder, path), `${target}.part`, constants.COPYFILE_FICLONE);
    const copy = await digestFile(`${target}.part`);
    if (copy.bytes !== bytes || copy.sha256 !== sha256) {
      await rm(`${target}.part`, { force: true });
      throw new SourceError(
        { file: path },
        `changed while it was copied: expected sha256 ${sha256}, found ${copy.sha256}`,
      );
    }
    await rename(`${target}.part`, target);
  }
}
