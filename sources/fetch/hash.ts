import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";

export interface FileDigest {
  bytes: number;
  /** Hex. */
  sha256: string;
}

/** Size and sha256 of a file, read once as a stream. */
export async function digestFile(path: string): Promise<FileDigest> {
  const hash = createHash("sha256");
  let bytes = 0;
  for await (const chunk of createReadStream(path, { highWaterMark: 1 << 20 })) {
    hash.update(chunk);
    bytes += chunk.length;
  }
  return { bytes, sha256: hash.digest("hex") };
}
