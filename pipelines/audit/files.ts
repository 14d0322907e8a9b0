import { existsSync } from "node:fs";
import { join } from "node:path";
import type { Checks } from "./checks.js";
import { type ChecksumFault, compareSums, filesBelow, oddEntries, SUMS_FILE } from "./checksums.js";
import { error, type Finding } from "./finding.js";
import { LONGEST_LINE, textFault } from "./text-soundness.js";

/** What the files say before any of them is read as what it is. */
export interface CheckedFiles {
  findings: Finding[];
  /** File → sha256, as SHA256SUMS lists it; it goes on to the other checks. */
  listed: ReadonlyMap<string, string>;
  /** Every plain file that is here, SHA256SUMS left out. */
  present: readonly string[];
  /** A file that may not be read: it is no plain one, or has a line without end. */
  unsafe: boolean;
  /** Whether a line of SHA256SUMS could not be read. */
  misread: boolean;
}

const WORDS: Record<ChecksumFault["fault"], string> = {
  changed: "is not what SHA256SUMS says",
  missing: "is not there",
  unlisted: "is not in SHA256SUMS",
  misread: "is no sha256 and file name of its own",
};

const isText = (file: string): boolean => /\.(?:jsonl|json|md|txt|csv)$/.test(file);

/** Text files that are no UTF-8 or have a line that is too long. */
async function unsound(path: string, files: readonly string[]): Promise<Finding[]> {
  const findings: Finding[] = [];
  for (const file of files) {
    const fault = await textFault(join(path, file));
    if (fault === undefined) continue;
    const message =
      fault.code === "not_utf8"
        ? "the line holds bytes that are no UTF-8"
        : `the line is longer than ${LONGEST_LINE / 1024 / 1024} MiB`;
    findings.push(error(fault.code, `${file}, line ${fault.line}`, message));
  }
  return findings;
}

/**
 * Whether the files are those that SHA256SUMS lists, plain ones, and the text in them text. No link is followed and no
 * pipe opened.
 */
export async function checkFiles(path: string, checks: Checks): Promise<CheckedFiles> {
  const odd = new Set(oddEntries(path));
  const findings = [...odd].map((file) =>
    error("file_kind", file, "is a link, a pipe or a device; it was not opened"),
  );
  // A list that is a link is not read either.
  const { listed, faults } = odd.has(SUMS_FILE)
    ? { listed: new Map<string, string>(), faults: [] }
    : await compareSums(path, odd);
  findings.push(...faults.map(({ file, fault }) => error(`file_${fault}`, file, `${file} ${WORDS[fault]}`)));
  checks.add("files' hashes against SHA256SUMS", listed.size);
  const present = filesBelow(path).filter((file) => !odd.has(file));
  const texts = [...present.filter(isText), ...(existsSync(join(path, SUMS_FILE)) ? [SUMS_FILE] : [])];
  const faulty = await unsound(path, odd.has(SUMS_FILE) ? texts.slice(0, -1) : texts);
  findings.push(...faulty);
  checks.add("text files read through for UTF-8", texts.length);
  const unsafe = odd.size > 0 || faulty.some(({ code }) => code === "line_too_long");
  const misread = faults.some(({ fault }) => fault === "misread");
  return { findings, listed, present, unsafe, misread };
}
