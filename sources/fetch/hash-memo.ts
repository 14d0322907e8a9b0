import { mkdir, readFile, rename, stat, writeFile } from "node:fs/promises";
import { dirname } from "node:path";
import { digestFile, type FileDigest } from "./hash.js";

/** [size, modified, changed (both ns), inode, sha256]. */
type Entry = [string, string, string, string, string];

/** A file that changed this recently could change again without its times telling. */
const SETTLED_AFTER_NS = 2_000_000_000n;

/**
 * Digests of files that have not been touched since they were last read, so that a source of 30 GB is not read again for
 * every build. A cache: losing or deleting its file only costs time.
 */
export class HashMemo {
  private readonly file: string;
  private readonly entries: Map<string, Entry>;
  private dirty = false;

  private constructor(file: string, entries: Map<string, Entry>) {
    this.file = file;
    this.entries = entries;
  }

  static async open(file: string): Promise<HashMemo> {
    const text = await readFile(file, "utf8").catch((error: NodeJS.ErrnoException) => {
      if (error.code === "ENOENT") return "{}";
      throw error;
    });
    return new HashMemo(file, parse(text));
  }

  async digest(path: string): Promise<FileDigest> {
    const before = await stat(path, { bigint: true });
    const marks = [before.size, before.mtimeNs, before.ctimeNs, before.ino].map(String);
    const known = this.entries.get(path);
    if (known !== undefined && marks.every((mark, at) => known[at] === mark)) {
      return { bytes: Number(before.size), sha256: known[4] };
    }
    const now = BigInt(Date.now()) * 1_000_000n;
    const digest = await digestFile(path);
    const [size, modified, changed, inode] = marks;
    if (size && modified && changed && inode && now - before.ctimeNs > SETTLED_AFTER_NS) {
      this.entries.set(path, [size, modified, changed, inode, digest.sha256]);
      this.dirty = true;
    }
    return digest;
  }

  async save(): Promise<void> {
    if (!this.dirty) return;
    await mkdir(dirname(this.file), { recursive: true });
    const temporary = `${this.file}.${process.pid}`;
    await writeFile(temporary, JSON.stringify(Object.fromEntries(this.entries)));
    await rename(temporary, this.file);
    this.dirty = false;
  }
}

function parse(text: string): Map<string, Entry> {
  const entries = new Map<string, Entry>();
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    // A cache that was cut off is an empty cache.
    if (error instanceof SyntaxError) return entries;
    throw error;
  }
  if (typeof value !== "object" || value === null) return entries;
  for (const [path, entry] of Object.entries(value)) {
    if (isEntry(entry)) entries.set(path, entry);
  }
  return entries;
}

const isEntry = (value: unknown): value is Entry =>
  Array.isArray(value) && value.length === 5 && value.every((part) => typeof part === "string");
