import { countFindings, type Finding } from "../../pipelines/audit/finding.js";
import { columns } from "./say.js";

/** Findings as a person reads them: counts first, then every error, then a few of each other kind. */
export function findingsText(findings: readonly Finding[], shownOfEach = 3): string {
  if (findings.length === 0) return "nothing found";
  const counts = countFindings(findings);
  const table = columns(
    ["severity", "code", "count"],
    counts.map(({ severity, code, count }) => [severity, code, String(count)]),
    [2],
  );
  const shown = counts.flatMap(({ code, severity }) => {
    const all = findings.filter((one) => one.code === code);
    const some = severity === "error" ? all.slice(0, 50) : all.slice(0, shownOfEach);
    const lines = some.map(({ place, message }) => `  ${severity} ${code}: ${place}: ${message}`);
    if (all.length > some.length)
      lines.push(`  … ${all.length - some.length} more ${code} (--json lists all)`);
    return lines;
  });
  return [table, "", ...shown].join("\n");
}
