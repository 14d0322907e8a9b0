/** Runs on a model server that fails, and runs that are killed: nothing is lost, doubled or scored wrong for it. */
import { existsSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeAll, describe, expect, it } from "vitest";
import { evaluate } from "../../pipelines/evaluation/run/index.js";
import { runScope } from "../../pipelines/evaluation/run/scope.js";
import { solverNamed } from "../../pipelines/evaluation/solvers/index.js";
import type { ModelClient } from "../../pipelines/model/index.js";
import { openSuite } from "../../pipelines/record/suite.js";
import { openSqliteSandbox } from "../../pipelines/sql/index.js";
import type { EpisodeRecord } from "../../schemas/types/episode.js";
import type { TaskRecord } from "../../schemas/types/record.js";
import type { RunSettings } from "../../schemas/types/run.js";
import type { RunSummary } from "../../schemas/types/summary.js";
import {
  type ModelServer,
  type ModelServerOptions,
  PASSING_FAULTS,
  type Rule,
  startModelServer,
} from "../model/model-server.mjs";
import { client } from "../model/open-client.js";
import { buildSample, recordsOf, temporaryFolder } from "../release/sample.js";
import { ambitabHere, type Outcome, start } from "./command.js";

let build = "";
let records: TaskRecord[];
beforeAll(async () => {
  build = await buildSample(temporaryFolder());
  records = await recordsOf(build);
});

const servers: ModelServer[] = [];
afterEach(async () => {
  for (const one of servers.splice(0)) await one.close();
});

const requestOf = (prompt: string): string => /# Request\n(.*)/.exec(prompt)?.[1] ?? "";
/** Asks about the request's words in turn; solves right what it was told. Its answers depend on the prompt alone. */
const rules: readonly Rule[] = [
  {
    role: "asker",
    answer({ prompt }) {
      const turn =
        [...prompt.matchAll(/Turn (\d+) of/g)].length === 0
          ? 9
          : Number([...prompt.matchAll(/Turn (\d+) of/g)].at(-1)![1]);
      const word = requestOf(prompt)
        .split(/\W+/)
        .filter((one) => one.length > 3)[turn - 1];
      return word === undefined || turn > 1
        ? '{"type":"done","output":null}'
        : JSON.stringify({ type: "clarification", output: `What do you mean by "${word}"?` });
    },
  },
  {
    role: "solver",
    answer({ prompt }) {
      const known = records.filter(({ public: { request } }) => request === requestOf(prompt));
      const told = known.find(({ oracle }) =>
        oracle.ambiguities.some(({ response }) => prompt.includes(response)),
      );
      const { reference_sql } = (told ?? known[0]!).verifier;
      return JSON.stringify({ reasoning: "…", type: "final_sql", output: reference_sql[0] });
    },
  },
];

async function server(options: ModelServerOptions = {}): Promise<ModelServer> {
  const started = await startModelServer({ rules, ...options });
  servers.push(started);
  return started;
}

const linesOf = (folder: string): EpisodeRecord[] =>
  readFileSync(join(folder, "episodes.jsonl"), "utf8")
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line) as EpisodeRecord);
const untimed = (folder: string): string[] =>
  linesOf(folder)
    .map(({ timings_ms: _, ...one }) => JSON.stringify(one))
    .sort();

describe("2,000 episodes on a server of whose calls one in five fails", () => {
  const SEEDS = Array.from({ length: 11 }, (_, seed) => seed);

  async function run(model: ModelClient): Promise<{ folder: string; summary: RunSummary }> {
    const suite = openSuite(build);
    const settings: RunSettings = {
      ...runScope(suite, { seeds: SEEDS }),
      asker: "checklist-ledger",
      oracle: "deterministic",
      solver: "model",
      synthetic: false,
      conditions: { none: "none", asker: "checklist-ledger", full: "full" },
    };
    const sandbox = openSqliteSandbox({ children: 2 });
    const folder = join(temporaryFolder(), "run");
    try {
      const solver = solverNamed("model");
      const summary = await evaluate({
        folder,
        suite,
        settings,
        solver,
        model,
        sandbox,
        width: 64,
        resume: false,
      });
      return { folder, summary };
    } finally {
      await sandbox.close();
    }
  }

  /** What the server would say if nothing could go wrong: its rules, without a server. */
  const undisturbed: ModelClient = {
    ask({ role, messages }) {
      const prompt = messages.map(({ content }) => content).join("\n");
      const { answer } = rules.find((rule) => rule.role === role)!;
      const text = (answer as (seen: { prompt: string }) => string)({ prompt });
      const usage = {
        prompt_tokens: Math.ceil(prompt.length / 4),
        completion_tokens: Math.ceil(text.length / 4),
      };
      return Promise.resolve({ outcome: "answered", key: "", text, model: "", usage, stored: false });
    },
  };

  it("loses none, doubles none, and scores every one as a server without a fault does", async () => {
    // Each hang costs the whole deadline, which must be long enough for a busy machine: so they are the rarest.
    const quick = PASSING_FAULTS.filter((fault) => !fault.startsWith("hang"));
    const kinds = [...quick, ...quick, ...quick, ...PASSING_FAULTS];
    const upstream = await server({ faults: { share: 0.2, kinds }, retryAfterMs: 5 });
    const endpoint = { deadline_ms: 3000, max_attempts: 30, concurrency: 32 };
    const ill = await run(await client(upstream.url, { endpoint }));
    const well = await run(undisturbed);
    const expected = records.length * SEEDS.length * 3;
    expect(expected).toBeGreaterThan(2000);
    const episodes = linesOf(ill.folder);
    expect(episodes).toHaveLength(expected);
    expect(new Set(episodes.map(({ episode_id }) => episode_id)).size).toBe(expected);
    const right = new Set(untimed(well.folder));
    expect(
      untimed(ill.folder)
        .filter((line) => !right.has(line))
        .slice(0, 3),
    ).toEqual([]);
    expect(ill.summary).toEqual(well.summary);
    // The server did fail in all its ways.
    expect(Object.keys(upstream.faults).sort()).toEqual([...PASSING_FAULTS].sort());
    const failed = Object.values(upstream.faults).reduce((sum, one) => sum + one, 0);
    expect(failed / upstream.requests.length).toBeGreaterThan(0.15);
    expect(new Set(episodes.map(({ verdict }) => verdict))).toEqual(new Set(["match", "mismatch"]));
    expect(ill.summary.datasets.ambiqt!.full.sr.mean).toBe(1);
  }, 300_000);
});

describe("a run on models that is killed at ten points", () => {
  const words = (out: string, models: string, folder: string, ...more: string[]): string[] => [
    ...[
      "eval",
      build,
      "--asker",
      "checklist-chat",
      "--solver",
      "model",
      "--models",
      models,
      "--seeds",
      "0,1",
    ],
    ...["--limit", "24", "--out", out, "--run", folder, "--jobs", "1", "--quiet", ...more],
  ];

  /** Starts the command and kills it once its log has grown by so many bytes. */
  async function killed(line: string[], log: string, bytes: number): Promise<Outcome> {
    const size = (): number => statSync(log, { throwIfNoEntry: false })?.size ?? 0;
    const before = size();
    const running = start(line);
    const watch = setInterval(() => {
      if (size() >= before + bytes) running.process.kill("SIGKILL");
    }, 2);
    try {
      return await running.ended;
    } finally {
      clearInterval(watch);
    }
  }

  it("comes, resumed, to the summary of an undisturbed run with the same answers, which needs no server", async () => {
    const upstream = await server({ delayMs: 5 });
    const out = temporaryFolder();
    const models = join(out, "models.json");
    const configured = { endpoints: { local: { base_url: upstream.url, concurrency: 4 } } };
    writeFileSync(models, JSON.stringify(configured));
    const folder = join(out, "killed", "run");
    const log = join(folder, "episodes.jsonl");
    const episodes = 24 * 2 * 3;
    let kills = 0;
    for (let tries = 0; tries < 10; tries += 1) {
      const more = existsSync(join(folder, "run.json")) ? ["--resume"] : [];
      const ended = await killed(words(out, models, folder, ...more), log, Math.random() * 9_000);
      if (ended.signal !== "SIGKILL") break;
      kills += 1;
      expect(existsSync(join(folder, "summary.json"))).toBe(false);
    }
    expect(kills).toBeGreaterThanOrEqual(5);
    expect(await ambitabHere(words(out, models, folder, "--resume"))).toMatchObject({ code: 0, stderr: "" });
    const lines = linesOf(folder);
    expect(lines).toHaveLength(episodes);
    expect(new Set(lines.map(({ episode_id }) => episode_id)).size).toBe(episodes);
    // Only what was in flight at a kill was asked for again.
    const asked = Object.values(upstream.answeredByPrompt).reduce((sum, one) => sum + one, 0);
    const calls = lines.reduce(
      (sum, { usage }) => sum + (usage?.asker?.calls ?? 0) + (usage?.solver?.calls ?? 0),
      0,
    );
    expect(asked).toBeLessThanOrEqual(calls + kills * 4);

    await upstream.close();
    servers.length = 0;
    const undisturbed = join(out, "undisturbed", "run");
    expect(await ambitabHere(words(out, models, undisturbed, "--replay-only"))).toMatchObject({
      code: 0,
      stderr: "",
    });
    expect(untimed(undisturbed)).toEqual(untimed(folder));
    expect(readFileSync(join(folder, "summary.json"), "utf8")).toBe(
      readFileSync(join(undisturbed, "summary.json"), "utf8"),
    );
  });
});

describe("episodes that the server failed for good", () => {
  it("are in no denominator, and are run again on --resume, when the server is well", async () => {
    let ill = true;
    const upstream = await server({
      rules: [
        {
          role: "solver",
          contains: "Nothing was asked.",
          answer: (seen) =>
            ill ? { fault: "error-500" } : (rules[1]!.answer as (one: typeof seen) => string)(seen),
        },
        ...rules,
      ],
    });
    const out = temporaryFolder();
    const models = join(out, "models.json");
    writeFileSync(
      models,
      JSON.stringify({ endpoints: { local: { base_url: upstream.url, max_attempts: 2, backoff_ms: 1 } } }),
    );
    const folder = join(out, "run");
    const line = [
      "eval",
      build,
      "--asker",
      "direct",
      "--solver",
      "model",
      "--models",
      models,
      "--limit",
      "4",
      "--out",
      out,
      "--run",
      folder,
      "--quiet",
      "--json",
    ];
    const first = await ambitabHere(line);
    expect(first.code, first.stderr).toBe(0);
    const before = (JSON.parse(first.stdout) as RunSummary).datasets.ambiqt!;
    expect(before.none.sr).toMatchObject({ mean: null, n: 0 });
    expect(before.verdicts.none).toEqual({ model_error: 4 });
    expect(before.full.sr).toMatchObject({ mean: 1, n: 4 });
    ill = false;
    const second = await ambitabHere([...line, "--resume"]);
    expect(second.code, second.stderr).toBe(0);
    const after = (JSON.parse(second.stdout) as RunSummary).datasets.ambiqt!;
    expect(after.none.sr.n).toBe(4);
    expect(after.episodes).toBe(12);
    expect(linesOf(folder)).toHaveLength(12);
  });
});
