import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  askingGain,
  completeSeeds,
  type Episode,
  episodeMetrics,
  familyMean,
  gapToFull,
  leftOut,
  METRICS,
  summarise,
} from "../../../pipelines/evaluation/metrics/index.js";
import { anyEpisode, episode } from "./episodes.js";

/** `successes` matches and the rest mismatches, under one seed. */
const runOf = (seed: number, successes: number, records: number): Episode[] =>
  Array.from({ length: records }, (_, index) =>
    episode("a", 1, { seed, record: `r${index}`, verdict: index < successes ? "match" : "mismatch" }),
  );

describe("summarise", () => {
  it("averages records with equal weight, each metric over its own denominator", () => {
    const episodes = [
      episode("a b", 2),
      episode("", 4, { verdict: "mismatch" }),
      episode("- a", 1, { fallback_stop: true }),
      episode("", 0, { verdict: "gold_error" }),
      episode("", 3, { verdict: "context_overflow" }),
      episode("a", 1, { verdict: "model_error" }),
    ];
    const { sr, precision, recall, f1 } = summarise(episodes);
    expect(sr).toEqual({ mean: 1 / 2, sd: null, per_seed: { 0: 1 / 2 }, n: 4 });
    expect(precision).toEqual({ mean: 3 / 4, sd: null, per_seed: { 0: 3 / 4 }, n: 2 });
    expect(recall).toEqual({ mean: 1 / 3, sd: null, per_seed: { 0: 1 / 3 }, n: 3 });
    expect(f1).toEqual({ mean: 1 / 3, sd: null, per_seed: { 0: 1 / 3 }, n: 3 });
  });

  it("takes F1 per episode, not from the macro precision and recall", () => {
    const { precision, recall, f1 } = summarise([episode("a", 5), episode("a - - - -", 1)]);
    expect([precision.mean, recall.mean]).toEqual([0.6, 0.6]);
    expect(f1.mean).toBeCloseTo(1 / 3, 15);
  });

  it("gives the mean and the sample deviation over seeds, each seed with the same weight", () => {
    const { sr } = summarise([...runOf(2, 1, 2), ...runOf(10, 3, 4), ...runOf(1, 4, 4)]);
    expect(sr.per_seed).toEqual({ 1: 1, 2: 0.5, 10: 0.75 });
    expect(sr.mean).toBe(0.75);
    expect(sr.sd).toBe(0.25);
    expect(sr.n).toBe(10);
  });

  it("leaves a seed without a denominator out of the mean", () => {
    const { sr, precision } = summarise([
      episode("", 1, { seed: 1, verdict: "gold_error" }),
      ...runOf(2, 1, 2),
    ]);
    expect(sr).toEqual({ mean: 0.5, sd: null, per_seed: { 1: null, 2: 0.5 }, n: 2 });
    expect(precision.per_seed).toEqual({ 1: null, 2: 1 });
    expect(summarise([]).sr).toEqual({ mean: null, sd: null, per_seed: {}, n: 0 });
  });

  it("is the same, to the last bit, in any order of the episodes", () => {
    const shuffled = fc
      .array(anyEpisode, { maxLength: 40 })
      .chain((all) => fc.tuple(fc.constant(all), fc.shuffledSubarray(all, { minLength: all.length })));
    fc.assert(
      fc.property(shuffled, ([episodes, reordered]) => {
        expect(JSON.stringify(summarise(reordered))).toBe(JSON.stringify(summarise(episodes)));
        expect(new Set(leftOut(reordered).map(({ record }) => record))).toEqual(
          new Set(leftOut(episodes).map(({ record }) => record)),
        );
      }),
    );
  });

  it("stays in [0, 1] and counts the episodes that define each metric", () => {
    fc.assert(
      fc.property(fc.array(anyEpisode, { maxLength: 40 }), (episodes) => {
        const summary = summarise(episodes);
        for (const metric of METRICS) {
          const { mean, per_seed, n } = summary[metric];
          for (const value of [mean, ...Object.values(per_seed)]) {
            expect(value ?? 0).toBeGreaterThanOrEqual(0);
            expect(value ?? 0).toBeLessThanOrEqual(1);
          }
          expect(n).toBe(episodes.filter((one) => episodeMetrics(one)[metric] !== null).length);
        }
      }),
    );
  });
});

describe("leftOut", () => {
  it("lists what SR leaves out and nothing else, by seed and record", () => {
    const verdicts = [
      "model_error",
      "match",
      "gold_timeout",
      "context_overflow",
      "gold_error",
      "no_answer",
    ] as const;
    const episodes = verdicts.map((verdict, index) =>
      episode("", 1, { verdict, record: `r${9 - index}`, seed: index === 0 ? 1 : 0 }),
    );
    expect(leftOut(episodes)).toEqual([
      { record: "r5", seed: 0, verdict: "gold_error" },
      { record: "r7", seed: 0, verdict: "gold_timeout" },
      { record: "r9", seed: 1, verdict: "model_error" },
    ]);
  });
});

describe("gain and gap", () => {
  const run = {
    none: summarise([...runOf(0, 1, 4), ...runOf(1, 2, 4)]),
    asker: summarise([...runOf(0, 3, 4), ...runOf(1, 3, 4), ...runOf(2, 4, 4)]),
    full: summarise([...runOf(0, 2, 4), ...runOf(1, 4, 4)]),
  };
  it("are taken seed by seed, then averaged; negative gaps stay", () => {
    expect(askingGain(run)).toEqual({ mean: 0.375, sd: Math.sqrt(0.03125), per_seed: { 0: 0.5, 1: 0.25 } });
    expect(gapToFull(run)).toEqual({ mean: 0, sd: Math.sqrt(0.125), per_seed: { 0: -0.25, 1: 0.25 } });
  });
});

describe("familyMean", () => {
  const small = [...runOf(0, 1, 2), ...runOf(1, 2, 2), ...runOf(2, 0, 2)];
  const large = [...runOf(0, 8, 8), ...runOf(1, 4, 8), ...runOf(2, 8, 8).slice(1)];
  const member = (episodes: Episode[], records: number) => ({
    summary: summarise(episodes),
    complete: completeSeeds(
      episodes,
      Array.from({ length: records }, (_, index) => `r${index}`),
    ),
  });

  it("averages datasets with equal weight within a seed, over seeds complete on all of them", () => {
    const members = [member(small, 2), member(large, 8)];
    expect(members.map(({ complete }) => [...complete])).toEqual([
      [0, 1, 2],
      [0, 1],
    ]);
    for (const family of [members, members.toReversed()]) {
      expect(familyMean(family, "sr")).toEqual({ mean: 0.75, sd: 0, per_seed: { 0: 0.75, 1: 0.75 } });
    }
  });

  it("leaves out a seed in which a dataset has no denominator", () => {
    const silent = runOf(0, 1, 1).map((one) => ({ ...one, credits: [] }));
    const members = [
      member([...silent, ...runOf(1, 1, 1)], 1),
      member([...runOf(0, 1, 1), ...runOf(1, 0, 1)], 1),
    ];
    expect(familyMean(members, "precision").per_seed).toEqual({ 1: 1 });
    expect(familyMean([], "sr")).toEqual({ mean: null, sd: null, per_seed: {} });
  });
});
