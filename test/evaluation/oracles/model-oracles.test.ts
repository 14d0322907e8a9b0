/** The model oracles against a real HTTP server in the model's place, well-behaved and not. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { ModelError, UserError } from "../../../pipelines/errors.js";
import type { Asker } from "../../../pipelines/evaluation/askers/index.js";
import { askerNamed } from "../../../pipelines/evaluation/askers/index.js";
import { episodeMetrics } from "../../../pipelines/evaluation/metrics/index.js";
import { type OracleOptions, oracleNamed } from "../../../pipelines/evaluation/oracles/index.js";
import { runEpisode } from "../../../pipelines/evaluation/protocol.js";
import { ExecutionCache } from "../../../pipelines/evaluation/verifier/index.js";
import { FALLBACK_RATIONALE, REFUSAL } from "../../../pipelines/oracle/index.js";
import { openSqliteSandbox, type SqliteSandbox } from "../../../pipelines/sql/index.js";
import type { EpisodeRecord } from "../../../schemas/types/episode.js";
import type { Dataset, TaskRecord } from "../../../schemas/types/record.js";
import type { Answer, ModelServer, Rule } from "../../model/model-server.mjs";
import { client, server } from "../../model/open-client.js";
import { answers, asks, harbour, taskOn } from "../tasks.js";
import { SCOPED, UNFILTERED } from "./records.js";

let folder = "";
let sandbox: SqliteSandbox;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "ambitab-oracles-"));
  harbour(folder);
  sandbox = openSqliteSandbox({ children: 1 });
});
afterAll(async () => {
  await sandbox.close();
  rmSync(folder, { recursive: true, force: true });
});

const RESPONDER = "## Chosen action";
const ACTION = /## Chosen action\n(.*)$/;
type Replies = Answer | readonly Answer[];
/** A model with one list of replies as the matcher and one as the responder. */
const playing = (
  matcher: Replies,
  responder: Replies = '{"type":"x","output":"It is the hull."}',
): Rule[] => [{ contains: RESPONDER, answer: responder }, { answer: matcher }];
const labels = (term: string, cot = "they ask about it"): string =>
  JSON.stringify({ action: `labeled("${term}")`, cot });
const says = (output: string): string => JSON.stringify({ type: "labeled", output });

interface Ran {
  episode: EpisodeRecord;
  upstream: ModelServer;
}

async function run(
  rules: readonly Rule[],
  {
    record = SCOPED,
    asker = asks(["What is length?"]),
    oracle = "llm",
    seed = 0,
    options = {},
    solver = answers("SELECT name, overall_length FROM boats"),
    configured = {},
  }: {
    record?: TaskRecord;
    asker?: Asker;
    oracle?: string;
    seed?: number;
    options?: OracleOptions;
    solver?: ReturnType<typeof answers>;
    configured?: Parameters<typeof client>[1];
  } = {},
): Promise<Ran> {
  const upstream = await server({ rules });
  const model = await client(upstream.url, configured);
  const episode = await runEpisode(
    taskOn(folder, record),
    {
      condition: "asker",
      seed,
      asker,
      oracle: oracleNamed(oracle, record.dataset, { model, ...options }),
      solver,
    },
    new ExecutionCache(sandbox),
    () => "0",
  );
  return { episode, upstream };
}
const metricsOf = ({ turns, ...episode }: EpisodeRecord) =>
  episodeMetrics({ ...episode, record: "r", credits: turns.map(({ credits }) => credits) });

describe("a model oracle that behaves", () => {
  it("routes with one call and answers with another, which is told the action alone of the first", async () => {
    const { episode, upstream } = await run(playing(labels("length"), says("  The overall one.  ")));
    expect(episode.turns).toEqual([
      {
        question: "What is length?",
        response: "The overall one.",
        action: { kind: "labeled", term: "length" },
        why: "they ask about it",
        live_credits: ["about-length"],
        credits: ["about-length"],
        credit_source: "label",
        oracle_calls: [expect.stringMatching(/^[0-9a-f]{64}$/), expect.stringMatching(/^[0-9a-f]{64}$/)],
      },
    ]);
    expect(upstream.requests.map(({ role }) => role)).toEqual(["oracle", "oracle"]);
    const [matcher, responder] = upstream.requests.map(({ prompt }) => prompt);
    expect(matcher).not.toContain(RESPONDER);
    expect(ACTION.exec(responder!)?.[1]).toBe('labeled("length")');
    expect(responder).not.toContain("they ask about it");
  });

  it("gives no seed, reads no earlier dialogue, and draws anew when the same words are asked again", async () => {
    const asked = ["What is length?", "Which name?", "What is length?"];
    const told = [labels("length"), labels("name"), labels("length"), labels("length")];
    const { episode, upstream } = await run(playing(told, says("zq-a-secret-answer")), {
      asker: asks(asked),
    });
    expect(episode.turns).toHaveLength(3);
    expect(upstream.requests).toHaveLength(6);
    for (const { body, prompt } of upstream.requests) {
      expect(body).not.toHaveProperty("seed");
      expect(prompt).not.toContain("zq-a-secret-answer");
    }
    const matched = upstream.requests.filter(({ prompt }) => !prompt.includes(RESPONDER));
    expect(matched[0]!.prompt).toBe(matched[2]!.prompt);
    expect(new Set(episode.turns.flatMap(({ oracle_calls }) => oracle_calls)).size).toBe(6);
  });

  it("draws anew for each seed, and costs no call where the same seed asks again", async () => {
    const upstream = await server({ rules: playing(labels("length"), says("The overall one.")) });
    const model = await client(upstream.url);
    const once = (seed: number) =>
      runEpisode(
        taskOn(folder, SCOPED),
        {
          condition: "asker",
          seed,
          asker: asks(["What is length?"]),
          oracle: oracleNamed("llm", "ambiqt", { model }),
          solver: answers("SELECT 1"),
        },
        new ExecutionCache(sandbox),
        () => "0",
      );
    await once(0);
    await once(1);
    expect(upstream.requests).toHaveLength(4);
    await once(0);
    await once(1);
    expect(upstream.requests).toHaveLength(4);
  });

  it("draws for each record by itself, though two records' prompts are one", async () => {
    const upstream = await server({ rules: playing(labels("length"), says("The overall one.")) });
    const model = await client(upstream.url);
    const calls: string[] = [];
    for (const record_id of ["ambiqt/validation/1.boats.length#1", "ambiqt/validation/1.boats.length#2"]) {
      const { turns } = await runEpisode(
        taskOn(folder, { ...SCOPED, record_id }),
        {
          condition: "asker",
          seed: 0,
          asker: asks(["What is length?"]),
          oracle: oracleNamed("llm", "ambiqt", { model }),
          solver: answers("SELECT 1"),
        },
        new ExecutionCache(sandbox),
        () => "0",
      );
      calls.push(...turns.flatMap(({ oracle_calls = [] }) => oracle_calls));
    }
    expect(new Set(upstream.requests.map(({ prompt }) => prompt)).size).toBe(2);
    expect(upstream.requests).toHaveLength(4);
    expect(new Set(calls).size).toBe(4);
  });

  it("is scored by the recorded action: a term that is not registered falls to the question", async () => {
    const { episode } = await run(playing(labels("the beam"), says("The beam.")), {
      asker: asks(["How wide is the boat?", "What does name mean?"]),
    });
    expect(
      episode.turns.map(({ live_credits, credits, credit_source }) => [live_credits, credits, credit_source]),
    ).toEqual([
      [[], [], "none"],
      [[], ["about-name"], "question"],
    ]);
    expect(episode.turns[0]!.action).toEqual({ kind: "labeled", term: "the beam" });
  });

  it("earns credit by a volunteered resolution, and by a term in its reasons", async () => {
    const nothing = (cot: string): string => JSON.stringify({ action: "unanswerable()", cot });
    const { episode } = await run(
      playing(
        [nothing("generic"), nothing("this is about the name of the boats, perhaps: what name means")],
        [says("By length I mean the overall length."), says("I do not know.")],
      ),
      { asker: asks(["Please elaborate.", "Go on."]) },
    );
    expect(episode.turns.map(({ credits, credit_source }) => [credits, credit_source])).toEqual([
      [["about-length"], "response"],
      [["about-name"], "rationale"],
    ]);
  });

  it("takes an unlabeled clause and tells the responder of it", async () => {
    const action = JSON.stringify({ action: 'unlabeled("ORDER BY name")', cot: "order" });
    const { episode, upstream } = await run(playing(action, says("By name.")));
    expect(episode.turns[0]).toMatchObject({
      response: "By name.",
      action: { kind: "unlabeled", clause: "ORDER BY name" },
      live_credits: [],
    });
    expect(ACTION.exec(upstream.requests[1]!.prompt)?.[1]).toBe('unlabeled("ORDER BY name")');
  });
});

describe("who reads the SQL", () => {
  const SQL = "SELECT";
  const prompts = async (record: TaskRecord, sql?: "shown" | "hidden") => {
    const options = sql === undefined ? {} : { sql };
    const { upstream } = await run(playing(labels("length")), { record, options });
    return upstream.requests.map(({ prompt }) => prompt) as [string, string];
  };

  it("changes with --oracle-sql for the responder alone", async () => {
    for (const record of [SCOPED, UNFILTERED]) {
      const [shownMatcher, shown] = await prompts(record, "shown");
      const [hiddenMatcher, hidden] = await prompts(record, "hidden");
      expect(shownMatcher).toBe(hiddenMatcher);
      expect(shown).toContain(record.verifier.reference_sql[0]);
      expect(shown).toContain("## Its clauses");
      expect(hidden).not.toContain(`${SQL} name`);
      expect(hidden).not.toContain("clauses (");
    }
  });

  it("is by default the responder of the unfiltered oracle, whose matcher sees the clauses", async () => {
    const [scopedMatcher, scoped] = await prompts(SCOPED);
    expect(scopedMatcher).not.toContain("SELECT name");
    expect(scoped).not.toContain("SELECT name");
    const [matcher, responder] = await prompts(UNFILTERED);
    expect(matcher).toContain("- ORDER BY T1.name");
    expect(responder).toContain("- ORDER BY T1.name");
  });
});

describe("a model that does not behave", () => {
  const BAD: [string, Answer][] = [
    ["prose", "It asks about length, I would say."],
    ["another object", '{"label": "length"}'],
    ["no action of the three", '{"action": "clarify(length)", "cot": ""}'],
    ["half an object", '{"action": "labeled(\\"len'],
    [
      "cut off at the length limit",
      { text: '{"action": "labeled(\\"length\\")", "cot": "', finish_reason: "length" },
    ],
    ["a thought that never ends", "<think> it may be length, or"],
  ];

  it.each(BAD)("is asked once more and told what was wrong: %s", async (_what, bad) => {
    const { episode, upstream } = await run(playing([bad, labels("length")], says("The overall one.")));
    expect(episode.turns[0]).toMatchObject({ response: "The overall one.", credits: ["about-length"] });
    expect(episode.turns[0]).not.toHaveProperty("fallback");
    expect(episode.turns[0]!.oracle_calls).toHaveLength(3);
    const second = upstream.requests[1]!.body.messages as { role: string; content: string }[];
    expect(second.map(({ role }) => role)).toEqual(["system", "user", "assistant", "user"]);
    expect(second.at(-1)!.content).toContain("could not be read");
  });

  it.each(BAD)("is an unanswerable fallback when it does so twice: %s", async (_what, bad) => {
    const { episode, upstream } = await run(playing([bad, bad]), { asker: asks(["What about the tide?"]) });
    expect(episode.turns[0]).toMatchObject({
      response: REFUSAL,
      action: { kind: "unanswerable" },
      why: FALLBACK_RATIONALE,
      live_credits: [],
      credits: [],
      fallback: "matcher",
    });
    expect(upstream.requests).toHaveLength(2);
    expect(episode.verdict).toBe("match");
  });

  it.each([
    ["code fences", { text: labels("length"), dress: "fence" }],
    ["a thought before it", { text: labels("length"), dress: "think-closed" }],
    ["the end of a thought", { text: labels("length"), dress: "think-tail" }],
    ["prose around it", { text: labels("length"), dress: "prose" }],
    ["single quotes and a trailing comma", "{'action': 'labeled(\"length\")', 'cot': 'it is',}"],
  ] as [string, Answer][])("is understood at once through %s", async (_what, reply) => {
    const { episode, upstream } = await run(playing(reply, says("The overall one.")));
    expect(episode.turns[0]).toMatchObject({ action: { kind: "labeled", term: "length" } });
    expect(upstream.requests).toHaveLength(2);
  });

  it.each([
    ["no output", '{"type": "labeled"}'],
    ["an empty output", says("  ")],
    ["a number", '{"type": "labeled", "output": 4}'],
    ["prose", "The overall one."],
  ])("leaves no credit behind where it is the responder that cannot be read: %s", async (_what, bad) => {
    const { episode } = await run(playing(labels("length"), [bad, bad]), { asker: asks(["Which one?"]) });
    expect(episode.turns[0]).toMatchObject({
      response: REFUSAL,
      action: { kind: "unanswerable" },
      live_credits: [],
      credits: [],
      fallback: "responder",
    });
    expect(episode.turns[0]!.oracle_calls).toHaveLength(3);
  });

  it("is got over where its server fails in passing", async () => {
    const faults: Answer[] = [
      { fault: "error-500" },
      { fault: "rate-limit-told" },
      { fault: "reset" },
      { fault: "null-content" },
      { fault: "truncated-json" },
    ];
    const { episode } = await run(playing([...faults, labels("length")], says("The overall one.")));
    expect(episode.turns[0]).toMatchObject({ response: "The overall one.", credits: ["about-length"] });
  });

  it("ends the episode as a failure with zero recall where the prompt does not fit, before the solver is asked", async () => {
    const solver = answers("SELECT 1");
    const { episode } = await run(playing({ fault: "context-overflow" }), { solver });
    expect(episode).toMatchObject({ turns: [], stop: "oracle", verdict: "context_overflow", sql: null });
    expect(episode.detail).toMatch(/^oracle: /);
    expect(metricsOf(episode)).toEqual({ sr: 0, precision: null, recall: 0, f1: 0 });
    expect(solver.seen).toEqual([]);
    // The same from the responder, with what was asked before kept.
    const later = playing(labels("length"), [says("The overall one."), { fault: "context-overflow" }]);
    const second = await run(later, { asker: asks(["What is length?", "And name?"]) });
    expect(second.episode).toMatchObject({ stop: "oracle", verdict: "context_overflow" });
    expect(second.episode.turns).toHaveLength(1);
    expect(metricsOf(second.episode)).toEqual({ sr: 0, precision: 1, recall: 0, f1: 0 });
  });

  it("does not fit by the configured context either, and then nothing is sent", async () => {
    const { episode, upstream } = await run(playing(labels("length")), {
      configured: {
        endpoint: { context_tokens: 60 },
        roles: { oracle: { endpoint: "local", max_tokens: 50 } },
      },
    });
    expect(episode.verdict).toBe("context_overflow");
    expect(upstream.requests).toHaveLength(0);
  });

  it("leaves the denominators where its server fails for good", async () => {
    const { episode } = await run(playing({ fault: "error-500" }), {
      configured: { endpoint: { max_attempts: 2 } },
    });
    expect(episode).toMatchObject({ stop: "oracle", verdict: "model_error" });
    expect(metricsOf(episode)).toEqual({ sr: null, precision: null, recall: null, f1: null });
  });

  it("stops the run where no retry can help, naming role and model", async () => {
    await expect(run(playing({ fault: "unauthorized" }))).rejects.toThrow(ModelError);
    await expect(run(playing({ fault: "unauthorized" }))).rejects.toThrow(/oracle/);
  });
});

describe("hybrid", () => {
  const full = (record: TaskRecord) =>
    run(playing([...record.oracle.ambiguities.map(({ term }) => labels(term))]), {
      record,
      asker: askerNamed("full"),
      oracle: "hybrid",
    });

  it("is the model's matcher with the reference responder: one call a question, frozen answers", async () => {
    const { episode, upstream } = await full(SCOPED);
    expect(episode.turns.map(({ response }) => response)).toEqual(
      SCOPED.oracle.ambiguities.map(({ response }) => response),
    );
    expect(upstream.requests).toHaveLength(2);
    for (const { prompt } of upstream.requests) expect(prompt).not.toContain(RESPONDER);
  });

  it("answers with resolutions where the reference oracle is the knowledge one", async () => {
    const { episode } = await full(UNFILTERED);
    expect(episode.turns.map(({ response }) => response)).toEqual(
      UNFILTERED.oracle.ambiguities.map(({ resolution }) => resolution),
    );
    expect(metricsOf(episode)).toMatchObject({ precision: 1, recall: 1 });
  });

  it("refuses where the model credits nothing", async () => {
    const { episode } = await run(playing('{"action":"unanswerable()","cot":""}'), { oracle: "hybrid" });
    expect(episode.turns[0]).toMatchObject({ response: REFUSAL, why: "" });
  });
});

describe("an oracle without a model", () => {
  it.each(["llm", "hybrid"])("says what to configure: %s", async (name) => {
    const episode = runEpisode(
      taskOn(folder, SCOPED),
      {
        condition: "asker",
        seed: 0,
        asker: asks(["What is length?"]),
        oracle: oracleNamed(name, "ambiqt"),
        solver: answers("SELECT 1"),
      },
      new ExecutionCache(sandbox),
      () => "0",
    );
    await expect(episode).rejects.toThrow(/needs a model for the role "oracle"/);
  });

  it("is none of those that there are", () => {
    expect(() => oracleNamed("perfect", "ambiqt" satisfies Dataset)).toThrow(UserError);
  });
});
