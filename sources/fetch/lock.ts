import { createHash } from "node:crypto";
import { mkdir, readFile, rename, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { Ajv2020 } from "ajv/dist/2020.js";
import { Interrupted, SourceError, SourceErrors, UserError } from "../../pipelines/errors.js";
import { PACKAGE_ROOT } from "../../pipelines/package-root.js";
import type { LockedFile, SourceLock } from "../../schemas/types/source-lock.js";
import type { Artefact, SourceManifest, SourceName } from "../manifest.js";
import { UNKNOWN_RELEASE } from "../manifest.js";
import type { FoundArtefacts } from "./artefacts.js";
import type { FileDigest } from "./hash.js";
import type { HashMemo } from "./hash-memo.js";

/** Where a source is kept: `<out>/sources/<source>`. */
export const sourceFolder = (out: string, source: SourceName): string => join(out, "sources", source);

export const lockFile = (out: string, source: SourceName): string =>
  join(sourceFolder(out, source), "lock.json");

/**
 * Hashes what was found in `folder` and describes it. Files with an exact hash in the manifest must have it; files with
 * known releases get the name of theirs, or `unknown`.
 *
 * @throws SourceError or SourceErrors naming each file that is not what it must be, with what was expected and found.
 */
export async function describeFiles(
  manifest: SourceManifest,
  folder: string,
  found: FoundArtefacts,
  memo: HashMemo,
  signal?: AbortSignal,
): Promise<LockedFile[]> {
  // An archive's content is what is read and locked; the archive itself may go.
  const read = found.present.filter(({ artefact }) => artefact.kind !== "archive");
  const digests = await digestAll(
    folder,
    read.flatMap((one) => one.files),
    memo,
    signal,
  );
  const files = new Map<string, LockedFile>();
  const errors: SourceError[] = [];
  for (const { artefact, files: paths } of read) {
    for (const path of paths) {
      const digest = digests.get(path);
      if (digest === undefined) throw new Error(`${path} was not hashed`);
      const problem = artefact.kind === "file" ? mismatch(artefact, digest) : undefined;
      if (problem !== undefined) errors.push(new SourceError({ file: path }, problem));
      const release = files.get(path)?.release ?? releaseOf(artefact, digest.sha256);
      files.set(path, { path, ...digest, ...(release === undefined ? {} : { release }) });
    }
  }
  const [first] = errors;
  if (first !== undefined) throw errors.length === 1 ? first : new SourceErrors(manifest.source, errors);
  return [...files.values()].sort((a, b) => (a.path < b.path ? -1 : 1));
}

/** Several at a time: a source of thousands of small files is bound by opening them, not by hashing. */
async function digestAll(
  folder: string,
  paths: string[],
  memo: HashMemo,
  signal: AbortSignal | undefined,
): Promise<Map<string, FileDigest>> {
  const digests = new Map<string, FileDigest>();
  const waiting = [...new Set(paths)].values();
  const worker = async (): Promise<void> => {
    for (const path of waiting) {
      if (signal?.aborted) throw new Interrupted();
      digests.set(path, await memo.digest(join(folder, path)));
    }
  };
  await Promise.all(Array.from({ length: 8 }, worker));
  return digests;
}

function mismatch(artefact: Artefact, digest: { bytes: number; sha256: string }): string | undefined {
  if (artefact.bytes !== undefined && artefact.bytes !== digest.bytes) {
    return `expected ${artefact.bytes} bytes, found ${digest.bytes}`;
  }
  if (artefact.sha256 !== undefined && artefact.sha256 !== digest.sha256) {
    return `expected sha256 ${artefact.sha256}, found ${digest.sha256}`;
  }
  return undefined;
}

function releaseOf(artefact: Artefact, sha256: string): string | undefined {
  if (artefact.releases === undefined) return undefined;
  return artefact.releases.find((release) => release.sha256 === sha256)?.name ?? UNKNOWN_RELEASE;
}

/** The lock of a source that is held in one of the three ways. */
export function makeLock(
  manifest: SourceManifest,
  files: LockedFile[],
  held: SourceLock["held"],
  adoptedFrom: string | null,
): SourceLock {
  const { id, url, attribution } = manifest.licence;
  const listing = files.map((file) => `${file.sha256}  ${file.path}\n`).join("");
  const hash = createHash("sha256").update(listing).digest("hex").slice(0, 12);
  const order = manifest.artefacts.filter((one) => one.releases !== undefined);
  const main = order.flatMap((one) => [one.path, ...(one.alternatives ?? [])]);
  const release = main.map((path) => files.find((file) => file.path === path)?.release).find((name) => name);
  return {
    schema_version: "1.0.0",
    source: manifest.source,
    source_version: `${release ?? UNKNOWN_RELEASE}+${hash}`,
    held,
    adopted_from: adoptedFrom,
    licence: { id, ...(url === undefined ? {} : { url }), attribution },
    redistribution: manifest.redistribution,
    files,
  };
}

/** Writes the lock, always the same bytes for the same content, in one step. */
export async function writeLock(out: string, lock: SourceLock): Promise<void> {
  await mkdir(sourceFolder(out, lock.source), { recursive: true });
  const file = lockFile(out, lock.source);
  const temporary = `${file}.${process.pid}`;
  await writeFile(temporary, `${JSON.stringify(lock, null, 2)}\n`);
  await rename(temporary, file);
}

let isLock: ((value: unknown) => value is SourceLock) | undefined;

async function lockValidator(): Promise<(value: unknown) => value is SourceLock> {
  if (isLock === undefined) {
    const text = await readFile(join(PACKAGE_ROOT, "schemas", "source-lock.schema.json"), "utf8");
    isLock = new Ajv2020().compile<SourceLock>(JSON.parse(text));
  }
  return isLock;
}

/**
 * The lock of a source, or undefined when the source has never been taken in.
 *
 * @throws UserError when there is a lock that is not one.
 */
export async function readLock(out: string, source: SourceName): Promise<SourceLock | undefined> {
  const file = lockFile(out, source);
  let value: unknown;
  try {
    value = JSON.parse(await readFile(file, "utf8"));
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return undefined;
    if (!(error instanceof SyntaxError)) throw error;
  }
  const valid = await lockValidator();
  if (valid(value) && value.source === source) return value;
  throw new UserError(`${file} is not a lock of source ${source}`, {
    remedy: `delete it and run: ambitab fetch ${source}`,
  });
}
