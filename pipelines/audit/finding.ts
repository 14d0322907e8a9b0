import { FINDING_CODES, type FindingCode } from "./codes.js";

/** How much a finding weighs: an `error` fails the check; a `warning` is printed and counted; `info` is counted. */
export type Severity = "error" | "warning" | "info";

/** One thing that a check has to say: what, where, and what to do about it. Codes are stable (codes.ts). */
export interface Finding {
  severity: Severity;
  code: FindingCode;
  /** A record id, or a file and line. */
  place: string;
  message: string;
  remedy: string;
  /** Which dataset it is about, where it is about one. */
  dataset?: string;
}

const finding =
  (severity: Severity) =>
  (
    code: FindingCode,
    place: string,
    message: string,
    remedy: string = FINDING_CODES[code].remedy,
  ): Finding => ({ severity, code, place, message, remedy });

/** A finding that fails the check. */
export const error = finding("error");

/** A finding that is printed and counted. */
export const warning = finding("warning");

/** Something that a reader should know and nobody has to mend. */
export const info = finding("info");

/** Findings of one code and severity. */
export interface FindingCount {
  code: FindingCode;
  severity: Severity;
  count: number;
}

/** Findings by code, with severity, most serious first and then by code. */
export function countFindings(findings: readonly Finding[]): FindingCount[] {
  const counts = new Map<string, FindingCount>();
  for (const { code, severity } of findings) {
    const key = `${severity} ${code}`;
    const known = counts.get(key) ?? { code, severity, count: 0 };
    known.count += 1;
    counts.set(key, known);
  }
  const weight: Severity[] = ["error", "warning", "info"];
  return [...counts.values()].sort(
    (a, b) => weight.indexOf(a.severity) - weight.indexOf(b.severity) || (a.code < b.code ? -1 : 1),
  );
}
