/** spec-randomized askers: whose specification they are shown, drawn once and stored in the run (spec 4 and 5). */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { UserError } from "../../pipelines/errors.js";
import { type AgentAsker, askerNamed, specRandomized } from "../../pipelines/evaluation/askers/index.js";
import { drawDonors } from "../../pipelines/evaluation/run/donors.js";
import { evaluate } from "../../pipelines/evaluation/run/index.js";
import { readEpisodes } from "../../pipelines/evaluation/run/log.js";
import { runScope } from "../../pipelines/evaluation/run/scope.js";
import { solverNamed } from "../../pipelines/evaluation/solvers/index.js";
import { schemaFaults } from "../../pipelines/record/check-schema.js";
import { openSuite, type Suite } from "../../pipelines/record/suite.js";
import type { AgentView } from "../../pipelines/record/views.js";
import { openSqliteSandbox, type SqliteSandbox } from "../../pipelines/sql/index.js";
import type { Donor } from "../../schemas/types/donor.js";
import type { EpisodeRecord } from "../../schemas/types/episode.js";
import type { TaskRecord } from "../../schemas/types/record.js";
import { buildSample, recordsOf, temporaryFolder } from "../release/sample.js";

let suite: Suite;
let records: TaskRecord[];
let sandbox: SqliteSandbox;
beforeAll(async () => {
  const build = await buildSample(temporaryFolder());
  suite = openSuite(build);
  records = await recordsOf(build);
  sandbox = openSqliteSandbox({ children: 1 });
});
afterAll(() => sandbox.close());

const scope = () => ({
  ...runScope(suite),
  asker: "",
  oracle: "",
  solver: "",
  synthetic: false,
  conditions: {},
});
const databaseOf = new Proxy({} as Record<string, string>, {
  get: (_, id: string) => records.find(({ record_id }) => record_id === id)!.public.database.database_id,
});

describe("donors", () => {
  it("are on another database, one a group of records with the same database and terms", async () => {
    const { lines } = await drawDonors(suite.datasets[0]!, scope());
    expect(lines.map(({ record_id }) => record_id)).toEqual(records.map(({ record_id }) => record_id));
    const ofGroup = new Map<string, string>();
    for (const [index, { record_id, donor, avt_id, donor_avt_id }] of lines.entries()) {
      expect(databaseOf[donor]).not.toBe(databaseOf[record_id]);
      expect(avt_id).toBe(records[index]!.avt_id);
      expect(donor_avt_id).toBe(records.find((one) => one.record_id === donor)!.avt_id);
      const terms = records[index]!.oracle.ambiguities.map(({ term }) => term).sort();
      const group = JSON.stringify([databaseOf[record_id], terms]);
      expect(ofGroup.get(group) ?? donor).toBe(donor);
      ofGroup.set(group, donor);
    }
    expect(new Set(ofGroup.values()).size).toBeGreaterThan(3);
  });

  it("stay the same over limits and seeds", async () => {
    const all = await drawDonors(suite.datasets[0]!, scope());
    const few = await drawDonors(suite.datasets[0]!, { ...scope(), limit: 2, seeds: [5, 6] });
    expect(few.lines).toEqual(all.lines);
  });

  it("are none where all records are on one database", async () => {
    const { database_id } = records[0]!.public.database;
    const [only] = suite.datasets;
    const single = {
      ...only!,
      async *records() {
        for await (const placed of only!.records())
          if (placed.record.public.database.database_id === database_id) yield placed;
      },
    };
    await expect(drawDonors(single, scope())).rejects.toThrow(UserError);
  });
});

describe("a spec-randomized run", () => {
  it("shows the asker the donor and the true dialogue, all others the true record, and stores the donors", async () => {
    const seen: { view: AgentView; dialogue: number; maxTurn: number }[] = [];
    const nosy: AgentAsker = {
      reads: "agent",
      name: "nosy",
      decide(view, dialogue, { turn, maxTurn }) {
        seen.push({ view, dialogue: dialogue.length, maxTurn });
        return turn <= 2 ? { kind: "question", text: `What is ${view.request}?` } : { kind: "stop" };
      },
    };
    const asker = specRandomized(nosy);
    const folder = join(temporaryFolder(), "run");
    const conditions = { none: "none", asker: asker.name, full: "full" };
    await evaluate({
      folder,
      suite,
      settings: {
        ...scope(),
        limit: 6,
        asker: asker.name,
        oracle: "deterministic",
        solver: "reference-when-resolved",
        synthetic: true,
        conditions,
      },
      asker,
      solver: solverNamed("reference-when-resolved"),
      sandbox,
      width: 1,
      resume: false,
    });
    const donors = readFileSync(join(folder, "donors.jsonl"), "utf8")
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line) as Donor);
    expect(donors.flatMap((one) => schemaFaults("donor", one))).toEqual([]);
    const episodes: EpisodeRecord[] = [];
    for await (const one of readEpisodes(join(folder, "episodes.jsonl"))) episodes.push(one);
    const asked = episodes.filter(({ condition }) => condition === "asker");
    expect(asked).toHaveLength(6);
    for (const [index, episode] of asked.entries()) {
      const donor = donors.find(({ record_id }) => record_id === episode.record_id)!.donor;
      expect(episode.donor).toBe(donor);
      const shown = seen.slice(index * 3, index * 3 + 3);
      expect(shown.map(({ dialogue }) => dialogue)).toEqual([0, 1, 2]);
      for (const { view, maxTurn } of shown) {
        const { request } = records.find(({ record_id }) => record_id === donor)!.public;
        expect(view).toMatchObject({ request, database_id: databaseOf[donor] });
        expect(maxTurn).toBe(episode.max_turn);
      }
      expect(episode.turns[0]!.question).toBe(`What is ${shown[0]!.view.request}?`);
    }
    for (const { condition, donor } of episodes) if (condition !== "asker") expect(donor).toBeUndefined();
  });

  it("wraps only askers that read a specification", () => {
    expect(askerNamed("spec-randomized:checklist-ledger").name).toBe("spec-randomized:checklist-ledger");
    expect(() => askerNamed("spec-randomized:full")).toThrow(/reads no specification/);
    expect(() => askerNamed("spec-randomized:nobody")).toThrow(/no asker "nobody"/);
  });
});
