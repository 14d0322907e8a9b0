/** Episodes whose asker and solver are models, on a real HTTP server that behaves well and badly. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { Interrupted } from "../../pipelines/errors.js";
import { askerNamed } from "../../pipelines/evaluation/askers/index.js";
import { episodeMetrics } from "../../pipelines/evaluation/metrics/index.js";
import { EpisodeCalls } from "../../pipelines/evaluation/model-calls.js";
import { runEpisode } from "../../pipelines/evaluation/protocol.js";
import { solverNamed } from "../../pipelines/evaluation/solvers/index.js";
import { ExecutionCache } from "../../pipelines/evaluation/verifier/index.js";
import { schemaFaults } from "../../pipelines/record/check-schema.js";
import { openSqliteSandbox, type SqliteSandbox } from "../../pipelines/sql/index.js";
import type { EpisodeRecord } from "../../schemas/types/episode.js";
import type { EndpointConfiguration } from "../../schemas/types/models.js";
import type { ModelServer, ModelServerOptions, Rule } from "../model/model-server.mjs";
import { client, server } from "../model/open-client.js";
import { temporaryFolder } from "../release/sample.js";
import { ambiguity, harbour, harbourRecord, settings, taskOn } from "./tasks.js";

const REFERENCE = "SELECT name, overall_length FROM boats";
const ASK = JSON.stringify({ type: "clarification", output: "What do you mean by length?" });
const DONE = JSON.stringify({ type: "done", output: null });
const SQL = JSON.stringify({ reasoning: "…", type: "final_sql", output: REFERENCE });

let folder = "";
let sandbox: SqliteSandbox;
beforeAll(() => {
  folder = temporaryFolder();
  harbour(folder);
  sandbox = openSqliteSandbox({ children: 1 });
});
afterAll(() => sandbox.close());

const solves: Rule = { role: "solver", answer: SQL };

interface Ran {
  episode: EpisodeRecord;
  server: ModelServer;
  /** Contents of the messages of each request, by role. */
  prompts(role: string): string[];
}

async function run(
  rules: readonly Rule[],
  over: {
    asker?: string;
    seed?: number;
    deadlineMs?: number;
    endpoint?: EndpointConfiguration;
    options?: ModelServerOptions;
    terms?: readonly string[];
  } = {},
): Promise<Ran> {
  const {
    asker = "checklist-ledger",
    seed = 0,
    deadlineMs,
    endpoint = {},
    options = {},
    terms = ["length"],
  } = over;
  const started = await server({ rules, ...options });
  const opened = await client(started.url, { endpoint });
  const episode = await runEpisode(
    taskOn(folder, harbourRecord(terms.map((term) => ambiguity(term)))),
    {
      ...settings({ asker: askerNamed(asker), solver: solverNamed("model"), seed }),
      model: opened,
      ...(deadlineMs === undefined ? {} : { deadlineMs }),
    },
    new ExecutionCache(sandbox),
    (_, text) => `${text.length}`,
  );
  expect(schemaFaults("episode", episode)).toEqual([]);
  return {
    episode,
    server: started,
    prompts: (role) => started.requests.filter((one) => one.role === role).map(({ prompt }) => prompt),
  };
}

const metricsOf = ({ turns, ...episode }: EpisodeRecord) =>
  episodeMetrics({ ...episode, record: "r", credits: turns.map(({ credits }) => credits) });

describe("an episode on models", () => {
  it.each(["direct", "checklist-chat", "checklist-ledger"])(
    "%s asks, is answered, stops; the solver knows both",
    async (asker) => {
      const {
        episode,
        server: seen,
        prompts,
      } = await run([{ role: "asker", answer: [ASK, DONE] }, solves], { asker, seed: 7 });
      expect(episode).toMatchObject({
        stop: "asker",
        verdict: "match",
        fallback_stop: false,
        sql: REFERENCE,
      });
      expect(episode.turns).toMatchObject([
        { question: "What do you mean by length?", credits: ["about-length"] },
      ]);
      expect(prompts("asker")).toHaveLength(2);
      expect(prompts("asker")[1]).toContain("By length I mean the overall length.");
      expect(prompts("solver")[0]).toContain("By length I mean the overall length.");
      // Asker and solver share the run's seed; each decodes as its role says.
      expect(seen.requests.map(({ body }) => body.seed)).toEqual([7, 7, 7]);
      expect(seen.requests[0]!.body).toMatchObject({ temperature: 0.7, top_p: 0.8, top_k: 20 });
      expect(episode.usage).toMatchObject({ asker: { calls: 2 }, solver: { calls: 1 } });
      expect(metricsOf(episode)).toEqual({ sr: 1, precision: 1, recall: 1, f1: 1 });
    },
  );

  it("without ambiguities skips the asking", async () => {
    const { episode, prompts } = await run([solves], { terms: [] });
    expect(episode).toMatchObject({ stop: "nothing_to_ask", verdict: "match" });
    expect(prompts("asker")).toEqual([]);
  });

  it("tells the asker on the last turn to stop, and puts no question that comes all the same", async () => {
    const { episode, prompts } = await run([{ role: "asker", answer: ASK }, solves]);
    expect(prompts("asker")).toHaveLength(4);
    expect(prompts("asker").at(-1)).toContain("This is the last turn: stop now.");
    expect(episode).toMatchObject({ max_turn: 4, stop: "budget", fallback_stop: false });
    expect(episode.turns).toHaveLength(3);
    expect(metricsOf(episode)).toMatchObject({ precision: 1 / 3, recall: 1, f1: 0.5 });
  });
});

describe("a reply that cannot be read", () => {
  it("is asked for once more, with what is wrong with it, and the retry counts", async () => {
    const { episode, prompts } = await run([
      { role: "asker", answer: ["Hm, what is length?", ASK, DONE] },
      solves,
    ]);
    expect(episode).toMatchObject({ stop: "asker", fallback_stop: false, usage: { asker: { calls: 3 } } });
    expect(prompts("asker")[1]).toContain("Hm, what is length?");
    expect(prompts("asker")[1]).toMatch(/Your reply could not be read: the reply holds no JSON object/);
    // It is no turn: the second decision is on turn 2.
    expect(prompts("asker")[2]).toContain("Turn 2 of 4");
  });

  it.each([
    ["prose", "Well, it depends."],
    ["another type", '{"type":"answer","output":"x"}'],
    ["an empty question", '{"type":"clarification","output":" "}'],
    ["a thought that never ends", '<think>{"type":"done","output":null} or not'],
  ])("twice is a fallback stop, flagged, without recall and F1: %s", async (_, reply) => {
    const { episode } = await run([{ role: "asker", answer: [ASK, reply, reply] }, solves]);
    expect(episode).toMatchObject({
      stop: "fallback",
      fallback_stop: true,
      unread_reply: reply,
      verdict: "match",
    });
    expect(episode.turns).toHaveLength(1);
    expect(metricsOf(episode)).toEqual({ sr: 1, precision: 1, recall: null, f1: null });
  });

  it("because it was cut off is never mended into a whole one", async () => {
    const half = { text: '{"type":"clarification","output":"What do you mean by', finish_reason: "length" };
    const { episode, prompts } = await run([{ role: "asker", answer: half }, solves]);
    expect(episode).toMatchObject({ stop: "fallback", turns: [] });
    expect(prompts("asker")[1]).toContain("it was cut off at the length limit");
    expect(prompts("asker")[1]).not.toContain(half.text);
  });

  it("is read through thoughts, fences, prose and loose JSON", async () => {
    const dressed = (["think-closed", "think-tail", "fence", "prose"] as const).map((dress) => ({
      text: ASK,
      dress,
    }));
    const loose = "{'type': 'done', 'output': None,}";
    const terms = ["length", "name", "home"];
    const { episode } = await run([{ role: "asker", answer: [...dressed, loose] }, solves], { terms });
    expect(episode).toMatchObject({ stop: "asker", fallback_stop: false });
    expect(episode.turns).toHaveLength(4);
  });
});

describe("the solver's reply", () => {
  const verdictOf = async (answer: Rule["answer"]): Promise<EpisodeRecord> =>
    (
      await run([
        { role: "asker", answer: DONE },
        { role: "solver", answer },
      ])
    ).episode;

  it.each([
    ["in a fence", { text: SQL, dress: "fence" }],
    ["after a thought", { text: SQL, dress: "think-closed" }],
    ["of two blocks, the second", { text: REFERENCE, dress: "two-sql-blocks" }],
    ["as SQL after prose", `The answer is:\n\n${REFERENCE};`],
  ] as const)("is read %s", async (_, answer) => {
    expect(await verdictOf(answer)).toMatchObject({
      verdict: "match",
      sql: expect.stringContaining(REFERENCE),
    });
  });

  it.each([
    ["truncated", { text: SQL.slice(0, -20), finish_reason: "length" }],
    ["truncated", { text: SQL, finish_reason: "length" }],
    ["no_answer", "I would need to know more."],
    ["no_answer", '{"reasoning":"…","type":"final_sql","output":null}'],
  ] as const)("is %s, and wrong: no second try is made", async (verdict, answer) => {
    const episode = await verdictOf(answer);
    expect(episode).toMatchObject({ verdict, sql: null, usage: { solver: { calls: 1 } } });
    expect(metricsOf(episode).sr).toBe(0);
  });
});

describe("a call that ends the episode", () => {
  it("context_overflow of the asker: a failure with zero recall, no fallback stop, and no solver's call", async () => {
    const { episode, prompts } = await run([
      { role: "asker", answer: { fault: "context-overflow" } },
      solves,
    ]);
    expect(episode).toMatchObject({
      verdict: "context_overflow",
      stop: "cut_short",
      fallback_stop: false,
      sql: null,
    });
    expect(metricsOf(episode)).toEqual({ sr: 0, precision: null, recall: 0, f1: 0 });
    expect(prompts("solver")).toEqual([]);
  });

  it("context_overflow later on keeps what was asked before", async () => {
    const { episode } = await run([{ role: "asker", answer: [ASK, { fault: "context-overflow" }] }, solves]);
    expect(episode).toMatchObject({ verdict: "context_overflow", turns: [{ credits: ["about-length"] }] });
    expect(metricsOf(episode)).toEqual({ sr: 0, precision: 1, recall: 0, f1: 0 });
  });

  it("context_overflow of the solver, also foreseen from the endpoint's size", async () => {
    const { episode, prompts } = await run([{ role: "asker", answer: DONE }, solves], {
      endpoint: { context_tokens: 50 },
    });
    expect(episode).toMatchObject({ verdict: "context_overflow", stop: "cut_short" });
    expect(prompts("asker")).toEqual([]);
  });

  it("model_error: a server that fails for good is in no denominator", async () => {
    const { episode } = await run([{ role: "asker", answer: [ASK, { fault: "error-500" }] }, solves], {
      endpoint: { max_attempts: 2 },
    });
    expect(episode).toMatchObject({ verdict: "model_error", stop: "cut_short", sql: null });
    expect(episode.detail).toMatch(/^asker: 2 attempts failed.*HTTP 500/);
    expect(metricsOf(episode)).toEqual({ sr: null, precision: null, recall: null, f1: null });
  });

  it("the deadline: a server that hangs is the server's fault, and the episode ends in time", async () => {
    const started = performance.now();
    const { episode } = await run([{ role: "asker", answer: [ASK, { fault: "hang" }] }, solves], {
      deadlineMs: 150,
      endpoint: { deadline_ms: 60_000 },
    });
    expect(performance.now() - started).toBeLessThan(60_000);
    expect(episode).toMatchObject({
      verdict: "model_error",
      detail: "the episode's calls took longer than 0.15 s",
    });
  });

  it("is not what a refused key is: the run stops, and says which role, model and endpoint", async () => {
    const refused = run([solves], { options: { apiKey: "right" } });
    await expect(refused).rejects.toThrow(/role "asker", model Qwen\/Qwen3-8B, endpoint "local"/);
  });
});

describe("seeds of an episode's calls", () => {
  it("go to asker and solver; an oracle has none, and says itself which draw it wants", async () => {
    const started = await server({ rules: [{ answer: "x" }] });
    const opened = await client(started.url);
    for (const seed of [3, 4]) {
      const calls = new EpisodeCalls(opened, { seed, log: () => "" });
      for (const role of ["oracle", "asker", "solver"] as const) {
        const request = { role, template: "t@1", messages: [{ role: "user", content: "same" }] } as const;
        await calls.ask({ ...request, ...(role === "oracle" ? { sample: seed } : {}) });
      }
      calls.close();
    }
    const sent = started.requests.map(({ role, body }) => [role, body.seed]);
    expect(sent).toEqual([
      ["oracle", undefined],
      ["asker", 3],
      ["solver", 3],
      ["oracle", undefined],
      ["asker", 4],
      ["solver", 4],
    ]);
  });

  it("are given up where the run is stopped, and no other is made", async () => {
    const started = await server({ rules: [{ answer: { fault: "hang" } }] });
    const opened = await client(started.url, { endpoint: { deadline_ms: 60_000 } });
    const stop = new AbortController();
    const calls = new EpisodeCalls(opened, { seed: 0, log: () => "", stop: stop.signal });
    const request = { role: "asker", template: "t@1", messages: [{ role: "user", content: "a" }] } as const;
    const underWay = calls.ask(request);
    stop.abort();
    await expect(underWay).rejects.toThrow(Interrupted);
    await expect(calls.ask(request)).rejects.toThrow(Interrupted);
    calls.close();
    expect(started.requests.length).toBeLessThanOrEqual(1);
  });
});
