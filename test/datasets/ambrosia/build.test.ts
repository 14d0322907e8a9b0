import { copyFileSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { validate } from "../../../pipelines/audit/validate.js";
import { SourceErrors } from "../../../pipelines/errors.js";
import { openSuite } from "../../../pipelines/record/suite.js";
import { openSqliteSandbox } from "../../../pipelines/sql/index.js";
import { tree } from "../../engine/toy.js";
import { ambiguityOf, type Built, built, copyOfSample, findingsOf, SAMPLE } from "./building.js";

const EXHIBITS = "attachment.Museums.attachment_1tab_val_exhibits";

describe("a build of the AMBROSIA sample", () => {
  let whole: Built;
  beforeAll(async () => {
    whole = await built(SAMPLE);
  });
  const recordsOf = (part: string) => whole.records.filter(({ avt_id }) => avt_id.includes(part));

  it("gives a reason for every question that is not in it", () => {
    const reasons = whole.dropped.map(({ key, reason, detail }) => [
      key.split("/").slice(1).join("/"),
      reason,
      detail,
    ]);
    expect(reasons).toEqual([
      [
        "test/attachment.Fire_Service.attachment_2tab_ref_crews.2",
        "reading_fails",
        "reading 2 of 2: no such table: Volunteers",
      ],
      [
        "test/attachment.Fire_Service.attachment_2tab_ref_crews.3",
        "empty_result",
        "reading 1 of 2 returns no rows",
      ],
      [
        "few_shot_examples/vague.Markets.vague_2cols_price.0",
        "few_shot_example",
        "upstream's example for prompts, with 3 readings",
      ],
      [
        "test/scope.Gardening.scope_nurseries_bulbs.0",
        "source_missing",
        "no database data/scope/Gardening/scope_nurseries_bulbs/scope_nurseries_bulbs.sqlite: it is not in this copy",
      ],
    ]);
    expect(whole.funnel).toMatchObject({ rows: 18, records: 32, databases: 6, ambiguities: 32, avts: 14 });
    expect(findingsOf(whole.ledger)).toEqual(["equal_results", "equal_results", "equal_results"]);
  });

  it("makes one record a reading, with the source's own sentence and row", () => {
    const [one, two, ...more] = recordsOf(`${EXHIBITS}.0`);
    expect(more).toEqual([]);
    expect(one?.public).toEqual(two?.public);
    expect(one?.avt_id).toBe(two?.avt_id);
    expect(new Set([one?.record_id, two?.record_id])).toEqual(
      new Set([`${one?.avt_id}#1`, `${one?.avt_id}#2`]),
    );
    const sentences = [one, two].map((record) => record?.oracle.clear_request);
    expect(sentences.sort()).toEqual([
      "List all oil paintings, and of the bronze statues only those that the family Okafor gave.",
      "Which oil paintings were given by the family Okafor and which bronze statues did they give too?",
    ]);
    expect(new Set([one?.provenance.row, two?.provenance.row]).size).toBe(2);
    expect(one?.provenance.row_sha256).not.toBe(two?.provenance.row_sha256);
  });

  it("turns double-quoted literals into strings, says so, and keeps the line breaks", () => {
    const [record] = recordsOf(`${EXHIBITS}.0`);
    expect(record?.verifier.reference_sql[0]).toMatch(
      /^SELECT title\r\nFROM Exhibits\r\nWHERE .*kind = 'Oil Painting'/,
    );
    expect(record?.provenance.notes).toEqual([
      'made "Oil Painting", "Bronze Statue", "Family Okafor" string literals, as SQLite resolves them',
    ]);
  });

  it("says plainly which reading is meant", () => {
    const said = (part: string) =>
      recordsOf(part)
        .map((record) => ambiguityOf(record).response)
        .sort();
    expect(said("scope_allotments_tools.0")).toEqual([
      'By "each allotment" I mean all of them together: only what is common to every one of them. In other words: Which tools do all allotments have in common?',
      'By "each allotment" I mean each one separately: a list for each of them. In other words: For each allotment, list the tools kept there.',
    ]);
    expect(said("crews.0")[1]).toBe(
      '"Welsh-speaking" goes with both: the drivers and the paramedics. In other words: Show both the Welsh-speaking paramedics and the Welsh-speaking drivers.',
    );
    expect(said("creator.0")).toHaveLength(3);
    expect(said("creator.0")[0]).toContain('By "Who made" I mean both the playwright and the director.');
  });

  it("lists as alternatives only what differs from the reference", () => {
    const counts = (part: string) =>
      recordsOf(part)
        .map(({ verifier }) => verifier.alternative_sql?.length)
        .sort();
    expect(counts("opening.0")).toEqual([2, 2, 2]);
    // Two of three readings have the same SQL.
    expect(counts("opening.1")).toEqual([1, 1, 2]);
    // The same rows in another order differ, because both readings order them.
    expect(counts("opening.2")).toEqual([1, 1]);
    expect(recordsOf("opening.2").every(({ verifier }) => verifier.comparison.ordered)).toBe(true);
  });

  it("drops requests whose readings have the same rows when readings are strict", async () => {
    const strict = await built(SAMPLE, { strict_readings: true });
    const equal = strict.dropped.filter(({ reason }) => reason === "equal_results");
    expect(equal.map(({ detail }) => detail)).toEqual([
      "readings 1 and 3 give the same result",
      "readings 1 and 2 give the same rows in another order",
      "readings 1 and 2 give the same result",
    ]);
    expect(strict.records.length).toBe(24);
  });

  it("copies the databases byte for byte and names them apart", () => {
    const copies = Object.entries(tree(join(whole.folder, "databases"))).map(([, sha256]) => sha256);
    const originals = new Set(Object.values(tree(SAMPLE)));
    expect(copies.length).toBe(6);
    for (const copy of copies) expect(originals).toContain(copy);
  });

  it("is valid, and the same bytes at any number of jobs", async () => {
    const sandbox = openSqliteSandbox({ children: 1 });
    for await (const { findings } of validate(openSuite(whole.folder).datasets, sandbox, 4))
      expect(findings).toEqual([]);
    await sandbox.close();
    const again = await built(SAMPLE, {}, 1);
    expect(tree(again.folder)).toEqual(tree(whole.folder));
  });

  it("puts every database in one slice, another one with another seed", async () => {
    const slicesOf = ({ records }: Built): Map<string, string> => {
      const slices = new Map<string, string>();
      for (const { slices: own, public: zone } of records) {
        expect(own).toHaveLength(1);
        const known = slices.get(zone.database.database_id);
        if (known !== undefined) expect(own[0]).toBe(known);
        slices.set(zone.database.database_id, own[0] ?? "");
      }
      return slices;
    };
    const slices = slicesOf(whole);
    const test = whole.records.filter(({ slices: own }) => own[0] === "local-test");
    // A fifth of 32 is 6.4.
    expect(test.length).toBe(6);
    expect(new Set(slices.values())).toEqual(new Set(["local-train", "local-test"]));
    const seeds = await Promise.all([2, 3, 4].map((seed) => built(SAMPLE, { seed })));
    for (const other of seeds) slicesOf(other);
    const orders = new Set(
      [whole, ...seeds].map(({ records }) => records.map(({ oracle }) => oracle.clear_request).join()),
    );
    expect(orders.size).toBeGreaterThan(1);
  });

  it("reads a folder without the CSV: all questions, because it does not say the split", async () => {
    const root = copyOfSample();
    rmSync(join(root, "data/ambrosia.csv"));
    const folders = await built(root);
    expect(folders.records.length).toBe(35);
    expect(findingsOf(folders.ledger).filter((code) => code === "split_unknown").length).toBe(18);
    const public_ = (records: Built["records"]) =>
      records.map(({ public: zone, verifier }) => JSON.stringify([zone, verifier.reference_sql])).sort();
    const csv = public_(whole.records);
    expect(public_(folders.records)).toEqual(expect.arrayContaining(csv));
    expect(folders.lock.source_version).toMatch(/^folders-/);
  });

  it("reports bad rows all at once, or keeps going without them", async () => {
    const root = copyOfSample();
    copyFileSync(join(root, "with-bad-rows.csv"), join(root, "data/ambrosia.csv"));
    const error = await built(root).catch((failure: unknown) => failure);
    expect(error).toBeInstanceOf(SourceErrors);
    expect((error as SourceErrors).errors.length).toBe(7);
    const kept = await built(root, { keep_going: true });
    expect(kept.dropped.filter(({ reason }) => reason === "bad_row").length).toBe(7);
    expect(kept.records.length).toBe(whole.records.length);
  });

  it("reports an annotation that cannot be read, and counts one that is not there as missing", async () => {
    const root = copyOfSample();
    const beside = "data/attachment/Museums/attachment_1tab_val_exhibits/concepts.json";
    writeFileSync(join(root, beside), "{}");
    const error = await built(root).catch((failure: unknown) => failure);
    expect((error as Error).message).toContain(
      `${beside}, field "general_class": expected a string, found nothing`,
    );
    rmSync(join(root, beside));
    const without = await built(root);
    const missing = without.dropped.filter(({ key }) => key.includes(EXHIBITS));
    expect(missing.map(({ reason }) => reason)).toEqual(["source_missing", "source_missing"]);
  });

  it("counts a database that is damaged as missing, with SQLite's message", async () => {
    const root = copyOfSample();
    const path = join(
      root,
      "data/attachment/Museums/attachment_1tab_val_exhibits/attachment_1tab_val_exhibits.sqlite",
    );
    const bytes = readFileSync(path);
    rmSync(path);
    writeFileSync(path, bytes.fill(0xff, 1024));
    const { dropped } = await built(root);
    const details = dropped
      .filter(({ key }) => key.includes(EXHIBITS))
      .map(({ reason, detail }) => `${reason}: ${detail}`);
    expect(details).toHaveLength(2);
    for (const detail of details)
      expect(detail).toMatch(/^source_missing: .*(does not pass SQLite's integrity check|cannot be read): ./);
  });
});
