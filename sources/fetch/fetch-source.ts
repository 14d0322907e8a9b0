import { rm } from "node:fs/promises";
import { join, resolve } from "node:path";
import { UserError } from "../../pipelines/errors.js";
import type { SourceLock } from "../../schemas/types/source-lock.js";
import type { Artefact, SourceManifest } from "../manifest.js";
import { adoptFolder, incomplete } from "./adopt.js";
import { type FoundArtefacts, findArtefacts } from "./artefacts.js";
import { type DownloadOptions, downloadFile } from "./download.js";
import { HashMemo } from "./hash-memo.js";
import { describeFiles, readLock, sourceFolder } from "./lock.js";
import { type UnpackLimits, unpackArchive } from "./unpack.js";

/** A source that is there: read it from `root` (absolute), by what `lock` lists. */
export interface OpenSource {
  root: string;
  lock: SourceLock;
}

export interface FetchOptions {
  /** The folder that everything is made in, `out` by default on the command line. */
  out: string;
  /** A local copy to take in. */
  from?: string;
  /** Copy the files of `from` instead of reading them in place. */
  copy?: boolean;
  download?: Omit<DownloadOptions, "onProgress" | "signal" | "remedy">;
  unpack?: UnpackLimits;
  signal?: AbortSignal;
  /** What is going on: one call a step, or as bytes arrive. */
  onStep?: (step: FetchStep) => void;
}

export type FetchStep =
  | { kind: "downloading"; path: string; received: number; total: number | undefined }
  | { kind: "unpacking"; path: string }
  | { kind: "verifying"; folder: string };

/**
 * Brings a source in. With `from`: takes that folder in. Without: takes in again what an earlier lock names (so that
 * files added since are seen), or downloads what can be downloaded and unpacks it.
 *
 * @throws UserError with one message that says what to get, from where and where to put it, when something required can
 *   only be got by a person; UserError when a download fails; SourceError(s) for wrong files; Interrupted.
 */
export async function fetchFromManifest(
  manifest: SourceManifest,
  options: FetchOptions,
): Promise<OpenSource> {
  const out = resolve(options.out);
  try {
    const home = sourceFolder(out, manifest.source);
    const memo = await openMemo(out);
    const earlier = await readLock(out, manifest.source);
    const from = options.from ?? (earlier?.held === "linked" ? earlier.adopted_from : null) ?? home;
    // A copy stays what the copied folder was; only what was never anything else is made complete.
    if (from === home && earlier?.held !== "copied") await complete(manifest, home, options);
    options.onStep?.({ kind: "verifying", folder: from });
    const { copy = false, signal } = options;
    const lock = await adoptFolder(manifest, from, { out, memo, earlier, copy, signal });
    await memo.save();
    return { root: rootOf(lock, out), lock };
  } catch (error) {
    throw diskTrouble(error) ?? error;
  }
}

/** A full disk or a folder that may not be written is the person's matter, not a bug of ours. */
function diskTrouble(error: unknown): UserError | undefined {
  if (!(error instanceof Error) || !("code" in error)) return undefined;
  const known = ["ENOSPC", "EDQUOT", "EACCES", "EPERM", "EROFS"];
  return known.some((code) => code === error.code)
    ? new UserError(error.message, { cause: error })
    : undefined;
}

/**
 * A source that was taken in before. Every file must be as the lock says, and no file may have come or gone.
 *
 * @throws UserError saying what differs and how to take the source in again.
 */
export async function openFromManifest(manifest: SourceManifest, outFolder: string): Promise<OpenSource> {
  const out = resolve(outFolder);
  const { source } = manifest;
  const lock = await readLock(out, source);
  if (lock === undefined) {
    throw new UserError(`source ${source} has not been fetched`, {
      remedy: `run: ambitab fetch ${source} (or with --from ${source}=DIR for a copy that you have)`,
    });
  }
  const root = rootOf(lock, out);
  const memo = await openMemo(out);
  const found = await findArtefacts(manifest, root);
  const now = new Map((await describeFiles(manifest, root, found, memo)).map((file) => [file.path, file]));
  await memo.save();
  const differences: string[] = [];
  for (const file of lock.files) {
    const current = now.get(file.path);
    now.delete(file.path);
    if (current === undefined) differences.push(`${file.path} is gone`);
    else if (current.sha256 !== file.sha256) differences.push(`${file.path} has changed`);
  }
  for (const path of now.keys()) differences.push(`${path} is new`);
  if (differences.length === 0) return { root, lock };
  const shown = differences.slice(0, 5).join(", ");
  const more = differences.length > 5 ? ` and ${differences.length - 5} more` : "";
  throw new UserError(`source ${source} in ${root} is not what was taken in: ${shown}${more}`, {
    remedy: `if that is meant, run: ambitab fetch ${source}`,
  });
}

/** Takes in `from` if it is given, opens what is there, fetches what is not. */
export async function ensureFromManifest(
  manifest: SourceManifest,
  options: FetchOptions,
): Promise<OpenSource> {
  const there = options.from === undefined && (await readLock(options.out, manifest.source)) !== undefined;
  return there ? openFromManifest(manifest, options.out) : fetchFromManifest(manifest, options);
}

const openMemo = (out: string): Promise<HashMemo> => HashMemo.open(join(out, "cache", "source-hashes.json"));

function rootOf(lock: SourceLock, out: string): string {
  return lock.held === "linked" && lock.adopted_from !== null
    ? lock.adopted_from
    : sourceFolder(out, lock.source);
}

/** Downloads and unpacks what the source's own folder lacks; asks a person for the rest before anything is downloaded. */
async function complete(manifest: SourceManifest, home: string, options: FetchOptions): Promise<void> {
  const found = await findArtefacts(manifest, home);
  const archives = neededArchives(manifest, found);
  const canComeFrom = new Set(archives.map((archive) => archive.path));
  const byHand = found.missing.filter(
    (one) =>
      one.required &&
      one.downloads === undefined &&
      !(one.archive !== undefined && canComeFrom.has(one.archive)),
  );
  if (byHand.length > 0)
    throw incomplete(
      manifest,
      byHand.map((one) => one.path),
      options.out,
    );
  const here = new Set(found.present.map(({ artefact }) => artefact.path));
  for (const artefact of found.missing) {
    if (artefact.kind !== "archive") await download(manifest, artefact, home, options);
  }
  for (const archive of archives) {
    if (archive.unpack === undefined) throw new Error(`archive ${archive.path} says not how it is unpacked`);
    const fetched = !here.has(archive.path);
    if (fetched) await download(manifest, archive, home, options);
    options.onStep?.({ kind: "unpacking", path: archive.path });
    await unpackArchive(join(home, archive.path), home, archive.unpack, options.unpack, options.signal);
    // An archive that a person put there is theirs; ours would only take the space twice.
    if (fetched) await rm(join(home, archive.path));
  }
}

/** Archives that hold something missing and that are there or can be downloaded. */
function neededArchives(manifest: SourceManifest, found: FoundArtefacts): Artefact[] {
  const wanted = new Set(found.missing.map((artefact) => artefact.archive));
  const here = new Set(found.present.map(({ artefact }) => artefact.path));
  return manifest.artefacts.filter(
    (artefact) =>
      artefact.kind === "archive" &&
      wanted.has(artefact.path) &&
      (here.has(artefact.path) || artefact.downloads !== undefined),
  );
}

async function download(
  manifest: SourceManifest,
  artefact: Artefact,
  home: string,
  options: FetchOptions,
): Promise<void> {
  if (artefact.downloads === undefined) return;
  const { path } = artefact;
  await downloadFile(artefact.downloads, join(home, path), {
    ...options.download,
    ...(options.signal === undefined ? {} : { signal: options.signal }),
    onProgress: (received, total) => options.onStep?.({ kind: "downloading", path, received, total }),
    remedy: manifest.obtain.replaceAll("{folder}", home),
  });
}
