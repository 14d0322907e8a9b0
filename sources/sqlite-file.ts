import { open } from "node:fs/promises";
import { join } from "node:path";
import { digestFile, type FileDigest } from "./fetch/hash.js";

/** A database file of a source, relative to the source's folder; `broken` is a file by the right name that is none. */
export type SqliteFile =
  | ({ kind: "sqlite"; path: string } & FileDigest)
  | { kind: "missing" | "broken"; reason: string };

const SQLITE_MAGIC = "SQLite format 3\0";
const LFS_POINTER = "version https://git-lfs";

/**
 * Looks at a database file and hashes it. A Git LFS pointer or no file at all is `missing`, because the copy lacks it;
 * other content by that name is `broken`. Whether it opens is for its reader to find out.
 *
 * @param path relative to `root`, with forward slashes, made of names that were checked
 */
export async function sqliteFile(root: string, path: string): Promise<SqliteFile> {
  const file = await open(join(root, path)).catch((error: NodeJS.ErrnoException) => {
    if (["ENOENT", "ENOTDIR", "ENAMETOOLONG"].includes(error.code ?? "")) return undefined;
    throw error;
  });
  if (file === undefined) return { kind: "missing", reason: `${path} is not there` };
  try {
    if (!(await file.stat()).isFile()) return { kind: "missing", reason: `${path} is not a file` };
    const head = Buffer.alloc(64);
    const { bytesRead } = await file.read(head, 0, head.length, 0);
    const text = head.toString("latin1", 0, bytesRead);
    if (text.startsWith(LFS_POINTER)) {
      return { kind: "missing", reason: `${path} is a Git LFS pointer, not the file it points to` };
    }
    if (!text.startsWith(SQLITE_MAGIC)) {
      return {
        kind: "broken",
        reason: `${path} is ${bytesRead === 0 ? "an empty file" : "not a SQLite file"}`,
      };
    }
  } finally {
    await file.close();
  }
  return { kind: "sqlite", path, ...(await digestFile(join(root, path))) };
}
