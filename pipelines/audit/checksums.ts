import { readdirSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join, relative, sep } from "node:path";
import { hashFile } from "../engine/files.js";

/** The file that lists every other file of a release with its sha256, in the form `sha256sum -c` reads. */
export const SUMS_FILE = "SHA256SUMS";

/** Every file below a folder, relative, with forward slashes, sorted by code unit; the list itself left out. */
export function filesBelow(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => !entry.isDirectory())
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)).split(sep).join("/"))
    .filter((name) => name !== SUMS_FILE)
    .sort();
}

/** The text of the list for what is in a folder now. */
export async function checksums(folder: string): Promise<string> {
  const lines: string[] = [];
  for (const name of filesBelow(folder)) {
    const { sha256 } = await hashFile(join(folder, name));
    lines.push(`${sha256}  ${name}\n`);
  }
  return lines.join("");
}

/** What is wrong with a release's files: changed, missing, or not in the list. */
export interface ChecksumFault {
  file: string;
  fault: "changed" | "missing" | "unlisted";
}

/** Compares a folder with its list. */
export async function checksumFaults(folder: string): Promise<ChecksumFault[]> {
  const text = await readFile(join(folder, SUMS_FILE), "utf8");
  const listed = new Map(
    text
      .split("\n")
      .filter((line) => line !== "")
      .map((line) => [line.slice(66), line.slice(0, 64)] as const),
  );
  const present = new Set(filesBelow(folder));
  const faults: ChecksumFault[] = [];
  for (const [file, sha256] of listed) {
    if (!present.has(file)) faults.push({ file, fault: "missing" });
    else if ((await hashFile(join(folder, file))).sha256 !== sha256) faults.push({ file, fault: "changed" });
  }
  for (const file of present) if (!listed.has(file)) faults.push({ file, fault: "unlisted" });
  return faults;
}
