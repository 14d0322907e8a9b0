import {
  appendFileSync,
  existsSync,
  mkdirSync,
  readFileSync,
  statSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { holdExclusively } from "../../pipelines/engine/exclusive.js";
import { readEpisodes } from "../../pipelines/evaluation/run/log.js";
import { summariseRun } from "../../pipelines/evaluation/run/summary.js";
import { schemaFaults } from "../../pipelines/record/check-schema.js";
import type { EpisodeRecord } from "../../schemas/types/episode.js";
import type { LoggedPrompt } from "../../schemas/types/prompt.js";
import type { RunSettings } from "../../schemas/types/run.js";
import type { RunSummary } from "../../schemas/types/summary.js";
import { ambitab, ambitabHere, buildSample, recordsOf, temporaryFolder } from "../release/sample.js";
import { type Outcome, start } from "./command.js";

let out = "";
let build = "";
let records = 0;
const SEED_COUNT = 8;
const SEEDS = Array.from({ length: SEED_COUNT }, (_, seed) => seed).join(",");
const SYNTHETIC = ["--asker", "lexical", "--solver", "reference-when-resolved"];

/** The words of a run in a folder of its own; all runs are called "run", so that nothing in them differs by name. */
const evalWords = (folder: string, ...more: string[]): string[] => [
  "eval",
  build,
  ...SYNTHETIC,
  "--seeds",
  SEEDS,
  "--out",
  out,
  "--run",
  join(folder, "run"),
  "--jobs",
  "1",
  "--quiet",
  ...more,
];

const linesOf = <T>(folder: string, name: string): T[] =>
  readFileSync(join(folder, "run", name), "utf8")
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line) as T);
/** Episodes without what a clock says, sorted: the order in the log is nobody's. */
const episodesOf = (folder: string): string[] =>
  linesOf<EpisodeRecord>(folder, "episodes.jsonl")
    .map(({ timings_ms: _, ...episode }) => JSON.stringify(episode))
    .sort();
const summaryText = (folder: string): string => readFileSync(join(folder, "run/summary.json"), "utf8");
const sizeOf = (folder: string): number =>
  statSync(join(folder, "run/episodes.jsonl"), { throwIfNoEntry: false })?.size ?? 0;

/** Starts the command and sends it a signal once its log has grown by so many bytes. */
async function stopped(
  words: string[],
  folder: string,
  signal: NodeJS.Signals,
  bytes: number,
): Promise<Outcome> {
  const before = sizeOf(folder);
  const running = start(words);
  const watch = setInterval(() => {
    // Once: a second Ctrl-C would end the process where it stands.
    if (!running.process.killed && sizeOf(folder) >= before + bytes) running.process.kill(signal);
  }, 2);
  try {
    return await running.ended;
  } finally {
    clearInterval(watch);
  }
}

let undisturbed = "";
beforeAll(async () => {
  out = temporaryFolder();
  build = await buildSample(out);
  records = (await recordsOf(build)).length;
  undisturbed = temporaryFolder();
  expect(ambitab(evalWords(undisturbed))).toMatchObject({ status: 0, stderr: "" });
});

describe("a run", () => {
  it("holds settings, one episode a record, seed and condition, each prompt once, and a summary", () => {
    const episodes = linesOf<EpisodeRecord>(undisturbed, "episodes.jsonl");
    expect(episodes).toHaveLength(records * SEED_COUNT * 3);
    expect(new Set(episodes.map(({ episode_id }) => episode_id)).size).toBe(episodes.length);
    const prompts = linesOf<LoggedPrompt>(undisturbed, "prompts.jsonl");
    const hashes = new Set(prompts.map(({ sha256 }) => sha256));
    expect(hashes.size).toBe(prompts.length);
    expect(new Set(episodes.flatMap((one) => one.prompts))).toEqual(hashes);
    for (const [schema, name] of [
      ["run", "run.json"],
      ["summary", "summary.json"],
    ] as const) {
      expect(schemaFaults(schema, JSON.parse(readFileSync(join(undisturbed, "run", name), "utf8")))).toEqual(
        [],
      );
    }
    expect(episodes.slice(0, 50).flatMap((one) => schemaFaults("episode", one))).toEqual([]);
    const { ambiqt } = (JSON.parse(summaryText(undisturbed)) as RunSummary).datasets;
    expect(ambiqt).toMatchObject({
      episodes: episodes.length,
      left_out: [],
      full: { sr: { mean: 1, n: records * SEED_COUNT } },
    });
  });

  it("killed at eight instants and resumed, loses no episode, doubles none and comes to the same summary", async () => {
    const folder = temporaryFolder();
    const total = statSync(join(undisturbed, "run/episodes.jsonl")).size;
    let resume: string[] = [];
    let kills = 0;
    for (; kills < 8; kills += 1) {
      // Steps so small that all of them fall into the run, unless the machine is too busy to look in time.
      const step = Math.random() * (total / 17);
      const ended = await stopped(evalWords(folder, ...resume), folder, "SIGKILL", step);
      if (ended.signal !== "SIGKILL") break;
      expect(ended.stdout).toBe("");
      expect(existsSync(join(folder, "run/summary.json"))).toBe(false);
      resume = existsSync(join(folder, "run/run.json")) ? ["--resume"] : [];
    }
    expect(kills).toBeGreaterThanOrEqual(4);
    expect(await ambitabHere(evalWords(folder, "--resume"))).toMatchObject({ status: 0, stderr: "" });
    expect(episodesOf(folder)).toEqual(episodesOf(undisturbed));
    expect(summaryText(folder)).toBe(summaryText(undisturbed));
    const prompts = linesOf<LoggedPrompt>(folder, "prompts.jsonl").map(({ sha256 }) => sha256);
    expect(new Set(prompts).size).toBe(prompts.length);
  });

  it("cut anywhere in its last line, is mended; a report of it counts whole lines only", async () => {
    const folder = temporaryFolder();
    mkdirSync(join(folder, "run"));
    for (const name of ["run.json", "episodes.jsonl", "prompts.jsonl"])
      writeFileSync(join(folder, "run", name), readFileSync(join(undisturbed, "run", name)));
    for (const name of ["episodes.jsonl", "prompts.jsonl"]) {
      const path = join(folder, "run", name);
      truncateSync(path, statSync(path).size - 40);
    }
    const report = await ambitabHere(["report", join(folder, "run"), "--json"]);
    expect(report).toMatchObject({ status: 0, stderr: "" });
    expect(JSON.parse(report.stdout)[0].datasets.ambiqt.episodes).toBe(records * SEED_COUNT * 3 - 1);
    expect(await ambitabHere(evalWords(folder, "--resume"))).toMatchObject({ status: 0, stderr: "" });
    expect(episodesOf(folder)).toEqual(episodesOf(undisturbed));
    expect(summaryText(folder)).toBe(summaryText(undisturbed));
  });

  it("is summarised whatever the order of its lines, and with none that is whole as well", async () => {
    const settings = JSON.parse(readFileSync(join(undisturbed, "run/run.json"), "utf8")) as RunSettings;
    const log = join(temporaryFolder(), "episodes.jsonl");
    const lines = readFileSync(join(undisturbed, "run/episodes.jsonl"), "utf8").trimEnd().split("\n");
    writeFileSync(log, `${lines.toReversed().join("\n")}\n`);
    expect(await summariseRun("run", settings, readEpisodes(log))).toEqual(
      JSON.parse(summaryText(undisturbed)),
    );
    writeFileSync(log, '{"episode_id":');
    expect((await summariseRun("run", settings, readEpisodes(log))).datasets.ambiqt?.episodes).toBe(0);
  });
});

describe("Ctrl-C", () => {
  it("ends a run with 130 and a command that goes on with it, whatever its options", async () => {
    const folder = temporaryFolder();
    const some = ["--limit", "40", "--split", "all", "--dataset", "ambiqt"];
    const words = evalWords(folder, ...some);
    const ended = await stopped(words, folder, "SIGINT", 2000);
    expect(ended).toMatchObject({ code: 130, signal: null, stdout: "" });
    const command = /go on with: ambitab (.*)\n/.exec(ended.stderr)?.[1] ?? "";
    expect(command).toContain("--limit 40");
    expect(sizeOf(folder)).toBeGreaterThan(0);
    const before = new Set(
      linesOf<EpisodeRecord>(folder, "episodes.jsonl").map(({ episode_id }) => episode_id),
    );
    // As a shell would take it apart: the folder's name has a blank and a quote.
    const parts = [...command.matchAll(/(?:'[^']*'|\\'|[^\s'\\])+/g)].map(([part]) =>
      part.replace(
        /'([^']*)'|\\'/g,
        (whole, inner: string | undefined) => inner ?? (whole === "\\'" ? "'" : ""),
      ),
    );
    expect(await ambitabHere([...parts, "--quiet"])).toMatchObject({ status: 0, stderr: "" });
    const after = linesOf<EpisodeRecord>(folder, "episodes.jsonl").map(({ episode_id }) => episode_id);
    expect(after).toHaveLength(40 * SEED_COUNT * 3);
    expect(new Set(after).size).toBe(after.length);
    for (const id of before) expect(after).toContain(id);
  });
});

describe("a run's folder", () => {
  it("is refused where there is a run, with other settings, or in use, and stays as it is", async () => {
    const before = statSync(join(undisturbed, "run/episodes.jsonl")).size;
    const refused: [string[], RegExp][] = [
      [evalWords(undisturbed), /there is a run .* already\n.*--resume/],
      [evalWords(undisturbed, "--resume", "--limit", "3"), /other settings \(limit\)/],
    ];
    const hold = holdExclusively(join(undisturbed, "run/.lock"), "the run");
    refused.push([evalWords(undisturbed, "--resume"), /written by another process/]);
    try {
      for (const [words, told] of refused) {
        const ended = await ambitabHere(words);
        expect(ended).toMatchObject({ status: 2, stdout: "" });
        expect(ended.stderr).toMatch(told);
      }
    } finally {
      hold.release();
    }
    const done = await ambitabHere(evalWords(undisturbed, "--resume", "--json"));
    expect(done.status).toBe(0);
    expect(JSON.parse(done.stdout)).toEqual({
      folder: join(undisturbed, "run"),
      ...JSON.parse(summaryText(undisturbed)),
    });
    expect(statSync(join(undisturbed, "run/episodes.jsonl")).size).toBe(before);
  });

  it("whose settings cannot be read is a person's matter, not a bug", async () => {
    const folder = temporaryFolder();
    mkdirSync(join(folder, "run"));
    writeFileSync(join(folder, "run/run.json"), "{");
    appendFileSync(join(folder, "run/episodes.jsonl"), "");
    for (const words of [evalWords(folder, "--resume"), ["report", join(folder, "run")]]) {
      const ended = await ambitabHere(words);
      expect(ended).toMatchObject({ status: 2, stdout: "" });
      expect(ended.stderr).toContain("run.json cannot be read");
    }
  });
});

describe("what is run", () => {
  it("is what the options say; a condition equal to another is run once; a default folder is named after it", async () => {
    const words = [
      "eval",
      build,
      "--asker",
      "full",
      "--solver",
      "copies-leaked-sql",
      "--seeds",
      "4,2",
      "--limit",
      "5",
    ];
    const ended = await ambitabHere([...words, "--out", out, "--json"]);
    expect(ended.status).toBe(0);
    const { folder, datasets } = JSON.parse(ended.stdout);
    expect(folder).toContain(join(out, "runs", "ambiqt-full-deterministic-copies-leaked-sql-"));
    const episodes = readFileSync(join(folder, "episodes.jsonl"), "utf8").trimEnd().split("\n");
    expect(episodes).toHaveLength(5 * 2 * 2);
    expect(datasets.ambiqt.asker).toEqual(datasets.ambiqt.full);
    expect(datasets.ambiqt.full.sr).toMatchObject({ mean: 1, n: 10, per_seed: { 2: 1, 4: 1 } });
    expect(datasets.ambiqt.none.precision).toEqual({
      mean: null,
      sd: null,
      per_seed: { 2: null, 4: null },
      n: 0,
    });
  });

  it("has episodes of the split alone, and none where no record is of it", async () => {
    const folder = temporaryFolder();
    const words = ["eval", build, ...SYNTHETIC, "--split", "dev", "--out", out, "--run", join(folder, "run")];
    const ended = await ambitabHere(words);
    expect(ended.status).toBe(0);
    expect(ended.stdout).toContain("ambiqt: 0 episodes");
  });

  const mistakes: [string[], RegExp][] = [
    [["--asker", "nobody"], /no asker "nobody"\n.*lexical/],
    [["--dataset", "taco"], /no dataset "taco"\n.*ambiqt/],
    [["--colour", "red"], /unknown option/],
  ];
  it.each(mistakes)("is refused in one line: %j", async (words, told) => {
    const ended = await ambitabHere(["eval", build, ...SYNTHETIC, "--out", out, "--quiet", ...words]);
    expect(ended).toMatchObject({ status: 2, stdout: "" });
    expect(ended.stderr).toMatch(told);
  });
});
