/** The library as a program uses it: through its one door, with what the door's own examples say. */
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import {
  type AgentAsker,
  type Decision,
  type EpisodeRecord,
  episodeMetrics,
  evaluate,
  openParties,
  openSqliteSandbox,
  openSuite,
  oracleNamed,
  oracleVariantOf,
  oracleView,
  readEpisodes,
  runScope,
  schemaFaults,
  summarise,
} from "../pipelines/index.js";
import { buildSample, temporaryFolder } from "./release/sample.js";

let build = "";
beforeAll(async () => {
  build = await buildSample(temporaryFolder());
});

describe("the library", () => {
  it("evaluates an asker that a program defines", async () => {
    const seen: string[] = [];
    const asker: AgentAsker = {
      reads: "agent",
      name: "mine",
      decide(view, dialogue): Decision {
        seen.push(Object.keys(view).sort().join());
        return dialogue.length === 0
          ? { kind: "question", text: `What is ${view.request}?` }
          : { kind: "stop" };
      },
    };
    const suite = openSuite(build);
    const { solver, oracleOf, settings } = await openParties({
      asker: "none",
      oracle: "deterministic",
      solver: "reference-when-resolved",
    });
    const sandbox = openSqliteSandbox({ children: 1 });
    const folder = join(temporaryFolder(), "mine");
    try {
      const summary = await evaluate({
        folder,
        suite,
        solver,
        asker,
        oracleOf,
        sandbox,
        width: 16,
        resume: false,
        settings: {
          ...settings,
          ...runScope(suite, { limit: 10 }),
          asker: "mine",
          conditions: { none: "none", asker: "mine", full: "full" },
        },
      });
      const { ambiqt } = summary.datasets;
      expect(ambiqt!.full.sr.mean).toBe(1);
      expect(ambiqt!.episodes).toBe(30);
      const episodes: EpisodeRecord[] = [];
      for await (const one of readEpisodes(join(folder, "episodes.jsonl"))) episodes.push(one);
      const asked = episodes
        .filter(({ condition }) => condition === "asker")
        .map(({ record_id, turns, ...one }) => ({
          ...one,
          record: record_id,
          credits: turns.map(({ credits }) => credits),
        }));
      expect(summarise(asked)).toEqual(ambiqt!.asker);
      expect(episodeMetrics(asked[0]!).sr).toBeTypeOf("number");
      expect(new Set(seen)).toEqual(
        new Set(["column_meanings,database_id,engine,external_knowledge,handle,request,schema"]),
      );
    } finally {
      await sandbox.close();
    }
  });

  it("reads records, makes views of them and asks the oracle", async () => {
    let credited = 0;
    for (const dataset of openSuite(build).datasets) {
      for await (const { record } of dataset.records()) {
        expect(schemaFaults("record", record)).toEqual([]);
        const view = oracleView(record, oracleVariantOf(record.dataset));
        const { matcher } = oracleNamed("deterministic", record.dataset);
        if (matcher.reads !== "registry") throw new Error("the deterministic matcher reads the registry");
        const [{ term } = { term: "" }] = view.ambiguities;
        const { credits } = await matcher.match(
          `Could you clarify what exactly you mean by ${term}?`,
          [],
          view,
        );
        credited += credits.length;
      }
    }
    expect(credited).toBe(66);
  });
});
