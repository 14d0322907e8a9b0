import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { compareRuns } from "../../pipelines/evaluation/comparison/index.js";
import { comparisonReport, reportText } from "../../pipelines/evaluation/report/index.js";
import type { EpisodeRecord } from "../../schemas/types/episode.js";
import { episode, paperSettings, runOf } from "./report/runs.js";

const parent = mkdtempSync(join(tmpdir(), "ambitab-compare-"));
afterAll(() => rmSync(parent, { recursive: true, force: true }));

type Verdict = EpisodeRecord["verdict"];

/** Ten AVTs of two records under two seeds; `verdict` decides by record number and seed. */
const episodes = (verdict: (at: number, seed: number) => Verdict): EpisodeRecord[] =>
  Array.from({ length: 20 }, (_, at) => `avt${Math.floor(at / 2)}#${at % 2}`).flatMap((record, at) =>
    [0, 1].flatMap((seed) => [
      episode(record, "none", seed, "", "mismatch"),
      episode(record, "asker", seed, "a", verdict(at, seed)),
      episode(record, "full", seed, "a b", "match"),
    ]),
  );

const always = (): Verdict => "match";

describe("compareRuns", () => {
  it("is exactly 0 everywhere of a run against itself, interval and all", async () => {
    const run = await runOf(
      parent,
      "same",
      paperSettings(),
      episodes((at) => (at % 3 ? "match" : "mismatch")),
    );
    const { datasets, settings, same_suite } = compareRuns(run, run);
    expect({ settings, same_suite, changed: datasets[0]!.changed }).toEqual({
      settings: [],
      same_suite: true,
      changed: [],
    });
    for (const measures of Object.values(datasets[0]!.measures))
      for (const { difference } of Object.values(measures)) {
        if (difference.n > 0) expect(difference).toMatchObject({ mean: 0, interval: { lo: 0, hi: 0 } });
      }
  });

  it("pairs by record and seed: what one side lacks, or leaves undefined, is in neither mean", async () => {
    const a = await runOf(parent, "a", paperSettings(), episodes(always));
    const b = await runOf(
      parent,
      "b",
      paperSettings({ oracle: "llm" }),
      episodes((at, seed) => (at === 0 ? "model_error" : at < 6 && seed === 0 ? "mismatch" : "match")).filter(
        ({ record_id }) => record_id !== "avt9#1",
      ),
    );
    const { datasets, settings } = compareRuns(a, b);
    const { sr } = datasets[0]!.measures.asker;
    // 18 records are in both: seed 0 loses five of them, seed 1 none.
    expect(sr).toMatchObject({
      a: { mean: 1, n: 36 },
      b: { per_seed: { 0: 13 / 18, 1: 1 } },
      difference: { n: 36, clusters: 10, per_seed: { 0: 5 / 18, 1: 0 } },
      alone: { a: 4, b: 0 },
    });
    expect(sr.difference.mean).toBeCloseTo(sr.a.mean! - sr.b.mean!, 12);
    expect(sr.difference.interval!.hi).toBeGreaterThan(sr.difference.mean!);
    expect(settings.map(({ setting }) => setting)).toEqual(["oracle"]);
    expect(datasets[0]!.changed.map(({ record }) => record)).toEqual(
      [1, 2, 3, 4, 5].map((at) => `avt${Math.floor(at / 2)}#${at % 2}`),
    );
    expect(datasets[0]!.changed[0]).toMatchObject({ a: 2, b: 1, seeds: 2 });
    expect(datasets[0]!.asking_gain.difference.mean).toBeCloseTo(5 / 36, 12);
    expect(datasets[0]!.gap_to_full.difference.mean).toBeCloseTo(-5 / 36, 12);
  });

  it("is told in words: what differs, what has no partner, too few AVTs, another suite", async () => {
    const a = await runOf(parent, "c", paperSettings(), episodes(always));
    const b = await runOf(
      parent,
      "d",
      paperSettings({
        suite: { kind: "release", name: "2.0.0", hash: "cd".repeat(32) },
        datasets: ["ambiqt", "taco"],
      }),
      episodes(() => "mismatch").slice(3),
    );
    const text = reportText(comparisonReport(compareRuns(a, b)));
    expect(text).toContain("WARNING: the runs are on different builds or releases");
    expect(text).toContain("only in B: taco");
    expect(text).toContain("* fewer than 30 AVTs");
    expect(text).toContain("1 values of SR under the asker are in A alone");
    expect(text).toContain("20 solved more often by A, 0 by B");
    expect(text).not.toMatch(/NaN|undefined/);
  });
});
