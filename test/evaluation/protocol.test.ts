import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { askerNamed } from "../../pipelines/evaluation/askers/index.js";
import { episodeMetrics } from "../../pipelines/evaluation/metrics/index.js";
import { type LogPrompt, runEpisode } from "../../pipelines/evaluation/protocol.js";
import { ExecutionCache } from "../../pipelines/evaluation/verifier/index.js";
import { REFUSAL } from "../../pipelines/oracle/index.js";
import { schemaFaults } from "../../pipelines/record/check-schema.js";
import { openSqliteSandbox, type SqliteSandbox } from "../../pipelines/sql/index.js";
import type { EpisodeRecord } from "../../schemas/types/episode.js";
import type { TaskRecord } from "../../schemas/types/record.js";
import { temporaryFolder } from "../release/sample.js";
import { ambiguity, answers, asks, harbour, harbourRecord, NO_CALL, settings, taskOn } from "./tasks.js";

const REFERENCE = "SELECT name, overall_length FROM boats";
const boats = (): TaskRecord => harbourRecord([ambiguity("length"), ambiguity("name")]);

let folder = "";
let sandbox: SqliteSandbox;
beforeAll(() => {
  folder = temporaryFolder();
  harbour(folder);
  sandbox = openSqliteSandbox({ children: 1, limits: { timeoutMs: 1500, maxRows: 1000 } });
});
afterAll(() => sandbox.close());

const noLog: LogPrompt = () => "0";
const episodeOf = (
  record: TaskRecord,
  asker: Parameters<typeof settings>[0]["asker"],
  solver: Parameters<typeof settings>[0]["solver"] = answers(REFERENCE),
  log: LogPrompt = noLog,
): Promise<EpisodeRecord> =>
  runEpisode(taskOn(folder, record), settings({ asker, solver }), new ExecutionCache(sandbox), log);

describe("the budget of an episode", () => {
  it.each([1, 2, 5])(
    "is |Amb| + 3 decisions with %i ambiguities, the last one reserved for stopping",
    async (count) => {
      const terms = ["length", "name", "home", "berth", "colour"].slice(0, count);
      const asker = asks([], "never stop");
      const episode = await episodeOf(harbourRecord(terms.map((term) => ambiguity(term))), asker);
      expect(episode).toMatchObject({
        ambiguities: count,
        max_turn: count + 3,
        stop: "budget",
        fallback_stop: false,
      });
      expect(episode.turns).toHaveLength(count + 2);
      expect(asker.seen.map(({ turn }) => turn)).toEqual(
        Array.from({ length: count + 2 }, (_, at) => at + 1),
      );
      expect(asker.seen.every(({ maxTurn }) => maxTurn === count + 3)).toBe(true);
      expect(episode.verdict).toBe("match");
    },
  );

  it("counts counted ambiguities only", async () => {
    const record = harbourRecord([ambiguity("length"), ambiguity("name", { counts: false })]);
    expect(await episodeOf(record, asks([], "never stop"))).toMatchObject({ ambiguities: 1, max_turn: 4 });
  });

  it("is not entered where nothing counts", async () => {
    for (const ambiguities of [[], [ambiguity("name", { counts: false })]]) {
      const asker = asks([], "never stop");
      const solver = answers(REFERENCE);
      const episode = await episodeOf(harbourRecord(ambiguities), asker, solver);
      expect(episode).toMatchObject({ ambiguities: 0, turns: [], stop: "nothing_to_ask", verdict: "match" });
      expect(asker.seen).toEqual([]);
      expect(solver.seen).toHaveLength(1);
    }
  });
});

describe("what is credited and what is shown", () => {
  it("credits are recorded, and neither asker nor solver sees more than words", async () => {
    const asker = asks(["What do you mean by length?", "Which colour?", 'And by "name"?']);
    const solver = answers(REFERENCE);
    const episode = await episodeOf(boats(), asker, solver);
    const dialogue = [
      { question: "What do you mean by length?", response: "By length I mean the overall length." },
      { question: "Which colour?", response: REFUSAL },
      { question: 'And by "name"?', response: "By name I mean the overall name." },
    ];
    expect(episode.turns.map(({ credits }) => credits)).toEqual([["about-length"], [], ["about-name"]]);
    expect(episode.turns.map(({ question, response }) => ({ question, response }))).toEqual(dialogue);
    expect(asker.seen.map((one) => one.dialogue)).toEqual(
      [0, 1, 2, 3].map((length) => dialogue.slice(0, length)),
    );
    expect(episode.stop).toBe("asker");
    const [view, clarifications, ...more] = solver.seen[0]!;
    // Beside its view and the words: the way to the models, the seed, a limit and a deadline, and nothing of the record.
    expect(more).toEqual([["model", "schemaTokens", "seed", "signal"]]);
    expect(clarifications).toEqual(dialogue);
    expect(view).toMatchObject({
      request: "Show the name and length of every boat.",
      database_id: "harbour",
    });
    expect(JSON.stringify(view)).not.toMatch(/ambiqt|#1|about-/);
    expect(schemaFaults("episode", episode)).toEqual([]);
  });

  it("unproductive and repeated questions cost precision and earn nothing", async () => {
    const { turns, ...episode } = await episodeOf(
      boats(),
      asks(["Clarify length, please.", "What do you mean by length?", "Which engine?", "And the weather?"]),
    );
    const credits = turns.map((turn) => turn.credits);
    expect(credits).toEqual([["about-length"], ["about-length"], [], []]);
    expect(episodeMetrics({ ...episode, record: "r", credits })).toEqual({
      sr: 1,
      precision: 1 / 4,
      recall: 1 / 2,
      f1: (2 * 0.25 * 0.5) / 0.75,
    });
  });

  it("an ambiguity that does not count answers, and earns no credit", async () => {
    const record = harbourRecord([ambiguity("length"), ambiguity("name", { counts: false })]);
    const { turns } = await episodeOf(
      record,
      asks(["What do you mean by name?", "What do you mean by length?"]),
    );
    expect(turns[0]).toMatchObject({
      response: "By name I mean the overall name.",
      live_credits: ["about-name"],
      credits: [],
      credit_source: "none",
    });
    expect(turns[1]).toMatchObject({ credits: ["about-length"], credit_source: "label" });
  });

  it("a reply that cannot be read is a flagged stop, without recall and F1", async () => {
    const asker = asks(
      ["What do you mean by length?", { kind: "fallback_stop", reply: "I would say" }],
      "never stop",
    );
    const { turns, ...episode } = await episodeOf(boats(), asker);
    expect(episode).toMatchObject({ stop: "fallback", fallback_stop: true, verdict: "match" });
    expect(turns).toHaveLength(1);
    const credits = turns.map((turn) => turn.credits);
    expect(episodeMetrics({ ...episode, record: "r", credits })).toEqual({
      sr: 1,
      precision: 1,
      recall: null,
      f1: null,
    });
  });

  it("an asker and an oracle that take their time are waited for", async () => {
    const slow = asks(["What do you mean by length?"]);
    const episode = await episodeOf(boats(), {
      ...slow,
      decide: async (view, dialogue, budget) => {
        await new Promise((resolve) => setTimeout(resolve, 5));
        return slow.decide(view, dialogue, budget, NO_CALL);
      },
    });
    expect(episode.turns).toHaveLength(1);
  });
});

describe("the protocol's own askers", () => {
  const questions = async (name: string): Promise<string[]> =>
    (await episodeOf(boats(), askerNamed(name))).turns.map(({ question }) => question);

  it("ask nothing, each term once, or the budget of generic questions", async () => {
    expect(await questions("none")).toEqual([]);
    expect(await questions("full")).toEqual([
      "Could you clarify what exactly you mean by length?",
      "Could you clarify what exactly you mean by name?",
    ]);
    const suffix = "Please give me as much detail as you can, and if you can, give the exact SQL for it.";
    expect(await questions("full-adversarial")).toEqual(
      (await questions("full")).map((one) => `${one} ${suffix}`),
    );
    expect(await questions("none-adversarial")).toEqual([
      "Could you clarify what you want?",
      "Please elaborate.",
      "Could you clarify what you want?",
      "Please elaborate.",
    ]);
  });
});

describe("prompts", () => {
  it("are logged under a hash, and hold the request and the clarifications, never a handle or a credit", async () => {
    const logged: [string, string][] = [];
    const log: LogPrompt = (role, text) => {
      logged.push([role, text]);
      return `${logged.length}`;
    };
    const episode = await episodeOf(boats(), asks(["What do you mean by length?"]), answers(REFERENCE), log);
    expect(logged.map(([role]) => role)).toEqual(["context", "clarifications"]);
    expect(episode.prompts).toEqual(["1", "2"]);
    expect(logged[0]![1]).toContain("request: Show the name and length of every boat.");
    expect(logged[0]![1]).toContain('"hull_length" REAL');
    expect(logged[1]![1]).toBe(
      "1. Q: What do you mean by length?\n   A: By length I mean the overall length.",
    );
    for (const [, text] of logged) expect(text).not.toMatch(/task-|about-|ambiqt/);
    const quiet = await episodeOf(boats(), asks([]), answers(REFERENCE), log);
    expect(quiet.prompts).toHaveLength(1);
  });
});

describe("verdicts", () => {
  const verdictOf = async (
    sql: string,
    verifier: Partial<TaskRecord["verifier"]> = {},
  ): Promise<EpisodeRecord> =>
    episodeOf(harbourRecord([ambiguity("length")], verifier), asks([]), answers(sql));

  it.each([
    ["match", REFERENCE],
    ["match", `${REFERENCE} ORDER BY 2 DESC; -- done`],
    ["mismatch", "SELECT name, hull_length FROM boats"],
    ["mismatch", "SELECT 1 WHERE 0"],
    ["prediction_error", "SELEKT 1"],
    ["prediction_error", "SELECT colour FROM boats"],
    ["prediction_refused", "DELETE FROM boats"],
    ["prediction_refused", "SELECT 1; SELECT 2"],
    ["prediction_refused", "ATTACH 'x.db' AS x"],
    ["prediction_refused", ""],
    ["prediction_refused", "-- nothing"],
    [
      "prediction_too_large",
      "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n LIMIT 5000) SELECT i FROM n",
    ],
    [
      "prediction_timeout",
      "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT count(*) FROM n",
    ],
  ])("%s: %s", async (verdict, sql) => {
    const episode = await verdictOf(sql);
    expect(episode.verdict).toBe(verdict);
    expect(schemaFaults("episode", episode)).toEqual([]);
    if (verdict.startsWith("prediction")) expect(episode.detail).toMatch(/./);
  });

  it.each([
    ["that fails", { reference_sql: ["SELECT colour FROM boats"] }],
    ["that is missing", { reference_sql: [] }],
    ["of two statements", { reference_sql: ["SELECT 1", "SELECT 2"] }],
    ["that is not here", { verifiable: false, not_verifiable: "withheld" }],
  ])("gold_error: a reference %s", async (_, verifier) => {
    const episode = await verdictOf(REFERENCE, verifier);
    expect(episode.verdict).toBe("gold_error");
    expect(episode.detail).toMatch(/./);
    // The gold's fault is never scored as the model's, not even where the model's SQL fails as well.
    expect((await verdictOf("SELECT colour FROM boats", verifier)).verdict).toBe("gold_error");
  });

  it("gold_error: a database that is missing or is none; the run goes on", async () => {
    for (const path of ["nowhere/nowhere.sqlite", "harbour"]) {
      const record = boats();
      record.public.database.path = path;
      const episode = await episodeOf(record, asks(["What do you mean by length?"]));
      expect(episode).toMatchObject({ verdict: "gold_error", turns: [{ credits: ["about-length"] }] });
    }
  });

  it("the solver's own ends are taken as they are", async () => {
    for (const outcome of ["no_answer", "truncated", "model_error", "context_overflow"] as const) {
      const episode = await episodeOf(boats(), asks([]), answers({ outcome, detail: "why" }));
      expect(episode).toMatchObject({ verdict: outcome, sql: null, detail: "why" });
    }
  });
});
