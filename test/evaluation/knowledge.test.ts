/** Whole episodes under the deterministic knowledge oracle: what is answered, what is credited, what it comes to. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { askerNamed } from "../../pipelines/evaluation/askers/index.js";
import { episodeMetrics } from "../../pipelines/evaluation/metrics/index.js";
import { oracleNamed } from "../../pipelines/evaluation/oracles/index.js";
import { type EpisodeSettings, runEpisode } from "../../pipelines/evaluation/protocol.js";
import { solverNamed } from "../../pipelines/evaluation/solvers/index.js";
import { ExecutionCache } from "../../pipelines/evaluation/verifier/index.js";
import { REFUSAL } from "../../pipelines/oracle/index.js";
import { openSqliteSandbox, type SqliteSandbox } from "../../pipelines/sql/index.js";
import type { Ambiguity } from "../../schemas/types/record.js";
import { temporaryFolder } from "../release/sample.js";
import { ambiguity, asks, harbour, harbourRecord, taskOn } from "./tasks.js";

let folder = "";
let sandbox: SqliteSandbox;
beforeAll(() => {
  folder = temporaryFolder();
  harbour(folder);
  sandbox = openSqliteSandbox({ children: 1 });
});
afterAll(() => sandbox.close());

const hint = (term: string, rule: string, ...concepts: string[]): Ambiguity =>
  ambiguity(term, {
    kind: "knowledge",
    resolution: `${term} refers to ${rule}`,
    response: `By ${term} I mean that ${rule}.`,
    concepts: [...term.split(" "), ...concepts],
  });
const record = harbourRecord(
  [
    hint("long boats", "overall_length > 10", "overall_length", "10"),
    hint("local boats", "home = 'Kiel'", "home", "Kiel"),
  ],
  {
    reference_sql: ["SELECT name FROM boats WHERE overall_length > 10 AND home = 'Kiel'"],
    alternative_sql: [],
  },
  {
    record_id: "ew-bird/dev/7#1",
    avt_id: "ew-bird/dev/7",
    dataset: "ew-bird",
    split: "dev",
    public: {
      request: "Name the long local boats.",
      database: { engine: "sqlite", database_id: "harbour", path: "harbour/harbour.sqlite" },
    },
  },
);
const [long, local] = record.oracle.ambiguities as [Ambiguity, Ambiguity];

async function episode(asker: EpisodeSettings["asker"]) {
  const settings: EpisodeSettings = {
    condition: "asker",
    seed: 0,
    asker,
    oracle: oracleNamed("deterministic", "ew-bird"),
    solver: solverNamed("reference-when-resolved"),
  };
  const { turns, ...rest } = await runEpisode(
    taskOn(folder, record),
    settings,
    new ExecutionCache(sandbox),
    () => "0",
  );
  const credits = turns.map((turn) => turn.credits);
  return { turns, metrics: episodeMetrics({ ...rest, record: rest.record_id, credits }) };
}

describe("the deterministic knowledge oracle in an episode", () => {
  it.each(["full", "full-adversarial"])(
    "answers %s with each stored resolution: all metrics 1",
    async (name) => {
      const { turns, metrics } = await episode(askerNamed(name));
      expect(turns.map(({ response }) => response)).toEqual([long.resolution, local.resolution]);
      expect(turns.map(({ credit_source }) => credit_source)).toEqual(["label", "label"]);
      expect(metrics).toEqual({ sr: 1, precision: 1, recall: 1, f1: 1 });
    },
  );

  it("refuses none-adversarial throughout: recall 0", async () => {
    const { turns, metrics } = await episode(askerNamed("none-adversarial"));
    expect(new Set(turns.map(({ response }) => response))).toEqual(new Set([REFUSAL]));
    expect(metrics).toMatchObject({ precision: 0, recall: 0, f1: 0 });
  });

  it("restates a resolution without new credit, and turns to what is open where both are named", async () => {
    const { turns, metrics } = await episode(
      asks([
        "What overall_length makes a boat long?",
        "What are long boats, again?",
        "Long boats or local boats?",
        "What colour are the masts?",
      ]),
    );
    expect(turns.map(({ response }) => response)).toEqual([
      long.resolution,
      long.resolution,
      local.resolution,
      REFUSAL,
    ]);
    // Two of four questions earned a credit that was not there before.
    expect(metrics).toMatchObject({ sr: 1, precision: 0.5, recall: 1 });
  });

  it("records reasons that name the rule and no term, so that the scorer reads none in them", async () => {
    const { turns } = await episode(asks(["Is it about the tide?", "Which home is local for boats?"]));
    expect(turns.map(({ why, credits }) => [why.split(":")[0], credits])).toEqual([
      ["none", []],
      ["concepts", [local.ambiguity_id]],
    ]);
  });
});
