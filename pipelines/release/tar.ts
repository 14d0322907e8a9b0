/**
 * A release as one file, `<version>.tar.gz`. The same release gives the same bytes whatever the folder, umask, owner, time
 * and language: paths in one order, fixed modes, owner 0, one fixed time, and a gzip header without time and system.
 * (The compressed bytes are those of the zlib that Node.js brings along; another one may pack the same tar otherwise.)
 *
 * The tar format itself is node-tar's: its headers, written here one by one because its packer takes modes and links from
 * the file system, which would let the disk that a release was made on decide the bytes.
 */
import { createHash } from "node:crypto";
import { createReadStream, createWriteStream, readFileSync, statSync } from "node:fs";
import { open } from "node:fs/promises";
import { join } from "node:path";
import { Readable, Transform } from "node:stream";
import { pipeline } from "node:stream/promises";
import { createGzip } from "node:zlib";
import { Header, Pax } from "tar";
import { readSums, SUMS_FILE } from "../audit/checksums.js";
import { entriesOf, MODES, modeOf } from "./tree.js";

/** What an archive came to. */
export interface Packed {
  /** Size in bytes. */
  readonly bytes: number;
  readonly sha256: string;
}

const BLOCK = 512;

/** 1980-01-01: before any file of a release, and old enough for every archive format that knows no earlier time. */
const TIME = new Date(Date.UTC(1980, 0, 1));

interface Entry {
  readonly path: string;
  readonly mode: number;
  readonly type: "Directory" | "File" | "Link";
  readonly size: number;
  readonly linkpath?: string;
}

/** An entry's header; one with what does not fit before it where a path is long or no ASCII. */
function* headerOf(entry: Entry): Generator<Buffer> {
  const owner = { uid: 0, gid: 0, uname: "", gname: "", mtime: TIME };
  const header = new Header({ ...entry, ...owner });
  const block = Buffer.alloc(BLOCK);
  if (header.encode(block)) {
    const { path, size, linkpath } = entry;
    yield new Pax({ path, size, ...(linkpath === undefined ? {} : { linkpath }), ...owner }).encode();
  }
  yield block;
}

async function* bytesOf(path: string, size: number): AsyncGenerator<Buffer> {
  let read = 0;
  for await (const chunk of createReadStream(path, { highWaterMark: 1 << 18 }) as AsyncIterable<Buffer>) {
    read += chunk.length;
    yield chunk;
  }
  if (read !== size) throw new Error(`${path} changed while it was packed: ${size} bytes, then ${read}`);
  if (size % BLOCK > 0) yield Buffer.alloc(BLOCK - (size % BLOCK));
}

/**
 * The uncompressed archive of a release's folder. A database whose bytes are there under an earlier name is a link to it,
 * by the sums that the release lists, so that disks without links give the same bytes.
 */
async function* tarOf(folder: string, name: string): AsyncGenerator<Buffer> {
  const { listed } = readSums(readFileSync(join(folder, SUMS_FILE), "utf8"));
  const databases = new Map<string, string>();
  for (const { path, isFolder } of entriesOf(folder)) {
    const own = path === "" ? name : `${name}/${path}`;
    if (isFolder) {
      yield* headerOf({ path: `${own}/`, mode: MODES.folder, type: "Directory", size: 0 });
      continue;
    }
    const sum = path.startsWith("databases/") ? listed.get(path) : undefined;
    const first = sum === undefined ? undefined : databases.get(sum);
    if (first !== undefined) {
      yield* headerOf({ path: own, mode: modeOf(path), type: "Link", size: 0, linkpath: first });
      continue;
    }
    if (sum !== undefined) databases.set(sum, own);
    const file = join(folder, path);
    const { size } = statSync(file);
    yield* headerOf({ path: own, mode: modeOf(path), type: "File", size });
    yield* bytesOf(file, size);
  }
  yield Buffer.alloc(2 * BLOCK);
}

/** Where a gzip header names the system that packed it (RFC 1952); 255 is "unknown". */
const SYSTEM = 9;

function unnamedSystem(): Transform {
  let at = 0;
  return new Transform({
    transform(chunk: Buffer, _encoding, done): void {
      if (at <= SYSTEM && at + chunk.length > SYSTEM) chunk[SYSTEM - at] = 255;
      at += chunk.length;
      done(null, chunk);
    },
  });
}

/**
 * Packs a release's folder, whose SHA256SUMS is written, into a file that must not be there yet; it is on the disk when
 * this ends.
 *
 * @param name the archive's one top folder
 */
export async function packRelease(folder: string, name: string, target: string): Promise<Packed> {
  const hash = createHash("sha256");
  let bytes = 0;
  const counted = new Transform({
    transform(chunk: Buffer, _encoding, done): void {
      hash.update(chunk);
      bytes += chunk.length;
      done(null, chunk);
    },
  });
  const file = createWriteStream(target, { flags: "wx", mode: MODES.file });
  await pipeline(Readable.from(tarOf(folder, name)), createGzip(), unnamedSystem(), counted, file);
  const handle = await open(target, "r+");
  try {
    await handle.chmod(MODES.file);
    await handle.sync();
  } finally {
    await handle.close();
  }
  return { bytes, sha256: hash.digest("hex") };
}
