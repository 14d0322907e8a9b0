/** What a run will take (`--dry-run`), held against what it then takes. */
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { askerNamed } from "../../pipelines/evaluation/askers/index.js";
import { forecast, type Range } from "../../pipelines/evaluation/run/forecast.js";
import { evaluate } from "../../pipelines/evaluation/run/index.js";
import { openParties } from "../../pipelines/evaluation/run/parties.js";
import { runScope } from "../../pipelines/evaluation/run/scope.js";
import { openSuite, type Suite } from "../../pipelines/record/suite.js";
import { openSqliteSandbox, type SqliteSandbox } from "../../pipelines/sql/index.js";
import type { RunSettings } from "../../schemas/types/run.js";
import { client, server } from "../model/open-client.js";
import { buildSample, temporaryFolder } from "../release/sample.js";

let suite: Suite;
let sandbox: SqliteSandbox;
beforeAll(async () => {
  suite = openSuite(await buildSample(temporaryFolder()));
  sandbox = openSqliteSandbox({ children: 1 });
});
afterAll(() => sandbox.close());

const within = (value: number, { least, most }: Range): boolean => least <= value && value <= most;

describe("a forecast", () => {
  it.each([
    ["direct", "llm", "stops at once", '{"type":"done","output":null}'],
    [
      "checklist-chat",
      "hybrid",
      "never stops",
      '{"type":"clarification","output":"What do you mean by price, and why is it so?"}',
    ],
    ["full-adversarial", "deterministic", "is no model", ""],
  ])(
    "of %s under %s, who %s, holds the run's calls between its ends, asks nobody and knows the price",
    async (name, oracle, _, reply) => {
      const { asker, solver, oracleOf, settings, roles } = await openParties(
        { asker: name, oracle, solver: "model" },
        ["ambiqt"],
      );
      const price = { prompt: 1, completion: 2 };
      const decoding = {
        model: "m",
        temperature: null,
        top_p: null,
        top_k: null,
        thinking: null,
        max_tokens: null,
        extra: {},
      };
      const run: RunSettings = {
        ...runScope(suite, { limit: 3, seeds: [0, 1] }),
        ...settings,
        models: Object.fromEntries(roles.map((role) => [role, { ...decoding, price }])),
        conditions: { none: "none", asker: name, full: "full" },
      };
      const upstream = await server({
        rules: [
          { role: "asker", answer: reply },
          {
            role: "solver",
            answer: '{"reasoning":"it is clear enough","type":"final_sql","output":"SELECT 1"}',
          },
          { role: "oracle", contains: "## Chosen action", answer: '{"type":"x","output":"I cannot say."}' },
          { role: "oracle", answer: '{"action":"unanswerable()","cot":"nothing is meant"}' },
        ],
      });
      const folder = join(temporaryFolder(), "run");
      const askerOf = (condition: "none" | "asker" | "full") =>
        condition === "asker" ? asker : askerNamed(condition);
      const planned = { suite, settings: run, folder, sandbox, done: new Set<string>() };
      const told = await forecast(planned, { askerOf, solver, oracleOf });
      expect(upstream.requests).toEqual([]);
      const model = await client(upstream.url);
      const { usage } = await evaluate({
        folder,
        suite,
        settings: run,
        asker,
        solver,
        oracleOf,
        model,
        sandbox,
        width: 4,
        resume: false,
      });
      expect(told.episodes).toBe(3 * 2 * 3);
      expect(Object.keys(told.roles).sort()).toEqual(Object.keys(usage ?? {}).sort());
      for (const [role, took] of Object.entries(usage ?? {})) {
        const one = told.roles[role as (typeof roles)[number]]!;
        expect(within(took.calls, one.calls), `${role} calls`).toBe(true);
        // How long replies are is a guess, on the high side.
        expect(took.completion_tokens, `${role} reply tokens`).toBeLessThanOrEqual(
          one.completion_tokens.most,
        );
        // The test server takes a token for every four characters, which is fewer than any model does for a schema.
        expect(took.prompt_tokens, `${role} prompt tokens`).toBeLessThanOrEqual(one.prompt_tokens.most);
        expect(within(took.cost ?? -1, { least: 0, most: one.cost!.most }), `${role} cost`).toBe(true);
      }
    },
  );

  it("of a run that has begun is of what is left", async () => {
    const { asker, solver, oracleOf, settings } = await openParties({
      asker: "direct",
      oracle: "deterministic",
      solver: "model",
    });
    const run: RunSettings = {
      ...runScope(suite, { limit: 1 }),
      ...settings,
      conditions: { none: "none", asker: "direct", full: "full" },
    };
    const [{ record }] = [(await suite.datasets[0]!.records().next()).value!];
    const done = new Set([`none/0/${record.record_id}`, `full/0/${record.record_id}`]);
    const told = await forecast(
      { suite, settings: run, folder: "x", sandbox, done },
      { askerOf: () => asker, solver, oracleOf },
    );
    expect(told).toMatchObject({
      episodes: 1,
      roles: {
        solver: { calls: { least: 1, most: 1 }, cost: null },
        asker: { calls: { least: 1, most: 4 } },
      },
    });
  });
});
