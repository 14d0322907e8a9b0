import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { UserError } from "../../../pipelines/errors.js";
import { schemaFaults } from "../../../pipelines/record/check-schema.js";
import type { ExportManifest } from "../../../schemas/types/export.js";
import type { TaskRecord } from "../../../schemas/types/record.js";
import { writtenRelease } from "../documents/releases.js";
import { ambitab, buildSample, DATASETS, temporaryFolder, treeOf, writeRecords } from "../sample.js";
import { builds, exported, linesOf, refusal } from "./exports.js";

let build = "";
let release = "";
let open = "";
beforeAll(async () => {
  build = await builds();
  release = await writtenRelease();
  open = await writtenRelease({ publicOnly: true });
});

const PRIVATE = ["oracle", "verifier", "provenance"];

describe("an export as JSON lines", () => {
  it("is the build's own lines by split, from the build and from a release", async () => {
    const [ofBuild, ofRelease] = [
      await exported(build, { format: "jsonl" }),
      await exported(release, { format: "jsonl" }),
    ];
    for (const dataset of DATASETS) {
      const lines = readFileSync(join(build, dataset, "records.jsonl"), "utf8")
        .trimEnd()
        .split("\n");
      for (const { folder } of [ofBuild, ofRelease]) {
        const written = readdirSync(join(folder, dataset)).flatMap((name) => {
          const own = readFileSync(join(folder, dataset, name), "utf8")
            .trimEnd()
            .split("\n");
          for (const line of own)
            expect((JSON.parse(line) as TaskRecord).split).toBe(name.slice(0, -".jsonl".length));
          return own;
        });
        expect(written.sort()).toEqual([...lines].sort());
        for (const line of written) expect(schemaFaults("record", JSON.parse(line))).toEqual([]);
      }
    }
  });

  it("holds no private zone where it is public-only, or the release is", async () => {
    for (const { folder } of [
      await exported(release, { format: "jsonl", publicOnly: true }),
      await exported(open, { format: "jsonl" }),
    ]) {
      const lines = DATASETS.flatMap((dataset) =>
        readdirSync(join(folder, dataset)).flatMap((name) => linesOf(join(folder, dataset, name))),
      );
      expect(lines.length).toBeGreaterThan(50);
      for (const line of lines) for (const zone of PRIVATE) expect(line).not.toHaveProperty(zone);
    }
  });

  it("comes with what it was made from, the terms, and every file's hash", async () => {
    const { folder, manifest } = await exported(release, { format: "jsonl", datasets: ["ambrosia"] });
    const told = JSON.parse(readFileSync(join(folder, "export.json"), "utf8")) as ExportManifest;
    expect(told).toEqual(manifest);
    expect(schemaFaults("export", told)).toEqual([]);
    expect(told.from).toMatchObject({ kind: "release", version: "1.2.3" });
    expect(told.datasets.ambrosia?.redistribution).toMatch(/^gated: /);
    const { "export.json": _e, ...files } = treeOf(folder);
    expect(Object.fromEntries(told.files.map(({ path, sha256 }) => [path, sha256]))).toEqual(files);
  });
});

describe("an export's folder", () => {
  it("overwrites nothing, not even an empty folder", async () => {
    const to = join(temporaryFolder(), "here");
    mkdirSync(to);
    await expect(exported(build, { format: "jsonl", to })).rejects.toThrow("overwrites nothing");
    expect(readdirSync(to)).toEqual([]);
  });

  it("is cleared of what a killed export left, and of nothing that another is making", async () => {
    const parent = temporaryFolder();
    const { pid } = spawnSync(process.execPath, ["-e", ""]);
    const [dead, alive, other] = [`.x.${pid}.partial`, `.x.${process.ppid}.partial`, ".x.y.partial"];
    for (const name of [dead, alive, other]) {
      mkdirSync(join(parent, name));
      writeFileSync(join(parent, name, "half"), "");
    }
    await exported(build, { format: "jsonl", datasets: ["ambiqt"], to: join(parent, "x") });
    expect(readdirSync(parent).sort()).toEqual([alive, other, "x"].sort());
  });
});

describe("what may be published", () => {
  it("is not a dataset without a licence, nor a withheld ground truth", async () => {
    const error = await refusal(build, { format: "jsonl", publishable: true });
    expect(error).toBeInstanceOf(UserError);
    expect(error.message).toContain("taco may not be published");
    const datasets = ["ambiqt", "bird-interact"];
    const { folder, manifest } = await exported(build, { format: "jsonl", publishable: true, datasets });
    expect(manifest.datasets["bird-interact"]?.zones).toEqual(["public", "oracle", "provenance"]);
    expect(manifest.datasets.ambiqt?.zones).toContain("verifier");
    for (const line of linesOf(join(folder, "bird-interact/all.jsonl")))
      expect(line).not.toHaveProperty("verifier");
  });

  it("is not a ground truth that stands in another zone either", async () => {
    const copy = await buildSample(temporaryFolder(), ["bird-interact"]);
    const records = linesOf(join(copy, "bird-interact/records.jsonl")) as TaskRecord[];
    const told = records.find(({ verifier }) => (verifier.reference_sql[0] ?? "").length > 40);
    const [ambiguity] = told?.oracle.ambiguities ?? [];
    if (told === undefined || ambiguity === undefined) throw new Error("the sample has no such record");
    ambiguity.response = `I mean ${told.verifier.reference_sql[0]}`;
    writeRecords(copy, records, "bird-interact");
    for (const format of ["jsonl", "parquet"] as const) {
      const error = await refusal(copy, { format, publishable: true });
      expect(error.message).toContain(`${told.record_id} has its ground truth in its other zones, too`);
    }
  });
});

describe("ambitab export", () => {
  it("says what was exported, and names a dataset that is not there", async () => {
    const to = join(temporaryFolder(), "it's ü");
    const done = ambitab([
      "export",
      release,
      "--format",
      "bird",
      "--datasets",
      "ambiqt",
      "--to",
      to,
      "--json",
      "--quiet",
    ]);
    expect([done.status, done.stderr]).toEqual([0, ""]);
    expect(JSON.parse(done.stdout)).toMatchObject({
      folder: to,
      manifest: { format: "bird", question: "request" },
    });
    const error = await refusal(build, { format: "jsonl", datasets: ["spider"] });
    expect(error.message).toContain('does not hold "spider"');
  });

  it.each([
    [["--format", "parquet", "--question", "clear"], "--question belongs to --format bird"],
    [["--format", "csv"], "Allowed choices are bird, jsonl, parquet"],
    [["--format", "bird", "--datasets", "bird-interact"], "BIRD's format has SQLite files"],
  ])("refuses %j", (words, message) => {
    const to = join(temporaryFolder(), "to");
    const { status, stderr } = ambitab(["export", release, ...words, "--to", to, "--quiet"]);
    expect(status).toBe(2);
    expect(stderr).toContain(message);
    expect(existsSync(to)).toBe(false);
  });
});
