import { open } from "node:fs/promises";
import { join } from "node:path";
import { digestFile, type FileDigest } from "../fetch/hash.js";

/** Where a TACO database is, relative to the source's folder; `broken` is a file by the right name that is none. */
export type TacoDatabase =
  | ({ kind: "sqlite"; path: string } & FileDigest)
  | { kind: "missing" | "broken"; reason: string };

const SQLITE_MAGIC = "SQLite format 3\0";
const LFS_POINTER = "version https://git-lfs";

/**
 * The database `<folder>/<name>/<name>.db`. A Git LFS pointer or no file at all is `missing`, because the copy lacks it;
 * other text by that name is `broken`. Whether it opens is for its reader to find out.
 *
 * @param name from a query file, checked to be a name and not a path
 */
export async function locateTacoDatabase(root: string, folder: string, name: string): Promise<TacoDatabase> {
  const path = `${folder}/${name}/${name}.db`;
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
