import { join } from "node:path";
import { filesBelow } from "../../audit/checksums.js";
import { hashFile } from "../../engine/files.js";

/** A file of a release: its path with forward slashes, its size and what is in it. */
export interface ReleaseFile {
  path: string;
  bytes: number;
  sha256: string;
}

/** Every file that a release in the making holds now, SHA256SUMS left out, sorted by path. */
export async function releaseFiles(folder: string): Promise<ReleaseFile[]> {
  const files: ReleaseFile[] = [];
  for (const path of filesBelow(folder)) files.push({ path, ...(await hashFile(join(folder, path))) });
  return files;
}
