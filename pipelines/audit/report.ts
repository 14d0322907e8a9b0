/** What an audit says, as text, as one HTML page and as JSON. */
import { STYLE } from "../evaluation/report/document/style.js";
import type { Check } from "./checks.js";
import { FINDING_CODES } from "./codes.js";
import { countFindings, type Finding, type FindingCount, type Severity } from "./finding.js";

/** All that an audit came to. */
export interface AuditReport {
  /** Whether no finding is an error. */
  passed: boolean;
  /** The release's version, and the hash of its SHA256SUMS; null for one too damaged to be opened. */
  release: string | null;
  hash: string | null;
  checks: readonly Check[];
  findings: readonly Finding[];
}

export const AUDIT_FORMATS = ["text", "html", "json"] as const;
export type AuditFormat = (typeof AUDIT_FORMATS)[number];

/** Places that are shown of each code; errors are shown more fully. */
const SHOWN: Record<Severity, number> = { error: 50, warning: 3, info: 3 };
/** The page shows more, for it can be scrolled. */
const SHOWN_ON_PAGE = 500;

const grouped = (value: number): string => String(value).replace(/\B(?=(\d{3})+$)/g, ",");

const plural = (count: number, one: string): string => `${grouped(count)} ${one}${count === 1 ? "" : "s"}`;

/** `2 errors, 63 warnings`; `nothing found`. */
export function verdictText(findings: readonly Finding[]): string {
  const of = (severity: Severity): number => findings.filter((one) => one.severity === severity).length;
  const parts = [
    ...(of("error") > 0 ? [plural(of("error"), "error")] : []),
    ...(of("warning") > 0 ? [plural(of("warning"), "warning")] : []),
    ...(of("info") > 0 ? [plural(of("info"), "note")] : []),
  ];
  return parts.length === 0 ? "nothing found" : parts.join(", ");
}

/** Findings of one code by dataset, where they are about one: `ambiqt 64, ambrosia 15`. */
export function byDataset(findings: readonly Finding[]): string {
  const counts = new Map<string, number>();
  for (const { dataset } of findings)
    if (dataset !== undefined) counts.set(dataset, (counts.get(dataset) ?? 0) + 1);
  return [...counts]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, count]) => `${name} ${grouped(count)}`)
    .join(", ");
}

const ofCount = (findings: readonly Finding[], { code, severity }: FindingCount): Finding[] =>
  findings.filter((one) => one.code === code && one.severity === severity);

/** The remedies of findings of one code: mostly one. */
const remediesOf = (findings: readonly Finding[]): string[] => [
  ...new Set(findings.map(({ remedy }) => remedy)),
];

const checkText = ({ what, checked, left_out }: Check): string => {
  const why =
    left_out === undefined ? "" : checked === 0 ? `not looked at: ${left_out}` : `in part: ${left_out}`;
  const count = checked === 0 && left_out !== undefined ? "–" : grouped(checked);
  return `${count.padStart(9)}  ${what}${why === "" ? "" : ` (${why})`}`;
};

/** Control characters in what was audited must not reach a terminal. */
const tame = (text: string): string =>
  text.replace(
    /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u2028\u2029\u202a-\u202e\u2066-\u2069]/g,
    (one) => `\\u${one.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );

/** The report for a terminal: what was checked, then findings by code, the first places of each. */
export function auditText({ release, hash, checks, findings }: AuditReport, shown = SHOWN): string {
  const lines = [
    `release ${release ?? "that cannot be opened"}, ${hash ?? "no hash"}`,
    "checked:",
    ...checks.map(checkText),
    `found: ${verdictText(findings)}`,
  ];
  for (const count of countFindings(findings)) {
    const all = ofCount(findings, count);
    const { means } = FINDING_CODES[count.code];
    const where = byDataset(all);
    lines.push("", `${count.severity} ${count.code} (${grouped(count.count)}): ${means}`);
    if (where !== "") lines.push(`  by dataset: ${where}`);
    const some = all.slice(0, shown[count.severity]);
    lines.push(...some.map(({ place, message }) => `  ${place}: ${message}`));
    if (all.length > some.length)
      lines.push(`  … ${grouped(all.length - some.length)} more (--format json lists all)`);
    lines.push(...remediesOf(all).map((remedy) => `  remedy: ${remedy}`));
  }
  return lines.map(tame).join("\n");
}

const escaped = (text: string): string =>
  tame(text).replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);

const PAGE_STYLE = `
.error h2 { color: #a11; } .warning h2 { color: var(--warn); } .info h2 { color: var(--soft); }
td.place { text-align: left; white-space: normal; overflow-wrap: anywhere; min-width: 16em; }
td.words { overflow-wrap: anywhere; }
.good { border-left: 5px solid #2c7a3f; padding: .7rem 1rem; background: #eef7f0; font-weight: 600; }
`;

function countsTable(findings: readonly Finding[]): string {
  const rows = countFindings(findings).map(
    ({ code, severity, count }) =>
      `<tr><th scope="row"><a href="#${severity}-${code}">${code}</a></th><td class="words">${severity}</td><td>${grouped(count)}</td><td class="words">${escaped(FINDING_CODES[code].means)}</td></tr>`,
  );
  return `<div class="scroll"><table><thead><tr><th scope="col" class="key">code</th><th scope="col">severity</th><th scope="col">count</th><th scope="col">means</th></tr></thead><tbody>${rows.join("\n")}</tbody></table></div>`;
}

function checksTable(checks: readonly Check[]): string {
  const rows = checks.map(
    ({ what, checked, left_out }) =>
      `<tr><th scope="row">${escaped(what)}</th><td>${grouped(checked)}</td><td class="words">${escaped(left_out ?? "")}</td></tr>`,
  );
  return `<div class="scroll"><table><thead><tr><th scope="col" class="key">what</th><th scope="col">how many</th><th scope="col">left out</th></tr></thead><tbody>${rows.join("\n")}</tbody></table></div>`;
}

function codeSection(all: readonly Finding[], { code, severity, count }: FindingCount): string {
  const rows = all
    .slice(0, SHOWN_ON_PAGE)
    .map(
      ({ place, message }) =>
        `<tr><td class="place">${escaped(place)}</td><td class="words">${escaped(message)}</td></tr>`,
    );
  const more =
    count > SHOWN_ON_PAGE ? `<p>${grouped(count - SHOWN_ON_PAGE)} more are in the JSON report.</p>` : "";
  const where = byDataset(all);
  return `<section class="${severity}" id="${severity}-${code}"><h2>${code} (${severity}, ${grouped(count)})</h2>
<p>${escaped(FINDING_CODES[code].means)}.${where === "" ? "" : ` By dataset: ${escaped(where)}.`}</p>
<p>Remedy: ${remediesOf(all).map(escaped).join("; ")}.</p>
<div class="scroll"><table><thead><tr><th scope="col" class="key">place</th><th scope="col" class="key">what</th></tr></thead><tbody>${rows.join("\n")}</tbody></table></div>${more}</section>`;
}

/** The report as one page that needs nothing from elsewhere. */
export function auditHtml({ passed, release, hash, checks, findings }: AuditReport): string {
  const title = `Audit of release ${release ?? "(cannot be opened)"}`;
  const verdict = escaped(`${passed ? "Passed" : "Failed"}: ${verdictText(findings)}.`);
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escaped(title)}</title>
<style>${STYLE}${PAGE_STYLE}</style>
</head>
<body>
<header><h1>${escaped(title)}</h1>
<ul class="facts"><li>hash ${escaped(hash ?? "none")}</li></ul>
<p class="${passed ? "good" : "notice"}">${verdict}</p></header>
<main>
<section><h2>What was checked</h2>
${checksTable(checks)}</section>
${findings.length === 0 ? "" : `<section><h2>Findings by code</h2>\n${countsTable(findings)}</section>`}
${countFindings(findings)
  .map((count) => codeSection(ofCount(findings, count), count))
  .join("\n")}
</main>
</body>
</html>
`;
}

/** The report as JSON, with every finding. */
export const auditJson = (report: AuditReport): string =>
  JSON.stringify({ ...report, counts: countFindings(report.findings) }, null, 2);

/** Renders a report in a format. */
export const renderAudit: Readonly<Record<AuditFormat, (report: AuditReport) => string>> = {
  text: (report) => auditText(report),
  html: auditHtml,
  json: auditJson,
};
