/** What a run must come to, known from arithmetic alone. */
import { join } from "node:path";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { drawsFor } from "../../pipelines/engine/random.js";
import { SchemaCache } from "../../pipelines/evaluation/agent-context.js";
import { askerNamed } from "../../pipelines/evaluation/askers/index.js";
import { episodeMetrics } from "../../pipelines/evaluation/metrics/index.js";
import { type Oracle, oracleNamed } from "../../pipelines/evaluation/oracles/index.js";
import { runEpisode } from "../../pipelines/evaluation/protocol.js";
import { solverNamed } from "../../pipelines/evaluation/solvers/index.js";
import { copiesLeakedSql, sqlIn } from "../../pipelines/evaluation/solvers/synthetic/copies-leaked-sql.js";
import { referenceWhenResolved } from "../../pipelines/evaluation/solvers/synthetic/reference-when-resolved.js";
import { taskOf } from "../../pipelines/evaluation/task.js";
import { ExecutionCache } from "../../pipelines/evaluation/verifier/index.js";
import { openSqlEngines, type SqlEngines } from "../../pipelines/sql/engines.js";
import type { EpisodeRecord } from "../../schemas/types/episode.js";
import type { TaskRecord } from "../../schemas/types/record.js";
import { buildSample, DATASETS, recordsOf, temporaryFolder } from "../release/sample.js";
import { ambiguity, answers, asks, harbour, harbourRecord, settings, taskOn } from "./tasks.js";

let build = "";
let records: TaskRecord[] = [];
let sandbox: SqlEngines;
let executions: ExecutionCache;
let harbours = "";
beforeAll(async () => {
  build = await buildSample(temporaryFolder(), DATASETS);
  // A record that cannot be verified has no SR, and one without a counted ambiguity nothing to ask about.
  records = (await recordsOf(build)).filter(
    ({ verifier, oracle }) => verifier.verifiable && oracle.ambiguities.some(({ counts }) => counts),
  );
  harbours = temporaryFolder();
  harbour(harbours);
  sandbox = openSqlEngines({ children: 2 });
  // One for all: a Management task takes a database of its own for each answer that is not known.
  executions = new ExecutionCache(sandbox);
});
afterAll(() => sandbox.close());

const metricsOf = ({ turns, ...episode }: EpisodeRecord) =>
  episodeMetrics({ ...episode, record: episode.record_id, credits: turns.map(({ credits }) => credits) });

describe("every record of every sample, with reference-when-resolved and the deterministic oracle", () => {
  const episodesOf = async (asker: string, seed = 0): Promise<EpisodeRecord[]> => {
    const schemas = new SchemaCache();
    for (const { dataset, public: zone } of records) {
      const { engine, path } = zone.database;
      if (engine === "postgres") await schemas.prepare(join(build, dataset, "databases", path), sandbox);
    }
    return Promise.all(
      records.map((record) =>
        runEpisode(
          taskOf(record, join(build, record.dataset, "databases"), schemas, "run"),
          {
            condition: "asker",
            seed,
            asker: askerNamed(asker),
            oracle: oracleNamed("deterministic", record.dataset),
            solver: solverNamed("reference-when-resolved"),
          },
          executions,
          () => "0",
        ),
      ),
    );
  };

  it.each(["full", "full-adversarial"])("SR = precision = recall = F1 = 1 under %s", async (asker) => {
    for (const episode of await episodesOf(asker)) {
      // Nothing can be asked about a control: what is asked has no value there, and the answer is right at once.
      const asked = episode.ambiguities > 0 ? 1 : null;
      const all = { sr: 1, precision: asked, recall: asked, f1: asked };
      expect.soft(metricsOf(episode), episode.record_id).toEqual(all);
      expect(episode.expected_success).toBe(1);
    }
  });

  it("recall = precision = F1 = 0 under none-adversarial, which spends its whole budget", async () => {
    for (const episode of await episodesOf("none-adversarial")) {
      const none = episode.ambiguities > 0 ? 0 : null;
      const all = { precision: none, recall: none, f1: none };
      expect.soft(metricsOf(episode), episode.record_id).toMatchObject(all);
      expect(episode.turns).toHaveLength(episode.ambiguities + 2);
    }
  });

  it("SR under none is within 4 SD of its closed form, and the same draws decide under every condition", async () => {
    const seeds = [0, 1, 2, 3];
    const all = (await Promise.all(seeds.map((seed) => episodesOf("none", seed)))).flat();
    for (const dataset of DATASETS) {
      const episodes = all.filter((one) => one.dataset === dataset);
      const expected = episodes.map(({ expected_success }) => expected_success!);
      for (const { ambiguities, expected_success } of episodes) {
        expect(1 / expected_success!).toBeGreaterThanOrEqual(ambiguities > 0 ? 2 : 1);
      }
      const matches = episodes.filter(({ verdict }) => verdict === "match").length;
      const sd = Math.sqrt(expected.reduce((sum, p) => sum + p * (1 - p), 0));
      expect.soft(Math.abs(matches - expected.reduce((a, b) => a + b, 0)), dataset).toBeLessThan(4 * sd);
      expect(matches).toBeGreaterThan(0);
    }
    const again = await episodesOf("none-adversarial", 1);
    const first = all.slice(records.length, 2 * records.length);
    expect(again.map(({ sql }) => sql)).toEqual(first.map(({ sql }) => sql));
  });
});

describe("reference-when-resolved", () => {
  const view = (readings: number, resolved: boolean, ambiguities = 1) => ({
    view: {
      reference_sql: ["R"],
      alternative_sql: Array.from({ length: readings - 1 }, (_, at) => `A${at}`),
      ambiguities: Array.from({ length: ambiguities }, (_, at) => ({
        counts: true,
        response: `response ${at}.`,
        resolution: `resolution ${at}.`,
      })),
    },
    dialogue: resolved
      ? Array.from({ length: ambiguities }, (_, at) => ({
          question: "?",
          response: `Well, response\n ${at}. Yes.`,
        }))
      : [],
  });

  it.each([
    [1, 1 / 2],
    [2, 1 / 2],
    [3, 1 / 3],
  ])(
    "draws evenly among %i listed readings, one alone having a distractor beside it",
    (readings, expected) => {
      const { view: given } = view(readings, false);
      const counts = new Map<string, number>();
      const tries = 3000;
      for (let seed = 0; seed < tries; seed += 1) {
        const answer = referenceWhenResolved.solve(given, [], drawsFor(seed, "test", "unit"));
        if (answer.outcome !== "sql") throw new Error(answer.outcome);
        expect(answer.expected).toBe(expected);
        counts.set(answer.sql, (counts.get(answer.sql) ?? 0) + 1);
      }
      expect(counts.size).toBe(Math.max(readings, 2));
      const sd = Math.sqrt(tries * expected * (1 - expected));
      for (const count of counts.values()) expect(Math.abs(count - tries * expected)).toBeLessThan(5 * sd);
    },
  );

  it("answers right exactly when every counted ambiguity is resolved, by response or resolution", () => {
    fc.assert(
      fc.property(
        fc.array(fc.constantFrom("response", "resolution", "nothing", "not counted"), { maxLength: 5 }),
        fc.integer({ min: 0, max: 50 }),
        (states, seed) => {
          const ambiguities = states.map((state, at) => ({
            counts: state !== "not counted",
            response: `response ${at}.`,
            resolution: `resolution ${at}.`,
          }));
          const said = states.flatMap((state, at) =>
            state === "response" || state === "resolution"
              ? [{ question: "?", response: `${state} ${at}.` }]
              : [],
          );
          const given = { reference_sql: ["R"], alternative_sql: ["A", "B"], ambiguities };
          const answer = referenceWhenResolved.solve(given, said, drawsFor(seed, "test", "unit"));
          const expected = states.includes("nothing") ? 1 / 3 : 1;
          expect(answer).toMatchObject({ outcome: "sql", expected });
          if (expected === 1) expect(answer).toMatchObject({ sql: "R" });
        },
      ),
    );
  });

  it("takes an ambiguity without words as unresolved, and a record without a reference as no answer", () => {
    const { dialogue } = view(2, true);
    const blank = {
      reference_sql: ["R"],
      alternative_sql: ["A"],
      ambiguities: [{ counts: true, response: " ", resolution: "" }],
    };
    expect(referenceWhenResolved.solve(blank, dialogue, drawsFor(0, "t", "u"))).toMatchObject({
      expected: 1 / 2,
    });
    const none = { ...blank, reference_sql: [] };
    expect(referenceWhenResolved.solve(none, [], drawsFor(0, "t", "u"))).toMatchObject({
      outcome: "no_answer",
    });
  });

  it("the distractor never matches, whatever the reference gives", async () => {
    const record = harbourRecord([ambiguity("length")], { alternative_sql: [] });
    const verdicts = new Set<string>();
    for (let seed = 0; seed < 12; seed += 1) {
      const { sql, verdict } = await runEpisode(
        taskOn(harbours, record),
        settings({ seed, asker: asks([]), solver: referenceWhenResolved }),
        new ExecutionCache(sandbox),
        () => "0",
      );
      expect(verdict).toBe(sql?.includes("distractor") ? "mismatch" : "match");
      verdicts.add(verdict);
    }
    expect(verdicts).toEqual(new Set(["match", "mismatch"]));
  });
});

describe("copies-leaked-sql", () => {
  it.each([
    ["SELECT name FROM boats", "Sure: SELECT name FROM boats"],
    ["SELECT name FROM boats", "Use\n```sql\nSELECT name FROM boats\n```\nand you are done."],
    ["WITH x AS (SELECT 1) SELECT * FROM x", "Try WITH x AS (SELECT 1) SELECT * FROM x; it works"],
    [undefined, "Please select the overall length."],
    [undefined, "I would go with the hull length as (usual)."],
    [undefined, ""],
  ])("finds %j", (sql, text) => expect(sqlIn(text)).toBe(sql));

  it("makes a responder that leaks visible in SR, and else does as reference-when-resolved", async () => {
    const record = harbourRecord([ambiguity("length"), ambiguity("name")]);
    const honest = oracleNamed("deterministic", "ambiqt");
    const leaking = {
      ...honest,
      responder: {
        reads: "registry" as const,
        name: "leaking",
        respond: () => `Here it is: ${record.verifier.reference_sql[0]};`,
      },
    };
    const run = (oracle: Oracle, seed: number) =>
      runEpisode(
        taskOn(harbours, record),
        settings({ seed, oracle, asker: askerNamed("none-adversarial"), solver: copiesLeakedSql }),
        new ExecutionCache(sandbox),
        () => "0",
      );
    const seeds = [0, 1, 2, 3, 4, 5, 6, 7];
    const leaked = await Promise.all(seeds.map((seed) => run(leaking, seed)));
    for (const { verdict, sql, expected_success } of leaked) {
      expect(verdict).toBe("match");
      expect(sql).toBe("SELECT name, overall_length FROM boats");
      expect(expected_success).toBeUndefined();
    }
    const kept = await Promise.all(seeds.map((seed) => run(honest, seed)));
    expect(new Set(kept.map(({ verdict }) => verdict))).toEqual(new Set(["match", "mismatch"]));
    for (const { expected_success } of kept) expect(expected_success).toBe(1 / 2);
    expect(answers("x").seen).toEqual([]);
  });
});
