import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type ReadRun, readRun } from "../../../pipelines/evaluation/run/read.js";
import { canonicalLine } from "../../../pipelines/record/schema-order.js";
import type { EpisodeRecord } from "../../../schemas/types/episode.js";
import type { RunSettings } from "../../../schemas/types/run.js";

/** A model as run.json has it. */
export const modelNamed = (model: string): NonNullable<RunSettings["models"]>[string] => ({
  model,
  temperature: 0.7,
  top_p: 0.8,
  top_k: null,
  thinking: false,
  max_tokens: null,
  extra: {},
});

/** Settings of a run of the paper's own models, so that its numbers may stand beside the paper's. */
export const paperSettings = (over: Partial<RunSettings> = {}): RunSettings => ({
  schema_version: "1.0.0",
  tool: "ambitab 0.1.0",
  suite: { kind: "release", name: "1.0.0", hash: "ab".repeat(32) },
  datasets: ["ambiqt"],
  split: null,
  slice: null,
  limit: null,
  asker: "checklist-ledger",
  oracle: "deterministic",
  solver: "model",
  models: {
    asker: modelNamed("Qwen/Qwen3-8B"),
    solver: modelNamed("Qwen/Qwen3-Coder-30B-A3B-Instruct"),
    oracle: modelNamed("Qwen/Qwen3-14B"),
  },
  synthetic: false,
  seeds: [0, 1],
  conditions: { none: "none", asker: over.asker ?? "checklist-ledger", full: "full" },
  ...over,
});

/** An episode in a few words: credits a question a word and one ambiguity a letter, `-` for none. */
export function episode(
  record: string,
  condition: EpisodeRecord["condition"],
  seed: number,
  credits: string,
  verdict: EpisodeRecord["verdict"],
  over: Partial<EpisodeRecord> = {},
): EpisodeRecord {
  const words = credits.split(" ").filter((word) => word !== "");
  return {
    episode_id: `${condition}/${seed}/${record}`,
    record_id: record,
    avt_id: record.replace(/#.*/, ""),
    dataset: "ambiqt",
    split: "all",
    condition,
    asker: condition,
    seed,
    ambiguities: 2,
    max_turn: 5,
    turns: words.map((word, at) => ({
      question: `Question ${at + 1}?`,
      response: `Answer ${at + 1}.`,
      action: { kind: "unanswerable" },
      why: "",
      live_credits: [],
      credits: word === "-" ? [] : [...word],
      credit_source: word === "-" ? "none" : "label",
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

/** Writes a run's folder as the tool would, and reads it back. */
export async function runOf(
  parent: string,
  name: string,
  settings: RunSettings,
  episodes: readonly EpisodeRecord[],
): Promise<ReadRun> {
  const folder = join(parent, name);
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, "run.json"), canonicalLine("run", settings));
  const lines = episodes.map((one) => `${canonicalLine("episode", one)}\n`);
  writeFileSync(join(folder, "episodes.jsonl"), lines.join(""));
  return readRun(folder);
}
