import { describe, expect, it } from "vitest";
import { summariseRun } from "../../pipelines/evaluation/run/summary.js";
import type { EpisodeRecord } from "../../schemas/types/episode.js";
import type { RunSettings } from "../../schemas/types/run.js";
import { reportText } from "../../scripts/report.js";

const settings: RunSettings = {
  schema_version: "1.0.0",
  tool: "ambitab 0.1.0",
  suite: { kind: "release", name: "1.0.0", hash: "ab".repeat(32) },
  datasets: ["ambiqt"],
  split: null,
  slice: null,
  limit: null,
  asker: "by-hand",
  oracle: "deterministic",
  solver: "replay",
  synthetic: false,
  seeds: [0, 1],
  conditions: { none: "none", asker: "by-hand", full: "full" },
};

/** An episode in a few words: credits a question a word, `-` for none. */
function episode(
  record: string,
  condition: EpisodeRecord["condition"],
  seed: number,
  credits: string,
  verdict: EpisodeRecord["verdict"],
  over: Partial<EpisodeRecord> = {},
): EpisodeRecord {
  const turns = credits.split(" ").filter((word) => word !== "");
  return {
    episode_id: `${condition}/${seed}/${record}`,
    record_id: record,
    avt_id: record,
    dataset: "ambiqt",
    split: "all",
    condition,
    asker: settings.conditions[condition]!,
    seed,
    ambiguities: 2,
    max_turn: 5,
    turns: turns.map((word) => ({
      question: "?",
      response: "!",
      action: { kind: "unanswerable" },
      why: "",
      live_credits: [],
      credits: word === "-" ? [] : [...word],
      credit_source: "none",
    })),
    stop: "asker",
    fallback_stop: false,
    sql: "SELECT 1",
    verdict,
    flags: [],
    prompts: [],
    timings_ms: { asking: 0, solving: 0, verifying: 0 },
    ...over,
  };
}

const EPISODES: EpisodeRecord[] = [
  episode("r1", "none", 0, "", "mismatch"),
  episode("r1", "none", 1, "", "match"),
  episode("r2", "none", 0, "", "mismatch"),
  episode("r2", "none", 1, "", "gold_timeout"),
  episode("r1", "asker", 0, "a - b", "match"),
  episode("r1", "asker", 1, "a", "mismatch"),
  episode("r2", "asker", 0, "-", "model_error"),
  episode("r2", "asker", 1, "", "mismatch", { fallback_stop: true, stop: "fallback" }),
  episode("r1", "full", 0, "a b", "match"),
  episode("r1", "full", 1, "a b", "match"),
  episode("r2", "full", 0, "a b", "match"),
  episode("r2", "full", 1, "a b", "gold_timeout"),
];

async function report(episodes: readonly EpisodeRecord[], over: Partial<RunSettings> = {}): Promise<string> {
  const used = { ...settings, ...over };
  async function* log(): AsyncGenerator<EpisodeRecord> {
    yield* episodes;
  }
  return reportText(await summariseRun("by-hand", used, log()), used);
}

describe("the text report", () => {
  it("reads as it reads", async () => {
    expect(await report(EPISODES)).toBe(
      `run by-hand
release 1.0.0, hash abababababababab
asker by-hand, oracle deterministic, solver replay, seeds 0, 1

ambiqt: 12 episodes
       SR %               precision %        recall %           F1 %
none   50.0 ± 70.7 (n 3)  –                  0.0 ± 0.0 (n 4)    0.0 ± 0.0 (n 4)
asker  50.0 ± 70.7 (n 3)  83.3 ± 23.6 (n 2)  75.0 ± 35.4 (n 2)  73.3 ± 9.4 (n 2)
full   100.0 ± 0.0 (n 3)  100.0 ± 0.0 (n 4)  100.0 ± 0.0 (n 4)  100.0 ± 0.0 (n 4)
asking gain +0.0 ± 141.4 points of SR over asking nothing
gap to full disambiguation +50.0 ± 70.7 points
verdicts under none: 1 gold_timeout, 1 match, 2 mismatch
verdicts under asker: 1 match, 2 mismatch, 1 model_error
verdicts under full: 1 gold_timeout, 3 match
fallback stops, which have no recall and no F1: 1
episodes that are in no denominator of SR: 3, of 1 record
  r2: 2 × gold_timeout (none, full; seed 1)
  r2: model_error (asker; seed 0)

SR: share of answers whose result is right.
Precision: share of questions that cleared up something new.
Recall: share of ambiguities cleared up. F1: mean over episodes of their harmonic mean.
n: episodes that define the value. ± SD over seeds.`,
    );
  });

  it("does not depend on the order of the episodes", async () => {
    expect(await report(EPISODES.toReversed())).toBe(await report(EPISODES));
  });

  it("counts verdicts that a comparison gave in place of a task's own tests, and groups what is left out by record", async () => {
    const many = EPISODES.flatMap((one) =>
      [0, 1, 2].map((seed) => episode(one.record_id, one.condition, seed, "", "gold_error")),
    );
    const flagged = EPISODES.map((one, at) => ({
      ...one,
      flags: at < 2 ? ["tests_not_run", "both_empty"] : [],
    }));
    const text = await report(flagged);
    expect(text).toContain(
      "\nverdicts by comparison, because the task's own tests were not run (tests_not_run): 2\n",
    );
    expect(text).toContain("\nverdicts on two empty results (both_empty): 2\n");
    const unverifiable = (await report(many, { seeds: [0, 1, 2] })).split("\n");
    const at = unverifiable.findIndex((line) => line.startsWith("episodes that are in no denominator"));
    expect(unverifiable.slice(at, at + 4)).toEqual([
      "episodes that are in no denominator of SR: 36, of 2 records",
      "  r1: 18 × gold_error (none, asker, full; seeds 0, 1, 2)",
      "  r2: 18 × gold_error (none, asker, full; seeds 0, 1, 2)",
      "",
    ]);
  });

  it("marks a synthetic run before its numbers, and holds SR against its closed form", async () => {
    const expected = EPISODES.map((one) => ({
      ...one,
      expected_success: one.condition === "full" ? 1 : 0.5,
    }));
    const text = await report(expected, { synthetic: true });
    expect(text.indexOf("SYNTHETIC")).toBeGreaterThan(0);
    expect(text.indexOf("SYNTHETIC")).toBeLessThan(text.indexOf("SR %"));
    expect(text).toContain("  none 50.0 against 50.0 ± 25.0 (0.0)");
    expect(text).toContain("  full 100.0 against 100.0 ± 0.0\n");
  });

  it("says which model the oracle was, what it was shown, and how many of its answers could not be read", async () => {
    const decoding = {
      temperature: 0.7,
      top_p: 0.8,
      top_k: 20,
      thinking: false,
      max_tokens: null,
      extra: {},
    };
    const [first, ...rest] = EPISODES.toReversed();
    const unread = first!.turns.map((turn) => ({ ...turn, fallback: "matcher" as const }));
    const text = await report([{ ...first!, turns: unread }, ...rest], {
      oracle: "llm",
      oracle_sql: { ambiqt: "hidden", bird: "shown" },
      models: { oracle: { model: "Qwen/Qwen3-14B", ...decoding } },
    });
    expect(text).toContain("reference SQL before the oracle's responder: hidden on ambiqt, shown on bird\n");
    expect(text).toContain("oracle model Qwen/Qwen3-14B\n");
    expect(text).toContain("answers of the oracle that could not be read, and count as refusals: 2\n");
  });

  it("has dashes and no numbers where nothing was run", async () => {
    const text = await report([]);
    expect(text).toMatch(/none +– +– +– +–\n/);
    expect(text).toContain("asking gain – of SR");
  });

  it("is at most 100 columns wide with thousands of episodes, five seeds and long names", async () => {
    const many = Array.from({ length: 1200 }, (_, at) => [
      episode(`r${at}`, "none", at % 5, "", at % 3 === 0 ? "match" : "prediction_too_large"),
      episode(`r${at}`, "asker", at % 5, at % 2 ? "a -" : "ab", at % 4 ? "match" : "prediction_refused"),
      episode(`r${at}`, "full", at % 5, "a b", at % 7 ? "match" : "mismatch"),
    ]).flat();
    const text = await report(many, {
      seeds: [0, 1, 2, 3, 4],
      asker: "spec-randomized:checklist-ledger",
      split: "dev",
      slice: "local-test",
      limit: 1200,
      synthetic: true,
    });
    for (const line of text.split("\n")) expect.soft([...line].length, line).toBeLessThanOrEqual(100);
  });
});
