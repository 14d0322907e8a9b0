import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { episodeMetrics, METRICS, questionF1Reward } from "../../../pipelines/evaluation/metrics/index.js";
import { anyEpisode, episode } from "./episodes.js";

describe("an episode, by hand", () => {
  it.each([
    ["all asked, nothing else", episode("a b c", 3), { sr: 1, precision: 1, recall: 1, f1: 1 }],
    ["two of three, one in vain", episode("a - b", 3), { sr: 1, precision: 2 / 3, recall: 2 / 3, f1: 2 / 3 }],
    ["a repeat is not productive", episode("a a", 2), { sr: 1, precision: 1 / 2, recall: 1 / 2, f1: 1 / 2 }],
    [
      "one of two by four questions",
      episode("- a - a", 2),
      { sr: 1, precision: 1 / 4, recall: 1 / 2, f1: 1 / 3 },
    ],
    [
      "one question with two credits",
      episode("ab -", 4),
      { sr: 1, precision: 1 / 2, recall: 1 / 2, f1: 1 / 2 },
    ],
    ["partly new is productive", episode("a ab", 2), { sr: 1, precision: 1, recall: 1, f1: 1 }],
    ["asked in vain", episode("- -", 2), { sr: 1, precision: 0, recall: 0, f1: 0 }],
    ["asked nothing", episode("", 2), { sr: 1, precision: null, recall: 0, f1: 0 }],
    ["nothing to ask", episode("", 0), { sr: 1, precision: null, recall: null, f1: null }],
    ["nothing to ask, asked", episode("-", 0), { sr: 1, precision: 0, recall: null, f1: null }],
    [
      "fallback stop: precision and SR only",
      episode("a -", 2, { fallback_stop: true }),
      { sr: 1, precision: 1 / 2, recall: null, f1: null },
    ],
    [
      "context overflow before the first question",
      episode("", 2, { verdict: "context_overflow" }),
      { sr: 0, precision: null, recall: 0, f1: 0 },
    ],
    [
      "context overflow after a question",
      episode("a", 2, { verdict: "context_overflow" }),
      { sr: 0, precision: 1, recall: 0, f1: 0 },
    ],
    [
      "gold error: the dialogue stands",
      episode("a", 2, { verdict: "gold_error" }),
      { sr: null, precision: 1, recall: 1 / 2, f1: 2 / 3 },
    ],
    [
      "gold timeout: the dialogue stands",
      episode("a", 1, { verdict: "gold_timeout" }),
      { sr: null, precision: 1, recall: 1, f1: 1 },
    ],
    [
      "model error: nothing was measured",
      episode("a", 2, { verdict: "model_error" }),
      { sr: null, precision: null, recall: null, f1: null },
    ],
  ])("%s", (_, one, expected) => {
    expect(episodeMetrics(one)).toEqual(expected);
  });

  it.each([
    "mismatch",
    "prediction_error",
    "prediction_timeout",
    "prediction_too_large",
    "prediction_refused",
    "truncated",
    "no_answer",
    "context_overflow",
  ] as const)("%s is a failure", (verdict) => {
    expect(episodeMetrics(episode("a", 1, { verdict })).sr).toBe(0);
  });

  it("cannot credit more than there is", () => {
    expect(() => episodeMetrics(episode("a b", 1))).toThrow("2 ambiguities");
  });
});

describe("any episode", () => {
  it("has metrics in [0, 1], F1 between the smaller and the larger of precision and recall", () => {
    fc.assert(
      fc.property(anyEpisode, (one) => {
        const metrics = episodeMetrics(one);
        for (const metric of METRICS) {
          expect(metrics[metric] ?? 0).toBeGreaterThanOrEqual(0);
          expect(metrics[metric] ?? 0).toBeLessThanOrEqual(1);
        }
        const { precision, recall, f1 } = metrics;
        if (precision === null || recall === null || f1 === null) return;
        expect(f1).toBeGreaterThanOrEqual(Math.min(precision, recall) - 1e-12);
        expect(f1).toBeLessThanOrEqual(Math.max(precision, recall) + 1e-12);
        if (precision + recall > 0)
          expect(f1).toBeCloseTo((2 * precision * recall) / (precision + recall), 12);
      }),
    );
  });

  it("loses precision, and nothing else but F1, by one more unproductive question", () => {
    fc.assert(
      fc.property(anyEpisode, fc.nat(), (one, where) => {
        const at = where % (one.credits.length + 1);
        const more = { ...one, credits: one.credits.toSpliced(at, 0, []) };
        const [before, after] = [episodeMetrics(one), episodeMetrics(more)];
        expect(after.sr).toBe(before.sr);
        expect(after.recall).toBe(before.recall);
        if (before.precision !== null && before.precision > 0)
          expect(after.precision).toBeLessThan(before.precision);
        if (before.f1 !== null && before.f1 > 0) expect(after.f1).toBeLessThan(before.f1);
      }),
    );
  });

  it("has the same recall and precision in any naming of its ambiguities", () => {
    fc.assert(
      fc.property(anyEpisode, (one) => {
        const renamed = one.credits.map((ids) => ids.map((id) => `other ${id}`));
        expect(episodeMetrics({ ...one, credits: renamed })).toEqual(episodeMetrics(one));
      }),
    );
  });
});

describe("question-F1 reward", () => {
  it.each([
    ["", 0, 1],
    ["-", 0, 0],
    ["", 3, 0],
    ["- -", 2, 0],
    ["a b", 2, 1],
    ["a -", 2, 1 / 2],
    ["a a b", 2, 4 / 5],
    ["- a - a", 2, 1 / 3],
  ])("%j with %i ambiguities: %f", (credits, ambiguities, reward) => {
    expect(questionF1Reward(episode(credits, ambiguities).credits, ambiguities)).toBeCloseTo(reward, 15);
  });

  it("is the episode's F1 wherever that is defined and nothing overflowed", () => {
    fc.assert(
      fc.property(anyEpisode, (one) => {
        const { f1 } = episodeMetrics(one);
        if (f1 !== null && one.verdict !== "context_overflow") {
          expect(questionF1Reward(one.credits, one.ambiguities)).toBe(f1);
        }
      }),
    );
  });
});
