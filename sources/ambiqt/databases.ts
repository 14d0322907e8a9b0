import { open, stat } from "node:fs/promises";
import { join } from "node:path";
import { SourceError } from "../../pipelines/errors.js";
import type { FileDigest } from "../fetch/hash.js";
import { digestFile } from "../fetch/hash.js";
import { pathNameProblem } from "../row-check.js";

/** Where a Spider database is. Paths are relative to the source's folder, with forward slashes. */
export type LocatedDatabase =
  | ({ kind: "sqlite"; path: string } & FileDigest)
  | ({ kind: "sql"; path: string } & FileDigest)
  /** A file by the right name that is no SQLite database: bad input, not a gap in the copy. */
  | { kind: "broken"; reason: string }
  | { kind: "missing"; reason: string };

/** AmbiQT's own layout first, then Spider's archive as it unpacks. */
const FOLDERS = ["spider/database", "database"] as const;
const LFS_POINTER = "a Git LFS pointer, not the file it points to";
const SQLITE_MAGIC = Buffer.from("SQLite format 3\0", "latin1");

/**
 * The file of a Spider database: `<db>/<db>.sqlite`, else its SQL text `<db>/<db>.sql` or `<db>/schema.sql`. A file by
 * the right name that is not a database (empty, or text) is `broken`; a Git LFS pointer stands for a file that is missing. Whether a
 * database opens or an SQL text loads is for its reader to find out.
 *
 * @throws SourceError when `db_id` could leave the folder.
 */
export async function locateDatabase(root: string, db_id: string): Promise<LocatedDatabase> {
  const problem = pathNameProblem(db_id);
  if (problem !== undefined) {
    throw new SourceError({ file: FOLDERS[0], field: "db_id" }, `${JSON.stringify(db_id)} ${problem}`);
  }
  const passedOver: string[] = [];
  for (const folder of FOLDERS) {
    const path = `${folder}/${db_id}/${db_id}.sqlite`;
    const state = await sqliteState(join(root, path));
    if (state === "sqlite") return { kind: "sqlite", path, ...(await digestFile(join(root, path))) };
    if (state !== "absent") passedOver.push(`${path} is ${state}`);
  }
  for (const folder of FOLDERS) {
    for (const name of [`${db_id}.sql`, "schema.sql"]) {
      const path = `${folder}/${db_id}/${name}`;
      if (await isFile(join(root, path)))
        return { kind: "sql", path, ...(await digestFile(join(root, path))) };
    }
  }
  const broken = passedOver.filter((text) => !text.includes(LFS_POINTER));
  if (broken.length > 0) return { kind: "broken", reason: broken.join("; ") };
  const reason =
    passedOver.length > 0
      ? passedOver.join("; ")
      : `neither ${db_id}.sqlite nor ${db_id}.sql nor schema.sql is in ${FOLDERS.map((folder) => `${folder}/${db_id}`).join(" or ")}`;
  return { kind: "missing", reason };
}

async function isFile(path: string): Promise<boolean> {
  const found = await stat(path).catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT" || error.code === "ENOTDIR") return undefined;
    throw error;
  });
  return found?.isFile() ?? false;
}

async function sqliteState(path: string): Promise<"sqlite" | "absent" | string> {
  if (!(await isFile(path))) return "absent";
  const file = await open(path);
  try {
    const head = Buffer.alloc(128);
    const { bytesRead } = await file.read(head, 0, head.length, 0);
    if (bytesRead === 0) return "an empty file";
    if (head.subarray(0, SQLITE_MAGIC.length).equals(SQLITE_MAGIC)) return "sqlite";
    return head.toString("latin1", 0, bytesRead).startsWith("version https://git-lfs")
      ? LFS_POINTER
      : "not a SQLite file";
  } finally {
    await file.close();
  }
}
