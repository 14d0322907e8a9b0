/** Every record of every sample leads back to its row, and every row forward to exactly its records, or to why there are none. */
import { copyFileSync, mkdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { changesBetween, nearestTo } from "../../pipelines/audit/nearest-names.js";
import { nearestIds, trace } from "../../pipelines/audit/trace.js";
import { answersOf, callsOf } from "../../pipelines/audit/traced-answers.js";
import { importArchive } from "../../pipelines/model/archive.js";
import { ResponseStore } from "../../pipelines/model/response-store.js";
import { type DatasetFolder, openSuite } from "../../pipelines/record/suite.js";
import type { DroppedRow } from "../../schemas/types/dropped.js";
import type { LedgerEntry } from "../../schemas/types/ledger.js";
import type { TaskRecord } from "../../schemas/types/record.js";
import { sampleResponses } from "../../scripts/terminal/build-options.js";
import { tracedText } from "../../scripts/terminal/traced.js";
import { buildSample, DATASETS, recordsOf, releaseSample, temporaryFolder } from "../release/sample.js";

const linesOf = <T>(path: string): T[] =>
  readFileSync(path, "utf8")
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line) as T);
const keysOf = (found: readonly { entry: LedgerEntry }[]): string[] => found.map(({ entry }) => entry.key);

let out = "";
let datasets: DatasetFolder[] = [];
const ledgers = new Map<string, LedgerEntry[]>();
const records = new Map<string, TaskRecord[]>();

beforeAll(async () => {
  out = temporaryFolder();
  await buildSample(out, DATASETS);
  datasets = openSuite(out).datasets;
  for (const { dataset, folder, ledger } of datasets) {
    ledgers.set(dataset, linesOf(ledger));
    records.set(dataset, await recordsOf(folder));
  }
}, 240_000);

describe.each(DATASETS)("the rows and records of %s", (dataset) => {
  it("lead from each record back to the row that its provenance names", async () => {
    const all = records.get(dataset) ?? [];
    expect(all.length).toBeGreaterThan(0);
    for (const record of all) {
      const { file, row, file_sha256, row_sha256, source, decisions_ref } = record.provenance;
      const [found, ...more] = await trace(datasets, record.record_id);
      expect(more).toEqual([]);
      const origin = { file, row, file_sha256, row_sha256 };
      // One question of AMBROSIA is several rows, of which the ledger names the first and a record its reading's own.
      if (dataset === "ambrosia") expect(found?.entry.origin).toMatchObject({ file, file_sha256 });
      else expect(found?.entry.origin).toEqual(origin);
      expect(keysOf(await trace(datasets, `${source}/${file}:${row}`))).toContain(found?.entry.key);
      expect(found?.entry.source).toBe(source);
      expect(found?.records).toContainEqual(record);
      expect(keysOf(await trace(datasets, decisions_ref))).toContain(found?.entry.key);
    }
  });

  it("lead from each row forward to exactly its records, by key, position and place in the source", async () => {
    const ledger = ledgers.get(dataset) ?? [];
    const all = records.get(dataset) ?? [];
    expect(ledger.flatMap(({ record_ids }) => record_ids)).toEqual(all.map(({ record_id }) => record_id));
    for (const entry of ledger) {
      const found = (await trace(datasets, entry.key)).find((one) => one.entry.key === entry.key);
      expect(found?.entry).toEqual(entry);
      expect(found?.records).toEqual(all.filter(({ record_id }) => entry.record_ids.includes(record_id)));
      const { file, row } = entry.origin;
      const inFile = await trace(datasets, `${entry.source}/${file}:${row}`);
      expect(keysOf(inFile)).toContain(entry.key);
      for (const one of inFile) expect(one.entry.origin).toEqual(entry.origin);
      const within = entry.key.split("/").slice(0, 2).join("/");
      // A source of one row a file has no positions that tell rows apart.
      if (dataset === "taco") continue;
      const placed = keysOf(await trace(datasets, `${within}/row-${row}`));
      const own = placed.filter((key) => key.startsWith(`${dataset}/`));
      const there = ledger.filter((one) => one.origin.row === row && one.key.startsWith(`${within}/`));
      expect(own).toEqual(there.map(({ key }) => key));
    }
  });

  it("tell of each row that is in no record by which stage and why", async () => {
    const dropped = linesOf<DroppedRow>(join(out, "build", dataset, "dropped.jsonl"));
    for (const { key, stage, reason, detail } of dropped) {
      const [found] = await trace(datasets, key);
      expect(found?.entry.steps).toContainEqual(
        expect.objectContaining({ stage, outcome: "dropped", reason, detail }),
      );
      expect(tracedText(found!, key, new Map())).toContain(`${stage}  ${reason}: ${detail}`);
    }
    const ledger = ledgers.get(dataset) ?? [];
    for (const { key, steps } of ledger.filter(({ record_ids }) => record_ids.length === 0))
      expect(steps.at(-1)?.outcome, key).toBe("dropped");
  });

  it("lead from an AVT to every row that a reading of it comes from", async () => {
    const all = records.get(dataset) ?? [];
    for (const avt of new Set(all.map(({ avt_id }) => avt_id))) {
      const ids = (await trace(datasets, avt)).flatMap(({ entry }) => entry.record_ids);
      const own = all.filter(({ avt_id }) => avt_id === avt);
      expect(ids).toEqual(expect.arrayContaining(own.map(({ record_id }) => record_id)));
    }
  });

  it("read as text with nothing left unsaid", async () => {
    for (const { key } of ledgers.get(dataset) ?? []) {
      const [found] = await trace(datasets, key);
      const text = tracedText(found!, key, new Map());
      expect(text).not.toMatch(/undefined|\[object|NaN|null,|: $/m);
      for (const { stage } of found!.entry.steps) expect(text).toContain(`  ${stage}`);
      for (const { record_id } of found!.records) expect(text).toContain(`record  ${record_id}`);
    }
  });
});

describe("a source's name", () => {
  it("stands for every dataset that is made of it, and a record's id for one", async () => {
    expect(keysOf(await trace(datasets, "bird/train/3"))).toEqual(["bird/train/3", "ew-bird/train/3"]);
    expect(keysOf(await trace(datasets, "ew-bird/train/3"))).toEqual(["ew-bird/train/3"]);
    expect(keysOf(await trace(datasets, "bird/dev/12#1"))).toEqual(["bird/dev/12"]);
  });
});

describe("an id that nothing has", () => {
  it.each([
    ["ambiqt/validaton/32.visits.group#1", "ambiqt/validation/32.visits.group#1"],
    [
      "Taco/all/us/Lakeshore Transit - 7/generated_nl_query_0",
      "taco/all/us/Lakeshore Transit - 7/generated_nl_query_0",
    ],
    ["ew_bird/train/3", "ew-bird/train/3"],
    ["bird-interact/all/harbor_1", "bird-interact/all/harbour_1"],
  ])("%s is offered %s first", async (typed, meant) => {
    expect(await trace(datasets, typed)).toEqual([]);
    expect((await nearestIds(datasets, typed))[0]).toBe(meant);
  });

  it.each([
    "",
    "/",
    "#",
    ".",
    '"',
    "\\",
    "ambiqt",
    "ambiqt/",
    "nowhere/x",
    "row-0",
    "ambiqt/row-999999999999999999",
    "x:1",
    "../../etc/passwd",
    "ambiqt/\u0000",
    "🙂/\ud800",
  ])("%j finds nothing and breaks nothing", async (typed) => {
    expect(await trace(datasets, typed)).toEqual([]);
    for (const id of await nearestIds(datasets, typed)) expect(id).not.toBe(typed);
  });

  it("is compared by single changes, up to a limit", () => {
    expect(changesBetween("kitten", "sitting", 5)).toBe(3);
    expect(changesBetween("kitten", "sitting", 2)).toBe(3);
    expect(changesBetween("abc", "abc", 0)).toBe(0);
    expect(changesBetween("", "abcdef", 3)).toBe(4);
    expect(nearestTo("a/b/11", new Set(["a/b/12", "a/b/1", "c/d/11", "a/b/111"]), 2)).toEqual([
      "a/b/111",
      "a/b/1",
    ]);
  });
});

describe("a release", () => {
  let release = "";
  beforeAll(async () => {
    const folder = temporaryFolder();
    await buildSample(folder, ["taco", "bird"]);
    release = await releaseSample(folder);
  }, 120_000);

  it("tells the same as the build, from its own files, with the models' answers", async () => {
    const { datasets: released } = openSuite(release);
    for (const dataset of ["taco", "bird"]) {
      for (const { key } of ledgers.get(dataset) ?? []) {
        const [theirs] = await trace(released, key);
        const [ours] = (await trace(datasets, key)).filter((one) => one.dataset === dataset);
        expect(theirs?.entry).toEqual(ours?.entry);
        expect(theirs?.records).toEqual(ours?.records);
      }
    }
    const [found] = await trace(released, "bird/dev/12#1");
    const calls = callsOf(found!.entry);
    expect(calls.length).toBeGreaterThan(2);
    const bird = released.find(({ dataset }) => dataset === "bird");
    // The release's archive, whichever it had: no model was asked here, so the sample's own answers are the right ones.
    rmSync(join(release, "responses"), { recursive: true, force: true });
    mkdirSync(join(release, "responses"), { recursive: true });
    copyFileSync(sampleResponses(), join(release, "responses", "bird.jsonl.gz"));
    const none = join(out, "no such store.sqlite");
    const answers = await answersOf(bird!, [found!.entry], none);
    expect([...answers.keys()].sort()).toEqual([...calls].sort());
    const text = tracedText(found!, "bird/dev/12#1", answers);
    expect(text).toContain("model  judge");
    expect(text).toMatch(/said: \{"reasoning"/);
    expect(text).not.toContain("not stored");
    expect(tracedText(found!, "bird/dev/12#1", new Map())).toContain("answer not stored here");
    // The store of a build's output folder.
    const home = temporaryFolder();
    const store = new ResponseStore(join(home, "cache", "model-responses.sqlite"));
    importArchive(store, sampleResponses());
    store.close();
    const build = datasets.find(({ dataset }) => dataset === "bird");
    const stored = await answersOf(build!, [found!.entry], join(home, "cache", "model-responses.sqlite"));
    expect(new Map([...stored].sort())).toEqual(new Map([...answers].sort()));
    expect(await answersOf(build!, [found!.entry], none)).toEqual(new Map());
  });

  it("whose ledger was left out, as a public-only one's is, says that it cannot tell", async () => {
    rmSync(join(release, "ledger"), { recursive: true });
    const { datasets: open } = openSuite(release);
    await expect(trace(open, "taco/all/x")).rejects.toThrow(/has no ledger of taco/);
    expect(await trace(open, "ambiqt/validation/0")).toEqual([]);
    expect(await nearestIds(open, "taco/all/x")).toEqual([]);
  });
});
