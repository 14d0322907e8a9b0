import type { SourceManifest } from "../manifest.js";

/** BIRD-Interact (PostgreSQL). Spec 2 and 13. */
export const BIRD_INTERACT: SourceManifest = {
  source: "bird-interact",
  title: "BIRD-Interact",
  homepage: "https://bird-interact.github.io/",
  citation:
    "Nan Huo et al.: BIRD-INTERACT: Re-imagining Text-to-SQL Evaluation via Lens of Dynamic Interactions. ICLR 2026.",
  licence: {
    id: "CC-BY-SA-4.0",
    url: "https://creativecommons.org/licenses/by-sa/4.0/legalcode",
    attribution:
      "BIRD-Interact (BIRD Team and Google Cloud; CC BY-SA 4.0). Ambiguities were normalised and given responses.",
  },
  access: "by-mail",
  redistribution: "withheld-ground-truth",
  obtain:
    "1. Tasks: bird_interact_data.jsonl from https://huggingface.co/datasets/birdsql/bird-interact-full (or bird-interact-lite), to {folder}/bird-interact-full/. " +
    "2. Databases and knowledge: the dumps linked from https://github.com/bird-bench/BIRD-Interact, to {folder}/postgre_table_dumps/<db>_template/. " +
    "3. Ground truth: the authors mail it to whoever writes to bird.bench23@gmail.com or bird.bench25@gmail.com; put it at {folder}/ground-truth/. " +
    "Without 3 the public part still converts, to records marked not verifiable. Please never publish 3 in the clear.",
  artefacts: [
    {
      path: "bird-interact-full/bird_interact_data.jsonl",
      alternatives: [
        "bird_interact_data.jsonl",
        "bird-interact-full/bird_interact_data.excerpt.jsonl",
        "bird-interact-lite/bird_interact_data.jsonl",
      ],
      kind: "file",
      required: true,
      note: "600 tasks (full) or 270 to 300 (lite).",
    },
    { path: "bird-interact-lite/bird_interact_data.jsonl", kind: "file", required: false },
    {
      path: "ground-truth",
      kind: "folder",
      endings: [".jsonl"],
      required: false,
      note: "Mailed by the authors; joined by instance_id.",
    },
    {
      path: "postgre_table_dumps",
      alternatives: ["derived/postgre_table_dumps", "evaluation/postgre_table_dumps"],
      kind: "folder",
      endings: [".sql"],
      required: false,
    },
    {
      path: "bird-interact-full",
      alternatives: ["livesqlbench-base-lite-sqlite"],
      kind: "folder",
      endings: ["_kb.jsonl", "_schema.txt", "_column_meaning_base.json", "_template.sqlite"],
      required: false,
      note: "Knowledge, schema and column meanings: one folder a database.",
    },
    {
      path: "livesqlbench-base-lite-sqlite",
      kind: "folder",
      endings: [
        "_kb.jsonl",
        "_schema.txt",
        "_column_meaning_base.json",
        "_template.sqlite",
        "_data_sqlite.jsonl",
      ],
      required: false,
      note: "The same databases' LiveSQLBench package.",
    },
  ],
};
