import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { ambitabHere, SAMPLE } from "./command.js";

const home = mkdtempSync(join(tmpdir(), "ambitab-diff-"));
afterAll(() => rmSync(home, { recursive: true, force: true }));

describe("ambitab diff", () => {
  it("says which row of a source's copy was corrected", async () => {
    const copy = join(home, "copy");
    cpSync(SAMPLE, copy, { recursive: true });
    const file = join(copy, "benchmark", "col-synonyms", "validation.json");
    const rows = JSON.parse(readFileSync(file, "utf8")) as { question: string }[];
    (rows[0] ?? { question: "" }).question = "Another question?";
    writeFileSync(file, JSON.stringify(rows));
    const { code, stdout } = await ambitabHere(["diff", SAMPLE, copy, "--quiet"]);
    expect(code).toBe(0);
    expect(stdout).toContain("0 added, 0 removed, 1 changed");
    expect(stdout).toContain('→ "Another question?"');
  });

  it("refuses what cannot be compared, and what is not there", async () => {
    const missing = await ambitabHere(["diff", SAMPLE, join(home, "nowhere")]);
    expect([missing.code, missing.stderr]).toEqual([2, expect.stringContaining("there is no folder")]);
  });
});
