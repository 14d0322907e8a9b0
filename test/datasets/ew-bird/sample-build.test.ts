import { readFileSync, writeFileSync } from "node:fs";
import { cp } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { publicLeaks } from "../../../pipelines/audit/leaks.js";
import { normalKey } from "../../../pipelines/oracle/index.js";
import { agentView } from "../../../pipelines/record/views.js";
import {
  ambitab,
  type Built,
  buildEwBird,
  outFolder,
  REPLAY,
  reasons,
  removeFolders,
  SAMPLE,
} from "./building.js";

let built: Built;
beforeAll(async () => {
  built = await buildEwBird(SAMPLE, ...REPLAY);
});
afterAll(removeFolders);

const record = (key: string) => {
  const found = built.records.find(({ avt_id }) => avt_id === `ew-bird/${key}`);
  if (found === undefined) throw new Error(`no record of ${key}`);
  return found;
};
const dropOf = (key: string) => built.dropped.find((one) => one.key === `ew-bird/${key}`);

describe("the sample's build", () => {
  it("keeps and drops each row for the reason it was made for", () => {
    expect(reasons(built.funnel)).toEqual({
      empty_result: 1,
      evidence_not_needed: 3,
      gold_error: 1,
      no_evidence: 3,
      probe_no_answer: 1,
      source_missing: 1,
    });
    expect(built.funnel).toMatchObject({
      rows: 24,
      records: 14,
      databases: 3,
      missing: { lost_lighthouses: 1 },
      published: { records: 2537, databases: 78, ambiguities: 5328 },
      splits: {
        train: { records: 4, databases: 1, published: { records: 2091, databases: 67, ambiguities: 4417 } },
        dev: { records: 10, databases: 2, published: { records: 446, databases: 11, ambiguities: 911 } },
      },
    });
    expect(dropOf("dev/8")).toMatchObject({ reason: "gold_error", detail: 'near "FROM": syntax error' });
    expect(dropOf("dev/7")).toMatchObject({ reason: "probe_no_answer" });
    expect(dropOf("dev/16")?.detail).toBe("replay: mismatch without, prediction_error with");
    expect(dropOf("dev/4")?.detail).toBe("replay: match without, match with");
  });

  it("counts hints by shape, and hints beside ambiguities", () => {
    const counts = built.funnel.counts ?? {};
    const { hints, ...shapes } = counts;
    const sum = Object.values(shapes).reduce((total, { rows }) => total + rows, 0);
    expect(sum).toBe(hints?.rows);
    // One pair of hints defines the same word.
    expect(hints?.records).toBe(built.funnel.ambiguities + 1);
    expect(built.funnel.findings).toMatchObject({ hints_merged: 1, evidence_truth_word: 1 });
  });

  it("makes a record of each kept row, and its evidence stands in the oracle's zone alone", () => {
    const one = record("dev/15");
    expect(one).toMatchObject({
      record_id: "ew-bird/dev/15#1",
      split: "dev",
      public: {
        database: { engine: "sqlite", database_id: "seed_library", path: "seed_library/seed_library.sqlite" },
      },
      oracle: {
        withheld_evidence:
          "beans refers to family = 'Fabaceae'; peas refers to family = 'Fabaceae'; beans are legumes",
      },
      verifier: {
        comparison: { policy: "bird_ex", ordered: false },
        success: "comparison",
        verifiable: true,
      },
      provenance: { source: "bird", file: "dev/dev.json", row: 15, pipeline_version: "ew-bird@1.0.0" },
    });
    expect(one.provenance.source_version).toMatch(/^sample\+[0-9a-f]{12}$/);
    expect(one.oracle.ambiguities).toMatchObject([
      {
        term: "beans",
        kind: "knowledge",
        counts: true,
        resolution: "beans refers to family = 'Fabaceae'; beans are legumes",
        response: "Beans means that family is 'Fabaceae'. Beans are legumes.",
      },
      { term: "peas", concepts: ["peas", "family", "Fabaceae"] },
    ]);
    for (const each of built.records) {
      const shown = JSON.stringify(agentView(each, "t", []));
      expect(shown).not.toContain(JSON.stringify(each.oracle.withheld_evidence).slice(1, -1));
      expect(publicLeaks(each)).toEqual([]);
      const keys = each.oracle.ambiguities.map(({ term }) => normalKey(term));
      expect(new Set(keys).size).toBe(keys.length);
      expect(keys).not.toContain("");
    }
  });

  it("gives columns their meanings, and reports what did not fit", () => {
    const { column_meanings = {} } = record("dev/3").public;
    expect(column_meanings["sailings.Departure Time"]).toBe("when it was to leave");
    expect(column_meanings["port.rgn"]).toBe(
      "region: the part of the coast that the port lies on. NI: northern isles OC: outer coast SI: southern isles",
    );
    expect(record("dev/12").public.column_meanings?.["member.town"]).toBe(
      "where the member lives – Risør, Lyngør or elsewhere",
    );
    const said = built.ledger
      .find(({ key }) => key === "ew-bird/dev/3")
      ?.steps.flatMap((step) => step.evidence ?? []);
    expect(JSON.stringify(said)).toContain("port.csv describes harbour_master, which port has not");
    expect(JSON.stringify(said)).toContain("sailing.csv was taken for the table sailings");
  });

  it("keeps both answers, their results and verdicts in the ledger", () => {
    const step = built.ledger
      .find(({ key }) => key === "ew-bird/dev/0")
      ?.steps.find(({ stage }) => stage === "probe-evidence");
    expect(step?.evidence).toMatchObject([
      { kind: "model", role: "replay", evidence_given: false, verdict: "mismatch" },
      { kind: "sql", outcome: "rows", sql: expect.stringContaining("vtype = 'F'") },
      { kind: "model", role: "replay", evidence_given: true, verdict: "match" },
      { kind: "sql", outcome: "rows", sql: expect.stringContaining("vtype = 'H'") },
    ]);
  });

  it("locks the release and the predictions by hash, without a path of this machine", () => {
    expect(built.lock.settings).toMatchObject({
      probe: {
        replay: {
          without: expect.stringMatching(/^[0-9a-f]{64}$/),
          with: expect.stringMatching(/^[0-9a-f]{64}$/),
        },
      },
    });
    expect(built.text("lock.json")).not.toContain(SAMPLE);
  });

  it("says nothing new the second time, and other things with other predictions", async () => {
    const args = ["build", "ew-bird", "--from", `bird=${SAMPLE}`, "--out", built.out];
    const again = await ambitab([...args, ...REPLAY]);
    expect(again.stderr).toContain("is up to date, 14 records");
    const swapped = `replay=${SAMPLE}/predictions/with.json,${SAMPLE}/predictions/with.json`;
    const other = await ambitab([...args, "--probe", swapped, "--json"]);
    expect(JSON.parse(other.stdout).datasets[0].funnel.records).toBe(0);
    await ambitab([...args, ...REPLAY]);
  });

  it("validates, and is traced by key and by position", async () => {
    const checked = await ambitab(["validate", join(built.out, "build"), "--json"]);
    expect(checked.status).toBe(0);
    const traced = await ambitab(["trace", "--out", built.out, "ew-bird/train/row-1"]);
    expect(traced.stdout).toContain("source bird, train/train.json, row 1");
    expect(traced.stdout).not.toContain("dev/dev.json");
  });
});

describe("a build that cannot be", () => {
  const build = (...args: string[]) => ambitab(["build", "ew-bird", "--out", outFolder(), "--from", ...args]);

  it("names the file and the row of a prediction on another database", async () => {
    const folder = outFolder();
    const file = join(folder, "without.json");
    writeFileSync(
      file,
      readFileSync(`${SAMPLE}/predictions/without.json`, "utf8").replace("harbour_ferries", "quays"),
    );
    const { status, stderr } = await build(
      `bird=${SAMPLE}`,
      "--probe",
      `replay=${file},${SAMPLE}/predictions/with.json`,
    );
    expect(status).toBe(2);
    expect(stderr).toContain(
      'without.json, field "dev/0": expected an answer on the database harbour_ferries',
    );
  });

  it("says what to do where no model is configured, before anything is fetched", async () => {
    const { status, stderr } = await build(`bird=${SAMPLE}`);
    expect(status).toBe(2);
    expect(stderr).toMatch(/cannot be built without models.*\n.*--models FILE.*--probe/);
  });

  it.each([
    [["--probe", "x"], /expected replay=WITHOUT\.json,WITH\.json/],
    [["--probe", "replay=a.json,b.json"], /predictions a\.json cannot be read/],
    [[...REPLAY, "--source-release", "dev_2023"], /no dev release "dev_2023"\n.*it has: sample/],
  ])("refuses %j", async (args, message) => {
    const { status, stderr } = await build(`bird=${SAMPLE}`, ...args);
    expect(status).toBe(2);
    expect(stderr).toMatch(message);
  });

  it("refuses options that nothing of the build reads", async () => {
    for (const option of [["--source-release", "sample"], REPLAY]) {
      const { status, stderr } = await ambitab(["build", "taco", "--out", outFolder(), ...option]);
      expect(status).toBe(2);
      expect(stderr).toContain(option[0]);
    }
  });

  it("finds train and dev rows on one database at fault", async () => {
    const folder = outFolder();
    await cp(SAMPLE, folder, { recursive: true });
    const train = join(folder, "train/train.json");
    writeFileSync(train, readFileSync(train, "utf8").replace('"night_market"', '"seed_library"'));
    const { status, stderr } = await build(`bird=${folder}`, ...REPLAY);
    expect(status).toBe(2);
    expect(stderr).toMatch(
      /train\/train\.json, line 2, row 0, field "db_id": expected train to have databases of its own/,
    );
  });
});
