/** How much a finding weighs: an `error` fails the check; a `warning` is printed and counted; `info` is counted. */
export type Severity = "error" | "warning" | "info";

/** One thing that a check has to say: what, where, and what to do about it. Codes are stable. */
export interface Finding {
  severity: Severity;
  code: string;
  /** A record id, or a file and line. */
  place: string;
  message: string;
  remedy?: string;
}

/** A finding that fails the check. */
export const error = (code: string, place: string, message: string, remedy?: string): Finding => ({
  severity: "error",
  code,
  place,
  message,
  ...(remedy === undefined ? {} : { remedy }),
});

/** A finding that is printed and counted. */
export const warning = (code: string, place: string, message: string): Finding => ({
  severity: "warning",
  code,
  place,
  message,
});

/** Findings by code, with severity, most serious first and then by code. */
export function countFindings(
  findings: readonly Finding[],
): { code: string; severity: Severity; count: number }[] {
  const counts = new Map<string, { code: string; severity: Severity; count: number }>();
  for (const { code, severity } of findings) {
    const known = counts.get(code) ?? { code, severity, count: 0 };
    known.count += 1;
    counts.set(code, known);
  }
  const weight: Severity[] = ["error", "warning", "info"];
  return [...counts.values()].sort(
    (a, b) => weight.indexOf(a.severity) - weight.indexOf(b.severity) || (a.code < b.code ? -1 : 1),
  );
}
