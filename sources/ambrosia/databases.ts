import { open } from "node:fs/promises";
import { join } from "node:path";
import { digestFile, type FileDigest } from "../fetch/hash.js";

/** Where a question's database is in this copy of the source. `path` is relative to the source's folder. */
export type LocatedAmbrosiaDatabase =
  | ({ kind: "sqlite"; path: string } & FileDigest)
  | { kind: "missing"; path: string; reason: string };

const SQLITE_MAGIC = "SQLite format 3\0";

/** Looks for a database; a Git LFS pointer or another file in its place counts as missing, with the reason. */
export async function locateAmbrosiaDatabase(
  root: string,
  db_file: string,
): Promise<LocatedAmbrosiaDatabase> {
  const file = await open(join(root, db_file)).catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT" || error.code === "ENOTDIR") return undefined;
    throw error;
  });
  if (file === undefined) return { kind: "missing", path: db_file, reason: "it is not in this copy" };
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(40), 0, 40, 0);
    const head = buffer.toString("latin1", 0, bytesRead);
    if (!head.startsWith(SQLITE_MAGIC)) {
      const is = head.startsWith("version https://git-lfs") ? "a Git LFS pointer" : "not a SQLite file";
      return { kind: "missing", path: db_file, reason: `the file is ${bytesRead === 0 ? "empty" : is}` };
    }
  } finally {
    await file.close();
  }
  return { kind: "sqlite", path: db_file, ...(await digestFile(join(root, db_file))) };
}
