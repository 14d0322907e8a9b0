import { createHash } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { FileDigest } from "../fetch/hash.js";

/** Where a question's database is in this copy of the source. `path` is relative to the source's folder. */
export type LocatedAmbrosiaDatabase =
  | ({ kind: "sqlite"; path: string } & FileDigest)
  | { kind: "missing"; path: string; reason: string };

const SQLITE_MAGIC = "SQLite format 3\0";

/** Looks for a database; a Git LFS pointer or another file in its place counts as missing, with the reason. */
export function locateAmbrosiaDatabase(root: string, db_file: string): LocatedAmbrosiaDatabase {
  const missing = (reason: string): LocatedAmbrosiaDatabase => ({ kind: "missing", path: db_file, reason });
  const file = join(root, db_file);
  if (!existsSync(file)) return missing("it is not in this copy");
  // Read at once: upstream's databases have some 30 kB, and hundreds of streams cost more than the reading.
  const bytes = readFileSync(file);
  const head = bytes.toString("latin1", 0, 40);
  if (!head.startsWith(SQLITE_MAGIC)) {
    const is = head.startsWith("version https://git-lfs") ? "a Git LFS pointer" : "not a SQLite file";
    return missing(`the file is ${bytes.length === 0 ? "empty" : is}`);
  }
  const sha256 = createHash("sha256").update(bytes).digest("hex");
  return { kind: "sqlite", path: db_file, bytes: bytes.length, sha256 };
}
