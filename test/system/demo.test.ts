import { describe, expect, it } from "vitest";
import { ambitab, temporaryFolder } from "../release/sample.js";

describe("ambitab demo", () => {
  it("goes the whole way without a network, and again over its own traces, to the same result", () => {
    const out = temporaryFolder();
    const first = ambitab(["demo", "--out", out, "--quiet"]);
    expect(first).toMatchObject({ status: 0, stderr: "" });
    for (const told of [
      "1. From source rows to records",
      "2. Release 0.0.0-demo, checked",
      "66 of 66 reference answers verify as right; the audit says: nothing found",
      "SYNTHETIC: the solver reads what only the verifier may",
      "ambiqt: 594 episodes",
      "full   100.0 ± 0.0 (n 198)",
      "Three commands to try next:",
    ]) {
      expect(first.stdout).toContain(told);
    }
    expect(first.stdout).not.toMatch(/undefined|NaN|null|\[object/);
    const again = ambitab(["demo", "--out", out, "--quiet", "--json"]);
    expect(again.status).toBe(0);
    const { gate, audited, summary } = JSON.parse(again.stdout);
    expect(gate).toMatchObject({ records: 66, references: 66, verifiable: 66 });
    expect(audited).toEqual([]);
    expect(summary.datasets.ambiqt.full.sr.mean).toBe(1);
  });
});
