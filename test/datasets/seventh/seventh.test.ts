/** A seventh dataset comes in by its own folders and one call, and goes the whole way with the real commands. */
import { cpSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { PIPELINES, registerDataset } from "../../../pipelines/datasets/index.js";
import { datasetName } from "../../../pipelines/evaluation/report/labels.js";
import { publishedCounts } from "../../../pipelines/view/pages/funnel.js";
import type { Funnel } from "../../../schemas/types/funnel.js";
import { MANIFESTS, SOURCE_NAMES, sampleFolder } from "../../../sources/index.js";
import { ambitabHere, type Ended, recordsOf, temporaryFolder } from "../../release/sample.js";
import { TEAROOM } from "./sources/tearoom/manifest.js";
import { registerTearoom, TEAROOM_SAMPLE } from "./tearoom.js";

const home = temporaryFolder();
const out = join(home, "out");
const release = join(out, "releases", "1.0.0");
let forget = (): void => {};

const run = (...words: string[]): Promise<Ended> =>
  ambitabHere([...words, "--out", out], { NO_COLOR: "1", OPENAI_BASE_URL: "" });

const funnelOf = (dataset: string): Funnel =>
  JSON.parse(readFileSync(join(out, "build", dataset, "funnel.json"), "utf8")) as Funnel;

/** Runs a command that must end well. */
async function done(...words: string[]): Promise<string> {
  const { status, stdout, stderr } = await run(...words);
  expect({ status, stderr: status === 0 ? "" : stderr }).toEqual({ status: 0, stderr: "" });
  return stdout;
}

beforeAll(() => {
  forget = registerTearoom();
});
afterAll(() => forget());

describe("a seventh dataset", () => {
  it("is one of those that commands name", async () => {
    expect((await done("build", "--help")).replace(/\s+/g, " ")).toContain("bird-interact, tearoom");
    expect((await done("fetch", "--help")).replace(/\s+/g, " ")).toContain("taco, tearoom;");
    expect([sampleFolder("tearoom"), datasetName("tearoom")]).toEqual([TEAROOM_SAMPLE, "Tea room"]);
  });

  it("stops a build at a bad row, by file, row and field", async () => {
    const { status, stderr } = await run("build", "tearoom", "--from", `tearoom=${TEAROOM_SAMPLE}`);
    expect(status).toBe(2);
    expect(stderr).toMatch(/questions\.jsonl.*row 5.*columns.*expected two column names, found a list of 1/);
  });

  it("builds, with a reason for every row that is not in it", async () => {
    const words = ["build", "tearoom", "--from", `tearoom=${TEAROOM_SAMPLE}`, "--keep-going", "--quiet"];
    const text = await done(...words);
    expect(text.split("\n").map((line) => line.trim().replace(/\s+/g, " "))).toEqual([
      "tearoom",
      "stage in dropped out why",
      "read 6 1 5 1 bad_row",
      "build-database 5 0 5",
      "first-of-each 5 1 4 1 equal_results",
      "keep-distinct-readings 4 2 2 1 column_not_found",
      "1 equal_results",
      "emit-readings 2 0 2",
      "prove-guarantees 2 0 2",
      "",
      "records 4",
      "databases 1",
      "ambiguities 4",
      "requests 2",
      "",
    ]);
    const counts = String(await publishedCounts(funnelOf("tearoom")));
    expect(counts).toMatch(/records<\/th><td>4</);
    expect(counts).not.toMatch(/paper|undefined/);
    const again: unknown = JSON.parse(await done(...words, "--json"));
    expect(again).toMatchObject({ datasets: [{ up_to_date: true, funnel: { records: 4 } }] });
  });

  it("obeys the schema and the rules of validation", async () => {
    expect(await done("validate", join(out, "build"))).toBe("nothing found\n");
  });

  it("is released behind the gate, with its source's licence and attribution", async () => {
    await done("release", "--version", "1.0.0", "--quiet");
    const manifest: unknown = JSON.parse(readFileSync(join(release, "manifest.json"), "utf8"));
    expect(manifest).toMatchObject({
      datasets: { tearoom: { source: "tearoom", licence: "CC-BY-4.0", records: 4 } },
    });
    expect(readFileSync(join(release, "LICENSES.md"), "utf8")).toContain("The tea room's questions");
  });

  it("passes the audit, its SQL run and its source's rows read again", async () => {
    const report = JSON.parse(await done("audit", release, "--execute", "--quiet", "--json")) as {
      passed: boolean;
      findings: { code: string }[];
      checks: { what: string; checked: number; left_out?: string }[];
    };
    expect(report).toMatchObject({ passed: true, findings: [] });
    expect(report.checks).toContainEqual({ what: "ledger rows read again in the source", checked: 6 });
    expect(report.checks).toContainEqual({ what: "reference SQL run and verified as a match", checked: 4 });
  });

  it("is traced: a record to its row, a dropped row to its reason", async () => {
    expect(await done("trace", "tearoom/all/0#1")).toMatch(
      /questions\.jsonl, row 0[\s\S]*kept +first-of-each/,
    );
    expect(await done("trace", "tearoom/all/4")).toMatch(/dropped +first-of-each +equal_results: repeats/);
    expect(await done("trace", "tearoom/all/5")).toMatch(/bad_row/);
  });

  it("is evaluated: asking resolves what guessing cannot", async () => {
    const words = ["--asker", "lexical", "--oracle", "deterministic", "--solver", "reference-when-resolved"];
    const run = join(out, "runs", "tearoom");
    const text = await done("eval", release, "--dataset", "tearoom", ...words, "--run", run, "--quiet");
    expect(text).toMatch(/^tearoom: 12 episodes/m);
    expect(text).toMatch(/^full +100\.0/m);
    expect(await done("report", `base=${run}`)).toContain("Tea room");
  });
});

describe("the door", () => {
  const another = { dataset: "tearoom", source: "tearoom", load: () => Promise.reject(new Error("unused")) };

  it("refuses a name that is taken or is none, and a source that nobody knows", () => {
    const before = [PIPELINES.length, SOURCE_NAMES.length];
    expect(() => registerDataset(another)).toThrow('there is a dataset "tearoom" already');
    for (const dataset of [
      "",
      "Tea",
      "tea room",
      "../tea",
      "tea_room",
      "-tea",
      "a".repeat(65),
      "thé",
      "constructor",
    ])
      expect(() => registerDataset({ ...another, dataset }), dataset).toThrow(
        "cannot be the name of a dataset",
      );
    for (const source of ["coffee", "constructor", "__proto__"])
      expect(() => registerDataset({ ...another, dataset: "coffee", source }), source).toThrow(
        "there is no source",
      );
    const manifest = { ...TEAROOM, source: "bird" };
    expect(() => registerDataset({ ...another, dataset: "coffee", manifest })).toThrow('brings "bird"');
    expect(() => registerDataset({ ...another, dataset: "coffee", source: "bird", manifest })).toThrow(
      'there is a source "bird" already',
    );
    expect([PIPELINES.length, SOURCE_NAMES.length]).toEqual(before);
  });

  it("refuses a pipeline that says it is another's", async () => {
    const { tearoom } = await import("./datasets/tearoom/pipeline.js");
    const leave = registerDataset({ ...another, dataset: "coffee", load: () => Promise.resolve(tearoom) });
    try {
      const { status, stderr } = await run("build", "coffee", "--from", `tearoom=${TEAROOM_SAMPLE}`);
      expect([status, stderr]).toEqual([
        3,
        expect.stringContaining("registered with the pipeline of tearoom"),
      ]);
    } finally {
      leave();
    }
    expect(PIPELINES.some(({ dataset }) => dataset === "coffee")).toBe(false);
  });

  it("leaves nothing behind, and then validation refuses the records and says why", async () => {
    forget();
    try {
      expect(SOURCE_NAMES).not.toContain("tearoom");
      expect([MANIFESTS.tearoom, datasetName("tearoom")]).toEqual([undefined, "tearoom"]);
      const { status, stdout, stderr } = await run("validate", join(out, "build"));
      expect(status).toBe(1);
      expect(stdout + stderr).toMatch(
        /dataset_unknown[\s\S]*there is no dataset "tearoom" \(there are ambiqt, /,
      );
      const parties = ["--asker", "lexical", "--solver", "reference-when-resolved"];
      const evaluated = await run("eval", release, ...parties);
      expect([evaluated.status, evaluated.stderr]).toEqual([2, expect.stringContaining("knows nothing")]);
      const built = await run("build", "tearoom");
      expect([built.status, built.stderr]).toEqual([2, expect.stringContaining('no dataset "tearoom"')]);
    } finally {
      forget = registerTearoom();
    }
  });

  it("leaves validation to refuse a record that names another dataset's source", async () => {
    const copy = join(home, "copy");
    cpSync(join(out, "build"), copy, { recursive: true });
    const file = join(copy, "tearoom", "records.jsonl");
    const text = readFileSync(file, "utf8").replace('"source":"tearoom"', '"source":"bird"');
    writeFileSync(file, text);
    expect((await recordsOf(copy))[0]?.provenance.source).toBe("bird");
    const { status, stdout, stderr } = await run("validate", copy);
    expect(status).toBe(1);
    expect(stdout + stderr).toMatch(/source_differs[\s\S]*tearoom\/all\/0#/);
  });
});
