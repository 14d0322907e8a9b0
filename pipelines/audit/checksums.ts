import { existsSync, readdirSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join, relative, sep } from "node:path";
import { hashFile } from "../engine/files.js";

/** The file that lists every other file of a release with its sha256, in the form `sha256sum -c` reads. */
export const SUMS_FILE = "SHA256SUMS";

/** What a place where releases are published, or the tool that fetches from there, adds to a copy: no part of the release. */
const PLACES_OWN = /^(?:\.gitattributes$|\.git\/|\.cache\/huggingface\/)/;

/** Every file below a folder, relative, with forward slashes, sorted by code unit; the list itself left out. */
export function filesBelow(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => !entry.isDirectory())
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)).split(sep).join("/"))
    .filter((name) => name !== SUMS_FILE)
    .sort();
}

/** Entries below a folder that are neither plain files nor folders: links, pipes, devices. Relative, sorted. */
export function oddEntries(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => !entry.isDirectory() && !entry.isFile())
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)).split(sep).join("/"))
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

/** What is wrong with a release's files: changed, missing, not in the list, or a line of the list that cannot be read. */
export interface ChecksumFault {
  file: string;
  fault: "changed" | "missing" | "unlisted" | "misread";
}

/** A folder's list as it says (file → sha256), and how it and the folder differ. */
export interface ComparedSums {
  listed: Map<string, string>;
  faults: ChecksumFault[];
}

/** Reads a list; its faults are lines that cannot be read. */
export function readSums(text: string): ComparedSums {
  const listed = new Map<string, string>();
  const faults: ChecksumFault[] = [];
  const lines = text.split("\n");
  lines.forEach((line, index) => {
    if (line === "" && index === lines.length - 1) return;
    const parts = /^([0-9a-f]{64}) {2}(\S.*)$/.exec(line);
    if (parts === null || listed.has(parts[2]!))
      faults.push({ file: `${SUMS_FILE}, line ${index + 1}`, fault: "misread" });
    else listed.set(parts[2]!, parts[1]!);
  });
  return { listed, faults };
}

/**
 * Compares a folder with its list. What is no plain file is not opened: a pipe would never end.
 *
 * @param odd what `oddEntries` found
 */
export async function compareSums(
  folder: string,
  odd: ReadonlySet<string> = new Set(),
): Promise<ComparedSums> {
  if (!existsSync(join(folder, SUMS_FILE)))
    return { listed: new Map(), faults: [{ file: SUMS_FILE, fault: "missing" }] };
  const { listed, faults } = readSums(await readFile(join(folder, SUMS_FILE), "utf8"));
  const present = new Set(filesBelow(folder));
  for (const [file, sha256] of listed) {
    if (odd.has(file)) continue;
    if (!present.has(file)) faults.push({ file, fault: "missing" });
    else if ((await hashFile(join(folder, file))).sha256 !== sha256) faults.push({ file, fault: "changed" });
  }
  for (const file of present)
    if (!listed.has(file) && !odd.has(file) && !PLACES_OWN.test(file))
      faults.push({ file, fault: "unlisted" });
  return { listed, faults };
}
