import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { datasetName } from "../../pipelines/evaluation/report/labels.js";
import { ambitab, ambitabHere, DATASETS, temporaryFolder } from "../release/sample.js";

describe("ambitab demo", () => {
  it("goes the whole way without a network, and again over its own traces, to the same result", async () => {
    const out = temporaryFolder();
    const first = ambitab(["demo", "--out", out, "--quiet"]);
    expect(first).toMatchObject({ status: 0, stderr: "" });
    for (const told of [
      "1. From source rows to records",
      "2. Release 0.0.0-demo, checked",
      "the audit says: nothing found",
      "SYNTHETIC: the solver reads what only the verifier may",
      "full   100.0 ± 0.0",
      "Three commands to try next:",
      ...DATASETS.map((name) => `${name}: `),
    ]) {
      expect(first.stdout).toContain(told);
    }
    expect(first.stdout).not.toMatch(/undefined|NaN|null|\[object/);
    const again = await ambitabHere(["demo", "--out", out, "--quiet", "--json"]);
    expect(again.status).toBe(0);
    const { gate, audited, summary, report } = JSON.parse(again.stdout);
    expect(gate.references).toBe(gate.verifiable);
    expect(gate.verifiable).toBeGreaterThan(60);
    expect(audited).toEqual([]);
    const page = readFileSync(report, "utf8");
    expect(page.indexOf("SYNTHETIC")).toBeLessThan(page.indexOf("<h2>"));
    expect(page).toContain("<svg");
    for (const name of DATASETS) expect(page).toContain(datasetName(name));
    for (const name of DATASETS) {
      const { none, asker, full } = summary.datasets[name];
      expect(full).toMatchObject({ sr: { mean: 1 }, precision: { mean: 1 }, recall: { mean: 1 } });
      expect(none.sr.mean).toBeLessThan(0.75);
      expect(asker.sr.mean).toBeGreaterThanOrEqual(none.sr.mean);
    }
  });
});
