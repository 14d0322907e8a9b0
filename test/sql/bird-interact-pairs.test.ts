import { describe, expect, it } from "vitest";
import { compareExecutions, type Execution, type Row } from "../../pipelines/sql/index.js";
import { PAIRS } from "./bird-interact-pairs.js";

const executionOf = (rows: readonly Row[]): Execution => ({
  outcome: "rows",
  columns: (rows[0] ?? []).map((_, at) => `c${at}`),
  rows: [...rows],
  row_count: rows.length,
  duration_ms: 0,
  rewrites: [],
});

describe("bird_interact, and strict beside it", () => {
  it("are told apart by at least 80 pairs, each note once", () => {
    expect(PAIRS.length).toBeGreaterThanOrEqual(80);
    expect(new Set(PAIRS.map(({ note }) => note)).size).toBe(PAIRS.length);
    // The table would say little if one rule said always the same, or both did.
    const kinds = new Set(PAIRS.map(({ bird_interact, strict }) => `${bird_interact} ${strict}`));
    expect(kinds.size).toBe(4);
  });

  it.each(PAIRS)("$note", ({ prediction, reference, ordered, bird_interact, strict }) => {
    const [given, expected] = [executionOf(prediction), executionOf(reference)];
    const matches = (policy: "bird_interact" | "strict"): boolean =>
      compareExecutions(policy, ordered, given, expected).verdict === "match";
    expect({ bird_interact: matches("bird_interact"), strict: matches("strict") }).toEqual({
      bird_interact,
      strict,
    });
  });
});
