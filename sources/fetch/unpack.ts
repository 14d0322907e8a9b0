import { createWriteStream } from "node:fs";
import { mkdir, rename, rm, stat } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { Transform } from "node:stream";
import { pipeline } from "node:stream/promises";
import { crc32 } from "node:zlib";
import { type Entry, openPromise, type ZipFile } from "yauzl";
import { Interrupted, SourceError, UserError } from "../../pipelines/errors.js";
import type { Unpack } from "../manifest.js";
import { ClaimedPaths, entryNameProblem, isJunk } from "./archive-entry.js";

/** What an archive may grow to. The defaults let BIRD's training databases (over 30 GB) through, and no bomb. */
export interface UnpackLimits {
  /** Entries in one archive. Default 200,000. */
  maxEntries?: number;
  /** Bytes that all entries of one archive come to. Default 128 GiB. */
  maxBytes?: number;
  /** Unpacked bytes for one packed byte, over an entry. Default 200; entries below 1 MiB are not measured. */
  maxRatio?: number;
}

const RATIO_MATTERS_FROM = 1 << 20;

/**
 * Unpacks an archive so that `<folder>/<unpack.into>` appears whole or not at all: entries go into a temporary folder
 * beside it, which is renamed at the end. Archives inside it are unpacked the same way and removed.
 *
 * Refused, naming archive and entry: paths that leave the folder, links, encrypted entries, entries there twice, wrong
 * sizes or checksums, and more entries, bytes or growth than `limits` allows.
 *
 * @throws SourceError for what is in the archive; UserError when the folder is there already; Interrupted when
 *   `signal` fires.
 */
export async function unpackArchive(
  archive: string,
  folder: string,
  unpack: Unpack,
  limits: UnpackLimits = {},
  signal?: AbortSignal,
): Promise<{ files: number; bytes: number }> {
  const target = join(folder, unpack.into);
  if (await exists(target)) {
    throw new UserError(`cannot unpack ${basename(archive)}: ${target} is there already`, {
      remedy: "remove or rename that folder, or take it in with --from",
    });
  }
  await mkdir(dirname(target), { recursive: true });
  const temporary = `${target}.unpacking-${process.pid}`;
  await rm(temporary, { recursive: true, force: true });
  await mkdir(temporary);
  try {
    const result = await unpackInto(archive, basename(archive), temporary, unpack.strip ?? 0, limits, signal);
    for (const inner of unpack.nested ?? []) {
      const path = join(temporary, inner.path);
      if (!(await exists(path))) continue;
      const name = `${basename(archive)} → ${inner.path}`;
      const more = await unpackInto(path, name, join(temporary, inner.into), 0, limits, signal);
      await rm(path);
      result.files += more.files - 1;
      result.bytes += more.bytes;
    }
    await rename(temporary, target);
    return result;
  } catch (error) {
    await rm(temporary, { recursive: true, force: true });
    throw error;
  }
}

async function unpackInto(
  archive: string,
  name: string,
  folder: string,
  strip: number,
  limits: UnpackLimits,
  signal: AbortSignal | undefined,
): Promise<{ files: number; bytes: number }> {
  const zip = await openPromise(archive, { autoClose: false, strictFileNames: true }).catch(
    (cause: unknown) => {
      throw new SourceError({ file: name }, `cannot be read as a zip archive: ${messageOf(cause)}`, {
        cause,
      });
    },
  );
  try {
    const entries = await listEntries(zip, name, strip, limits);
    let bytes = 0;
    for (const { entry, path } of entries) {
      if (signal?.aborted) throw new Interrupted();
      const target = join(folder, ...path.split("/"));
      await mkdir(dirname(target), { recursive: true });
      await unpackEntry(zip, entry, target, name);
      bytes += entry.uncompressedSize;
    }
    return { files: entries.length, bytes };
  } finally {
    zip.close();
  }
}

/** Every file entry with its path, after all of them have been judged: nothing is written for a bad archive. */
async function listEntries(
  zip: ZipFile,
  name: string,
  strip: number,
  limits: UnpackLimits,
): Promise<{ entry: Entry; path: string }[]> {
  const maxEntries = limits.maxEntries ?? 200_000;
  const maxBytes = limits.maxBytes ?? 128 * 1024 ** 3;
  if (zip.entryCount > maxEntries) {
    throw new SourceError({ file: name }, `expected at most ${maxEntries} entries, found ${zip.entryCount}`);
  }
  const files: { entry: Entry; path: string }[] = [];
  const claimed = new ClaimedPaths();
  let packed = 0;
  let total = 0;
  for await (const entry of readEntries(zip, name)) {
    const refuse = (problem: string) =>
      new SourceError({ file: name }, `entry ${JSON.stringify(entry.fileName)} ${problem}`);
    const problem = entryNameProblem(entry.fileName) ?? entryKindProblem(entry);
    if (problem !== undefined) throw refuse(problem);
    packed += entry.compressedSize;
    total += entry.uncompressedSize;
    // Entries that share their packed bytes make a small archive large without any one of them growing much.
    if (packed > zip.fileSize) throw refuse("overlaps another entry");
    if (total > maxBytes) throw refuse(`takes the archive past ${maxBytes} bytes`);
    const ratio = entry.uncompressedSize / Math.max(1, entry.compressedSize);
    if (entry.uncompressedSize >= RATIO_MATTERS_FROM && ratio > (limits.maxRatio ?? 200)) {
      throw refuse(`grows ${Math.round(ratio)} times on unpacking`);
    }
    if (entry.fileName.endsWith("/") || isJunk(entry.fileName)) continue;
    const path = entry.fileName.split("/").slice(strip).join("/");
    if (path === "") throw refuse(`is not ${strip} folders deep`);
    const clash = claimed.claim(path);
    if (clash !== undefined) throw refuse(clash);
    files.push({ entry, path });
  }
  return files;
}

/** The directory of the archive; yauzl's own complaints (names, damaged records) name the archive. */
async function* readEntries(zip: ZipFile, name: string): AsyncGenerator<Entry, void, undefined> {
  try {
    yield* zip.eachEntry();
  } catch (cause) {
    if (cause instanceof SourceError) throw cause;
    throw new SourceError({ file: name }, `cannot be unpacked: ${messageOf(cause)}`, { cause });
  }
}

function entryKindProblem(entry: Entry): string | undefined {
  if (entry.isEncrypted()) return "is encrypted";
  if (!entry.canDecodeFileData())
    return `is packed by method ${entry.compressionMethod}, which is not supported`;
  // The upper half holds Unix modes where a Unix program made the entry.
  const type = (entry.externalFileAttributes >>> 16) & 0o170000;
  if (type === 0o120000) return "is a symbolic link";
  if (type !== 0 && type !== 0o100000 && type !== 0o040000) return "is neither a file nor a folder";
  return undefined;
}

async function unpackEntry(zip: ZipFile, entry: Entry, target: string, name: string): Promise<void> {
  let checksum = 0;
  const check = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      checksum = crc32(chunk, checksum);
      done(null, chunk);
    },
  });
  const refuse = (problem: string, cause?: unknown) =>
    new SourceError({ file: name }, `entry ${JSON.stringify(entry.fileName)} ${problem}`, { cause });
  try {
    const stream = await zip.openReadStreamPromise(entry);
    // "wx": what two entries would both write has been refused, and nothing else may be there.
    await pipeline(stream, check, createWriteStream(target, { flags: "wx" }));
  } catch (cause) {
    if (cause instanceof Error && "syscall" in cause) throw cause;
    throw refuse(`cannot be unpacked: ${messageOf(cause)}`, cause);
  }
  if (checksum !== entry.crc32) {
    throw refuse(`is damaged: expected checksum ${hex(entry.crc32)}, found ${hex(checksum)}`);
  }
}

const hex = (value: number): string => (value >>> 0).toString(16).padStart(8, "0");

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

async function exists(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    (error: NodeJS.ErrnoException) => {
      if (error.code === "ENOENT" || error.code === "ENOTDIR") return false;
      throw error;
    },
  );
}
