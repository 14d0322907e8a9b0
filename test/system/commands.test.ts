import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { DroppedRow } from "../../schemas/types/dropped.js";
import type { Funnel } from "../../schemas/types/funnel.js";
import type { LedgerEntry } from "../../schemas/types/ledger.js";
import type { TaskRecord } from "../../schemas/types/record.js";
import { jsonLines, temporary, tree } from "../engine/toy.js";
import { ambitab, ambitabHere, buildArgs, SAMPLE } from "./command.js";

const folder = temporary();
const out = join(folder.path, "out");
const ambiqt = join(out, "build", "ambiqt");
const json = <T>(text: string): T => JSON.parse(text) as T;
let records: TaskRecord[];
let dropped: DroppedRow[];
let first: { stdout: string; stderr: string };
beforeAll(async () => {
  const outcome = await ambitab(buildArgs(out, SAMPLE, "--json", "--jobs", "2"));
  expect(outcome.code, outcome.stderr).toBe(0);
  first = outcome;
  records = jsonLines<TaskRecord>(join(ambiqt, "records.jsonl"));
  dropped = jsonLines<DroppedRow>(join(ambiqt, "dropped.jsonl"));
});
afterAll(() => folder.remove());

describe("build", () => {
  it("prints its result alone on stdout and what it does on stderr", () => {
    const [dataset] = json<{ datasets: { folder: string; up_to_date: boolean; funnel: Funnel }[] }>(
      first.stdout,
    ).datasets;
    expect(dataset).toMatchObject({ folder: ambiqt, up_to_date: false });
    expect(dataset?.funnel.records).toBe(records.length);
    expect(first.stderr).toContain("building ambiqt");
  });

  it("is up to date the second time, silent with --quiet, and shows the published counts", async () => {
    const before = tree(ambiqt);
    const { code, stdout, stderr } = await ambitab(buildArgs(out, SAMPLE, "--quiet"));
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    expect(stdout).toMatch(/records 66 \(published 1,722, -1,656\)/);
    expect(stdout).toMatch(
      /missing from this copy of the source: kite_festival \(1 rows?\), lighthouse_log \(1 rows?\)/,
    );
    expect(tree(ambiqt)).toEqual(before);
  });

  it("gives the same bytes with another number of jobs, in another folder, from another working directory", async () => {
    const other = join(folder.path, "elsewhere");
    mkdirSync(other);
    const { code, stderr } = await ambitab(buildArgs("here", SAMPLE, "--jobs", "5", "--quiet"), other);
    expect(code, stderr).toBe(0);
    expect(tree(join(other, "here", "build", "ambiqt"))).toEqual(tree(ambiqt));
  });

  it("writes into folders with spaces, quotes and letters of other scripts", async () => {
    const odd = join(folder.path, `a b's "c" é表;&`);
    const { code, stderr } = await ambitab(buildArgs(odd, SAMPLE, "--limit", "6", "--quiet"));
    expect(code, stderr).toBe(0);
    for (const command of [
      ["validate", odd],
      ["list", odd],
      ["trace", "--out", odd, "ambiqt/validation/row-0"],
    ]) {
      const outcome = await ambitabHere(command);
      expect(outcome.code, outcome.stderr).toBe(0);
      expect(outcome.stdout).not.toBe("");
    }
  });
});

describe("trace", () => {
  const traced = async (id: string) => {
    const { code, stdout, stderr } = await ambitabHere(["trace", id, "--out", out, "--json"]);
    expect(code, stderr).toBe(0);
    return json<{ entry: LedgerEntry; records: TaskRecord[] }[]>(stdout);
  };

  it("goes from a record back to its row, with every stage and its evidence", async () => {
    const record = records.find(({ public: zone }) => zone.database.path.includes("harbour"));
    const [found, ...more] = await traced(record?.record_id ?? "");
    expect(more).toEqual([]);
    expect(found?.entry.origin).toMatchObject({
      row: record?.provenance.row,
      row_sha256: record?.provenance.row_sha256,
    });
    expect(found?.entry.steps.map(({ stage }) => stage)).toEqual([
      "locate-database",
      "one-column-two-names",
      "reject-protected-keys",
      "build-database",
      "keep-distinct-readings",
      "emit-intents",
      "prove-guarantees",
    ]);
    const sql = found?.entry.steps
      .flatMap(({ evidence = [] }) => evidence)
      .filter(({ kind }) => kind === "sql");
    expect(sql?.length).toBe(2);
    expect(found?.records.map(({ record_id }) => record_id)).toContain(record?.record_id);
    expect(record?.provenance.decisions_ref).toBe(`ledger.jsonl#${found?.entry.key}`);
  });

  it("goes from a row to its records, by key, by question and by position in the file", async () => {
    const record = records[0];
    const { key, origin } = (await traced(record?.record_id ?? ""))[0]?.entry ?? {
      key: "",
      origin: { row: -1 },
    };
    expect((await traced(key)).map(({ entry }) => entry.key)).toEqual([key]);
    expect((await traced(`ambiqt/validation/row-${origin.row}`)).map(({ entry }) => entry.key)).toEqual([
      key,
    ]);
    const question = key.split(".")[0] ?? "";
    expect((await traced(question)).map(({ entry }) => entry.key)).toContain(key);
    expect((await traced(key))[0]?.records.length).toBe(2);
  });

  it("says why a row is not in the benchmark", async () => {
    for (const one of dropped) {
      const [found] = await traced(`ambiqt/validation/row-${one.row}`);
      expect(found?.records).toEqual([]);
      expect(found?.entry.steps.at(-1)).toMatchObject({
        stage: one.stage,
        outcome: "dropped",
        reason: one.reason,
      });
      if (one !== dropped[0]) break;
    }
    const text = await ambitab(["trace", `ambiqt/validation/row-${dropped[0]?.row}`, "--out", out]);
    expect(text.stdout).toContain(`${dropped[0]?.reason}: ${dropped[0]?.detail}`);
    expect(text.stdout).toContain("not in the benchmark");
  });

  it("refuses an id that nothing has, also one that another's begins with", async () => {
    for (const id of ["ambiqt/validation/row-9999", "ambiqt/valid"]) {
      const { code, stderr, stdout } = await ambitabHere(["trace", id, "--out", out]);
      expect([code, stdout], id).toEqual([2, ""]);
      expect(stderr).toMatch(/^error: no record and no source row is called/);
    }
  });
});

describe("list and show", () => {
  it("list every record, a few, or as JSON lines", async () => {
    const text = await ambitab(["list", out, "--limit", "3"]);
    expect(text.stdout).toContain(`${records.length - 3} more`);
    const { stdout } = await ambitabHere(["list", ambiqt, "--limit", "0", "--json"]);
    const ids = stdout
      .trim()
      .split("\n")
      .map((line) => json<{ record_id: string }>(line).record_id);
    expect(ids).toEqual(records.map(({ record_id }) => record_id));
  });

  it("show a record with its zones apart, all readings of a request, and JSON", async () => {
    const [record] = records;
    const { stdout } = await ambitab(["show", out, record?.record_id ?? ""]);
    for (const zone of ["public (", "oracle (", "verifier (", "provenance ("]) expect(stdout).toContain(zone);
    const both = await ambitabHere(["show", out, record?.avt_id ?? "", "--json"]);
    expect(json<TaskRecord[]>(both.stdout)).toEqual(
      records.filter(({ avt_id }) => avt_id === record?.avt_id),
    );
    const none = await ambitabHere(["show", out, "ambiqt/none#1"]);
    expect([none.code, none.stdout]).toEqual([2, ""]);
  });
});

describe("validate and doctor", () => {
  it("find nothing wrong with the build, and say so as JSON", async () => {
    const { code, stdout } = await ambitab(["validate", out, "--json"]);
    expect(code).toBe(0);
    expect(json<{ valid: boolean; records: number }>(stdout)).toMatchObject({
      valid: true,
      records: records.length,
    });
  });

  it("fail with 1 when a record is wrong", async () => {
    const copy = join(folder.path, "copy");
    mkdirSync(join(copy, "ambiqt"), { recursive: true });
    writeFileSync(
      join(copy, "ambiqt", "records.jsonl"),
      `${JSON.stringify({ ...records[0], split: "test" })}\n`,
    );
    writeFileSync(join(copy, "ambiqt", "lock.json"), readFileSync(join(ambiqt, "lock.json")));
    const { code, stdout } = await ambitabHere(["validate", copy, "--json"]);
    expect(code).toBe(1);
    expect(json<{ valid: boolean }>(stdout).valid).toBe(false);
    writeFileSync(join(copy, "ambiqt", "records.jsonl"), '{"cut off');
    const cut = await ambitabHere(["validate", copy]);
    expect(cut.code).toBe(2);
    expect(cut.stderr).toMatch(/records\.jsonl, line 1: expected one JSON object/);
  });

  it("tell what is on the machine, and empty the caches", async () => {
    const { code, stdout } = await ambitab(["doctor", "--out", out, "--json"]);
    expect(code).toBe(0);
    const subjects = json<{ subject: string }[]>(stdout).map(({ subject }) => subject);
    expect(subjects).toEqual(
      expect.arrayContaining(["Node.js", "SQLite", "PostgreSQL", "cache stages", "source ambiqt"]),
    );
    const spare = join(folder.path, "spare");
    mkdirSync(join(spare, "cache"), { recursive: true });
    writeFileSync(join(spare, "cache", "stages.sqlite"), "x".repeat(100));
    const cleaned = await ambitabHere(["doctor", "--clean", "--out", spare, "--json"]);
    expect(json(cleaned.stdout)).toEqual({ emptied: [{ name: "stages", bytes: 100 }], kept: [] });
    expect(existsSync(join(spare, "cache", "stages.sqlite"))).toBe(false);
    rmSync(spare, { recursive: true });
  });
});

describe("a person's mistakes", () => {
  const mistakes: [string[], RegExp][] = [
    [["build", "ambiqt", "--fast"], /unknown option '--fast'/],
    [["build", "ambiqt", "--jobs", "0"], /whole number of at least 1/],
    [["build", "ambiqt", "--seed", "-1"], /whole number|unknown option|argument/],
    [["build", "spider"], /no dataset "spider"/],
    [["build", "ambiqt", "--from", "ambiqt"], /source=DIR/],
    [["build", "ambiqt", "--from", "spider=x"], /no source "spider"/],
    [["build", "ambiqt", "--from", "ambiqt=/nowhere/at/all"], /is not a folder/],
    [["build", "ambiqt", "--from", "taco=x", "--from", "ambiqt=x"], /taco/],
    [["validate"], /missing required argument/],
    [["validate", "/nowhere/at/all"], /no folder/],
    [["list", SAMPLE], /holds no build/],
    [["frobnicate"], /unknown command/],
  ];
  for (const [args, said] of mistakes) {
    it(`ambitab ${args.join(" ").replace(out, "out").replace(SAMPLE, "sample")}: one message, exit code 2`, async () => {
      const extra = args[0] === "build" ? ["--out", join(folder.path, "none")] : [];
      const { code, stdout, stderr } = await ambitabHere([...args, ...extra]);
      expect([code, stdout]).toEqual([2, ""]);
      expect(stderr).toMatch(said);
      expect(stderr).not.toMatch(/bug of ambitab|\n\s+at /);
    });
  }

  it("--help and --version are no mistakes", async () => {
    for (const args of [["--help"], ["build", "--help"], ["--version"]]) {
      const { code, stdout } = await ambitab(args);
      expect(code).toBe(0);
      expect(stdout).not.toBe("");
    }
  });
});
