import { createHash } from "node:crypto";
import { createReadStream, readFileSync } from "node:fs";
import { stat } from "node:fs/promises";

export interface FileDigest {
  bytes: number;
  /** Hex. */
  sha256: string;
}

/** A stream costs more than the reading itself for the many small files that sources have. */
const SMALL = 4 * 1024 * 1024;

/** Size and sha256 of a file. */
export async function digestFile(path: string): Promise<FileDigest> {
  const hash = createHash("sha256");
  if ((await stat(path)).size <= SMALL) {
    // At once: the promise of a small file takes longer than the file.
    const content = readFileSync(path);
    return { bytes: content.length, sha256: hash.update(content).digest("hex") };
  }
  let bytes = 0;
  for await (const chunk of createReadStream(path, { highWaterMark: 1 << 20 })) {
    hash.update(chunk);
    bytes += chunk.length;
  }
  return { bytes, sha256: hash.digest("hex") };
}
