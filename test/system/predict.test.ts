/** Hidden answers: predictions made without them and scored by whoever holds them come to an evaluation's numbers. */
import { cpSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { schemaFaults } from "../../pipelines/record/check-schema.js";
import type { EpisodeRecord } from "../../schemas/types/episode.js";
import type { Prediction } from "../../schemas/types/prediction.js";
import type { TaskRecord } from "../../schemas/types/record.js";
import type { RunSummary } from "../../schemas/types/summary.js";
import { type ModelServer, startModelServer } from "../model/model-server.mjs";
import { buildSample, recordsOf, releaseSample, temporaryFolder } from "../release/sample.js";
import { ambitabHere, type Outcome } from "./command.js";

let out = "";
let whole = "";
let withoutVerifier = "";
let publicOnly = "";
let models = "";
let server: ModelServer;
let records: TaskRecord[];

/** A model that asks about one word of the request, and answers with the reference of a record with that request. */
beforeAll(async () => {
  out = temporaryFolder();
  const build = await buildSample(out, ["ambiqt", "taco"]);
  records = await recordsOf(build);
  whole = await releaseSample(out, "1.0.0");
  publicOnly = await releaseSample(out, "1.0.1", true);
  withoutVerifier = join(temporaryFolder(), "release");
  cpSync(whole, withoutVerifier, { recursive: true });
  for (const zone of ["verifier", "provenance", "ledger"])
    rmSync(join(withoutVerifier, zone), { recursive: true });
  const requestOf = (prompt: string): string => /# Request\n(.*)/.exec(prompt)?.[1] ?? "";
  server = await startModelServer({
    rules: [
      {
        role: "asker",
        answer: ({ prompt }) => {
          const turn = Number(/Turn (\d+) of \d+ \(\d+ turns? left\)\s*\n.*$/.exec(prompt.trim())?.[1]);
          const word = requestOf(prompt)
            .split(/\W+/)
            .filter((one) => one.length > 3)[turn - 1];
          return word === undefined || turn > 2
            ? '{"type":"done","output":null}'
            : JSON.stringify({ type: "clarification", output: `What do you mean by "${word}"?` });
        },
      },
      {
        role: "solver",
        answer: ({ prompt }) => {
          const known = records.filter(({ public: { request } }) => request === requestOf(prompt));
          const told = known.find(({ oracle }) =>
            oracle.ambiguities.some(({ response }) => prompt.includes(response)),
          );
          return JSON.stringify({
            type: "final_sql",
            output: (told ?? known[0])?.verifier.reference_sql[0] ?? "SELECT 1",
          });
        },
      },
    ],
  });
  models = join(out, "models.json");
  writeFileSync(models, JSON.stringify({ endpoints: { local: { base_url: server.url } } }));
});
afterAll(() => server.close());

const AGENTS = (asker: string): string[] => [
  "--asker",
  asker,
  "--solver",
  "model",
  "--models",
  models,
  "--seeds",
  "0,1",
  "--limit",
  "10",
  "--out",
  out,
  "--quiet",
];
const run = (...words: string[]): Promise<Outcome> => ambitabHere(words);
const good = async (...words: string[]): Promise<string> => {
  const { code, stdout, stderr } = await run(...words);
  expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
  return stdout;
};
const linesOf = <T>(path: string): T[] =>
  readFileSync(path, "utf8")
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line) as T);
const summaryOf = (folder: string): RunSummary =>
  JSON.parse(readFileSync(join(folder, "summary.json"), "utf8")) as RunSummary;
const episodesOf = (folder: string): string[] =>
  linesOf<EpisodeRecord>(join(folder, "episodes.jsonl"))
    .map(({ timings_ms: _, prompts: __, ...one }) => JSON.stringify(one))
    .sort();

let evaluated = "";
beforeAll(async () => {
  evaluated = join(out, "evaluated");
  await good("eval", whole, ...AGENTS("checklist-ledger"), "--run", evaluated);
});

describe("predictions on a release without its verifier zone", () => {
  let predictions = "";
  beforeAll(async () => {
    predictions = join(out, "predictions");
    await good("predict", withoutVerifier, ...AGENTS("checklist-ledger"), "--run", predictions);
  });

  it("hold every episode up to its SQL, and no verdict", () => {
    const lines = linesOf<Prediction>(join(predictions, "predictions.jsonl"));
    expect(lines).toHaveLength(2 * 10 * 2 * 3);
    expect(lines.flatMap((line) => schemaFaults("prediction", line))).toEqual([]);
    expect(JSON.stringify(lines)).not.toContain('"verdict"');
    // Something was asked, credited and answered differently.
    expect(lines.some(({ turns }) => turns.some(({ live_credits }) => (live_credits?.length ?? 0) > 0))).toBe(
      true,
    );
  });

  it("scored with the whole release, come to the evaluation's very numbers and episodes", async () => {
    const scored = join(out, "scored");
    const report = await good(
      "score",
      predictions,
      "--release",
      whole,
      "--run",
      scored,
      "--out",
      out,
      "--quiet",
    );
    expect(report).toContain("ambiqt:");
    const [a, b] = [summaryOf(scored), summaryOf(evaluated)];
    expect(a.datasets).toEqual(b.datasets);
    expect(a.usage).toEqual(b.usage);
    expect(a.suite_hash).toBe(b.suite_hash);
    expect(episodesOf(scored)).toEqual(episodesOf(evaluated));
    const sr = a.datasets.ambiqt!;
    expect(sr.full.sr.mean).toBe(1);
    expect(sr.none.sr.mean).toBeLessThan(1);
    // Scoring again goes on with what is there, and changes nothing.
    await good("score", predictions, "--release", whole, "--run", scored, "--out", out, "--quiet");
    expect(summaryOf(scored)).toEqual(a);
  });

  const altered = (change: (lines: Prediction[]) => Prediction[]): string => {
    const folder = join(temporaryFolder(), "altered");
    cpSync(predictions, folder, { recursive: true });
    const path = join(folder, "predictions.jsonl");
    const lines = change(linesOf<Prediction>(path)).map((line) => JSON.stringify(line));
    writeFileSync(path, `${lines.join("\n")}\n`);
    return folder;
  };
  const refused = async (folder: string, release = whole): Promise<string> => {
    const { code, stderr } = await run(
      "score",
      folder,
      "--release",
      release,
      "--run",
      join(folder, "scored"),
      "--quiet",
    );
    expect(code).toBe(2);
    return stderr;
  };

  it("that lack an episode, hold one twice or another's, or were altered, are refused by name", async () => {
    expect(await refused(altered((lines) => lines.slice(1)))).toMatch(/1 of \d+ episodes are not predicted/);
    expect(await refused(altered((lines) => [...lines, lines[0]!]))).toMatch(/is there twice/);
    const forged = altered((lines) => {
      const line = lines.find(({ turns }) => turns.length > 0)!;
      line.turns[0]!.response = "The answer is SELECT 1.";
      return lines;
    });
    expect(await refused(forged)).toMatch(/question 1: the recorded answer is not the oracle's/);
  });

  it("are scored by the release that they were made on alone, and not without its private zones", async () => {
    const other = await releaseOfOne();
    expect(await refused(predictions, other)).toMatch(/public files are not those of/);
    expect(await refused(predictions, withoutVerifier)).toMatch(/private zones/);
    expect(await refused(evaluated)).toMatch(/holds no predictions/);
  });

  async function releaseOfOne(): Promise<string> {
    const home = temporaryFolder();
    await buildSample(home, ["taco"]);
    return releaseSample(home, "1.0.0");
  }
});

describe("predictions on a public-only release", () => {
  it("ask nothing, for nobody could answer, and come to the evaluation's numbers without asking", async () => {
    const folder = join(out, "predicted-public");
    await good("predict", publicOnly, ...AGENTS("none"), "--run", folder);
    expect(linesOf<Prediction>(join(folder, "predictions.jsonl"))[0]).toMatchObject({
      ambiguities: null,
      max_turn: null,
    });
    const scored = join(out, "scored-public");
    await good("score", folder, "--release", whole, "--run", scored, "--out", out, "--quiet");
    const none = (folder: string) => {
      const { datasets } = summaryOf(folder);
      return Object.fromEntries(Object.entries(datasets).map(([name, one]) => [name, one.none]));
    };
    expect(none(scored)).toEqual(none(evaluated));
  });

  it("refuse an asker, and a solver that reads what is not there", async () => {
    const asking = await run("predict", publicOnly, ...AGENTS("checklist-ledger"), "--run", join(out, "x"));
    expect(asking).toMatchObject({
      code: 2,
      stderr: expect.stringContaining("nobody can answer the asker checklist-ledger"),
    });
    const words = [
      "--asker",
      "none",
      "--solver",
      "reference-when-resolved",
      "--quiet",
      "--run",
      join(out, "y"),
    ];
    const synthetic = await run("predict", publicOnly, ...words);
    expect(synthetic).toMatchObject({ code: 2, stderr: expect.stringContaining("reads the verifier zone") });
  });
});
