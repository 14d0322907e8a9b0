import { createHash, randomBytes } from "node:crypto";
import {
  chmodSync,
  copyFileSync,
  createReadStream,
  existsSync,
  linkSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { dirname, join, resolve } from "node:path";

/** A file that a stage made, named by what is in it. */
export interface FileRef {
  sha256: string;
  /** Size in bytes. */
  bytes: number;
}

/** A stream and its buffers cost more than the reading itself for the many small databases of a build. */
const SMALL = 4 * 1024 * 1024;

/** sha256 of a file; streamed, where it is large. */
export async function hashFile(path: string): Promise<FileRef> {
  const hash = createHash("sha256");
  if (statSync(path).size <= SMALL) {
    const content = readFileSync(path);
    return { sha256: hash.update(content).digest("hex"), bytes: content.length };
  }
  let bytes = 0;
  for await (const chunk of createReadStream(path, { highWaterMark: 1 << 20 }) as AsyncIterable<Buffer>) {
    hash.update(chunk);
    bytes += chunk.length;
  }
  return { sha256: hash.digest("hex"), bytes };
}

const NO_LINKS = ["EXDEV", "EPERM", "EMLINK", "ENOTSUP"];

/** Puts a file at `target`: a hard link where the file system can make one, else a copy. */
export function linkOrCopy(from: string, target: string): void {
  mkdirSync(dirname(target), { recursive: true });
  try {
    linkSync(from, target);
  } catch (error) {
    if (!NO_LINKS.includes((error as { code?: string }).code ?? "")) throw error;
    copyFileSync(from, target);
  }
}

/** Whether a process of that id runs; one of another user counts. */
function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as { code?: string }).code === "EPERM";
  }
}

/**
 * Files that stages make (databases), stored once by content. Builds link to them, so a build folder costs no second
 * copy; they are made read-only because a changed one would be a lie, and each is hashed again before it is trusted.
 */
export class FileStore {
  readonly #folder: string;
  readonly #verified = new Map<string, boolean>();
  /** Folders that are there: there are 256 of them for any number of files. */
  readonly #made = new Set<string>();

  constructor(folder: string) {
    // Absolute, because the SQL sandbox runs elsewhere.
    this.#folder = resolve(folder);
    const scratch = join(folder, "tmp");
    mkdirSync(scratch, { recursive: true });
    // What a killed process was writing is nobody's any more.
    for (const name of readdirSync(scratch)) {
      if (!isAlive(Number.parseInt(name, 10))) rmSync(join(scratch, name), { force: true });
    }
  }

  /** Where a stored file lies. It is only there if `has` says so. */
  path(file: FileRef): string {
    return join(this.#folder, file.sha256.slice(0, 2), file.sha256);
  }

  /** Whether the file is here and still holds what its name says. */
  async has(file: FileRef): Promise<boolean> {
    const known = this.#verified.get(file.sha256);
    if (known !== undefined) return known;
    const path = this.path(file);
    let good = false;
    if (existsSync(path) && statSync(path).size === file.bytes) {
      good = (await hashFile(path)).sha256 === file.sha256;
    }
    this.#verified.set(file.sha256, good);
    return good;
  }

  /** A path of its own where a stage may write a file that `adopt` then takes in. */
  scratch(): string {
    return join(this.#folder, "tmp", `${process.pid}-${randomBytes(6).toString("hex")}`);
  }

  /**
   * Moves a scratch file into the store under its content's name.
   *
   * @param known what is in it, where whoever wrote it has just hashed it
   */
  async adopt(scratch: string, known?: FileRef): Promise<FileRef> {
    const file = known ?? (await hashFile(scratch));
    if (await this.has(file)) rmSync(scratch);
    else this.#move(scratch, file);
    return file;
  }

  /** Takes a copy of any file into the store; a small one is read once and not again to be hashed. */
  async takeCopy(path: string): Promise<FileRef> {
    const scratch = this.scratch();
    if (statSync(path).size > SMALL) {
      copyFileSync(path, scratch);
      return this.adopt(scratch);
    }
    const content = readFileSync(path);
    const file = { sha256: createHash("sha256").update(content).digest("hex"), bytes: content.length };
    if (await this.has(file)) return file;
    writeFileSync(scratch, content);
    this.#move(scratch, file);
    return file;
  }

  #move(scratch: string, file: FileRef): void {
    const path = this.path(file);
    const home = dirname(path);
    if (!this.#made.has(home)) mkdirSync(home, { recursive: true });
    this.#made.add(home);
    chmodSync(scratch, 0o444);
    renameSync(scratch, path);
    this.#verified.set(file.sha256, true);
  }

  /** Puts a stored file at `target`. */
  place(file: FileRef, target: string): void {
    linkOrCopy(this.path(file), target);
  }
}
