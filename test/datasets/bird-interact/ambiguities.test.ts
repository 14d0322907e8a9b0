import { describe, expect, it } from "vitest";
import {
  applyRepairs,
  mergeTerms,
  namesWithin,
} from "../../../pipelines/datasets/bird-interact/register-ambiguities.js";
import { sha256 } from "../../../pipelines/record/ids.js";

type Annotation = Parameters<typeof mergeTerms>[0][number];

const annotation = (
  id: string,
  term: string,
  sql_snippet: string,
  more: Partial<Annotation> = {},
): Annotation => ({
  id,
  term,
  sql_snippet,
  type: "semantic_ambiguity",
  deleted_knowledge: [],
  kind: "intent",
  counts: true,
  field: `critical_ambiguity[${Number(id.split("-")[1]) - 1}].sql_snippet`,
  ...more,
});

describe("annotations of one term", () => {
  it("are one ambiguity with all fragments, each once, at the first one's place", () => {
    const { ambiguities, merged } = mergeTerms([
      annotation("critical-1", "risky berths", "a < 1"),
      annotation("critical-2", "load", "SUM(x)"),
      annotation("critical-3", "Risky  Berth", "b > 2"),
      annotation("minor-1", "risky berths", "a <  1", { counts: false }),
    ]);
    expect(merged).toEqual(["Risky  Berth", "risky berths"]);
    expect(ambiguities).toMatchObject([
      { ambiguity_id: "critical-1", term: "risky berths", counts: true, fragments: ["a < 1", "b > 2"] },
      { ambiguity_id: "critical-2", term: "load", fragments: ["SUM(x)"] },
    ]);
  });

  it("count when one of them counts, and keep what knowledge was deleted for any", () => {
    const [one] = mergeTerms([
      annotation("minor-1", "order", "x", { counts: false }),
      annotation("knowledge-1", "Order", "y", { kind: "knowledge", deleted_knowledge: [4] }),
    ]).ambiguities;
    expect(one).toMatchObject({ counts: true, deleted_knowledge: [4], fragments: ["x", "y"] });
  });

  it("of knowledge answer to their own name and its two halves, and to no words of another ambiguity", () => {
    const knowledge: Partial<Annotation> = { kind: "knowledge", deleted_knowledge: [0] };
    const { ambiguities } = mergeTerms([
      annotation("critical-1", "signal quality", "q"),
      annotation("critical-2", "SNQI", "r"),
      annotation("knowledge-1", "Signal Quality Indicator (SNQI)", "q", knowledge),
      annotation("knowledge-2", "Plain", "p", knowledge),
    ]);
    expect(ambiguities.map(({ aliases }) => aliases)).toEqual([[], [], ["Signal Quality Indicator"], []]);
  });
});

describe("a name of two names", () => {
  it.each([
    ["Turnaround Time (TAT)", ["Turnaround Time", "TAT"]],
    ["Heavy Call", []],
    ["(TAT)", []],
    ["Rate (per 1000 (tonnes))", []],
  ])("%s", (term, names) => expect(namesWithin(term)).toEqual(names));
});

describe("a repair", () => {
  const repair = {
    instance_id: "x_1",
    field: "critical_ambiguity[0].sql_snippet",
    replaces_sha256: sha256("old"),
    value: "new",
    why: "w",
    reviewed: "r",
  };
  it("replaces what was reviewed", () => {
    const [one] = applyRepairs([annotation("critical-1", "t", "old")], [repair]);
    expect(one?.sql_snippet).toBe("new");
  });
  it("that no longer applies fails the build, by name", () => {
    const stale = () => applyRepairs([annotation("critical-1", "t", "mended upstream")], [repair]);
    expect(stale).toThrow(
      'sources/bird-interact/repairs.json, field "x_1 critical_ambiguity[0].sql_snippet": no longer applies: what it replaces is not what was reviewed',
    );
    expect(() => applyRepairs([], [repair])).toThrow("no longer applies: the task has no such annotation");
  });
});
