import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { FINDING_CODES } from "../../pipelines/audit/codes.js";
import { error, warning } from "../../pipelines/audit/finding.js";
import { tailOf } from "../../pipelines/audit/guess-tail.js";
import { type AuditReport, auditHtml, auditJson, auditText } from "../../pipelines/audit/report.js";
import { PACKAGE_ROOT } from "../../pipelines/package-root.js";

const REPORT: AuditReport = {
  passed: false,
  release: '1.0.0<script>alert("x")</script>',
  hash: "ab".repeat(32),
  checks: [
    { what: "files' hashes against SHA256SUMS", checked: 1182 },
    { what: "prompts", checked: 0, left_out: "no run is named" },
  ],
  findings: [
    error("public_leak", "ambiqt/x#1", "the response stands in <b>the request</b>\u001b[31m"),
    ...Array.from({ length: 5 }, (_, at) => ({
      ...warning("names_reading", `ambiqt/x#${at}`, "the request names it"),
      dataset: "ambiqt",
    })),
  ],
};

describe("the table of codes", () => {
  const folder = join(PACKAGE_ROOT, "pipelines");
  const sources = ["audit", "release"].flatMap((room) =>
    readdirSync(join(folder, room), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile() && entry.name.endsWith(".ts") && entry.name !== "codes.ts")
      .map((entry) => readFileSync(join(entry.parentPath, entry.name), "utf8")),
  );
  const text = sources.join("\n");

  it("has every code that is used, which the compiler holds, and none that is not", () => {
    const made = /^file_(changed|missing|unlisted|misread)$/;
    const unused = Object.keys(FINDING_CODES).filter(
      (code) => !made.test(code) && !text.includes(`"${code}"`),
    );
    expect(unused).toEqual([]);
  });

  it("says of each what it means and what to do", () => {
    for (const [code, { means, remedy }] of Object.entries(FINDING_CODES)) {
      expect(code).toMatch(/^[a-z0-9]+(_[a-z0-9]+)*$/);
      expect(means.length, code).toBeGreaterThan(15);
      expect(remedy.length, code).toBeGreaterThan(15);
    }
  });
});

describe("the report", () => {
  it("as text: what was checked also where nothing was found, findings by code, first places, the remedy", () => {
    const text = auditText(REPORT);
    expect(text).toContain("    1,182  files' hashes against SHA256SUMS");
    expect(text).toContain("–  prompts (not looked at: no run is named)");
    expect(text).toContain("found: 1 error, 5 warnings");
    expect(text).toMatch(/warning names_reading \(5\): [^\n]+\n {2}by dataset: ambiqt 5\n/);
    expect(text).toContain("  … 2 more (--format json lists all)");
    expect(text).toContain(`  remedy: ${FINDING_CODES.names_reading.remedy}`);
    // What was audited may not speak to the terminal.
    expect(text).not.toContain("\u001b");
    expect(auditText({ ...REPORT, findings: [] })).toMatch(/found: nothing found$/);
  });

  it("as one page that runs and loads nothing", () => {
    const page = auditHtml(REPORT);
    expect(page).not.toMatch(/<script|<b>the request|src=|<link|@import|url\(/);
    expect(page).toContain("&#60;b&#62;the request&#60;/b&#62;\\u001b[31m");
    expect(page).toContain("Failed: 1 error, 5 warnings.");
    expect(page).toContain('<section class="warning" id="warning-names_reading">');
  });

  it("as JSON with every finding", () => {
    const value = JSON.parse(auditJson(REPORT)) as AuditReport & { counts: unknown[] };
    expect(value.findings).toHaveLength(6);
    expect(value.counts).toEqual([
      { code: "public_leak", severity: "error", count: 1 },
      { code: "names_reading", severity: "warning", count: 5 },
    ]);
  });
});

describe("how probable a guesser's luck is", () => {
  it("is exact for few guesses, of one kind or several", () => {
    expect(tailOf(new Map([[2, 5]]), 5, 0)).toBeCloseTo(2 / 32, 12);
    expect(tailOf(new Map([[2, 4]]), 2, 0)).toBe(1);
    // Right once among two choices and once among three: 1/2 · 1/3.
    const both = new Map([
      [2, 1],
      [3, 1],
    ]);
    expect(tailOf(both, 2, 0)).toBeCloseTo(2 / 6, 12);
  });

  it("agrees with the normal distribution where that takes over", () => {
    const z = 3;
    const [few, many] = [2_000, 2_500].map((n) =>
      tailOf(new Map([[2, n]]), Math.round(n / 2 + (z * Math.sqrt(n)) / 2), z),
    );
    expect(few).toBeGreaterThan(0.002);
    expect(few).toBeLessThan(0.0034);
    expect(many).toBeCloseTo(0.0027, 4);
  });
});
