/** Spec 1: a canary in every private field, every asker × oracle × solver, and no canary where an agent reads. */
import { cpSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Draws } from "../../pipelines/engine/random.js";
import { SchemaCache } from "../../pipelines/evaluation/agent-context.js";
import {
  type AgentCall,
  ASKERS,
  type Asker,
  askerNamed,
  type Budget,
  type Exchange,
} from "../../pipelines/evaluation/askers/index.js";
import {
  hasFailed,
  ORACLES,
  type Oracle,
  type OracleCall,
  oracleNamed,
} from "../../pipelines/evaluation/oracles/index.js";
import { runEpisode } from "../../pipelines/evaluation/protocol.js";
import { evaluate } from "../../pipelines/evaluation/run/index.js";
import { SOLVERS, type Solver, solverNamed } from "../../pipelines/evaluation/solvers/index.js";
import { agentViewOf, taskOf } from "../../pipelines/evaluation/task.js";
import { ExecutionCache } from "../../pipelines/evaluation/verifier/index.js";
import { configureModels, type OpenModelClient, openModelClient } from "../../pipelines/model/index.js";
import type { MatchResult, Turn } from "../../pipelines/oracle/index.js";
import { openSuite } from "../../pipelines/record/suite.js";
import {
  type AgentView,
  type MatcherView,
  type OracleSql,
  type OracleVariant,
  type OracleView,
  oracleVariantOf,
  type ResponderView,
  type ScriptView,
  type SyntheticSolverView,
} from "../../pipelines/record/views.js";
import { openSqliteSandbox, type SqliteSandbox } from "../../pipelines/sql/index.js";
import type { LoggedPrompt } from "../../schemas/types/prompt.js";
import type { Dataset, TaskRecord } from "../../schemas/types/record.js";
import { type ModelServer, type Rule, type SeenRequest, startModelServer } from "../model/model-server.mjs";
import { buildSample, DATASETS, recordsOf, temporaryFolder, writeRecords } from "../release/sample.js";
import { withCanaries } from "./canaries.js";
import { asks } from "./tasks.js";

/** What an oracle may say of an ambiguity: the frozen response, or the resolution where it holds knowledge. */
const answerField = (dataset: Dataset): string =>
  oracleVariantOf(dataset) === "intent" ? "response" : "resolution";
/** What the deterministic oracles read themselves: no SQL and no provenance. */
const REGISTRY_READS = {
  intent: ["ambiguity_id", "term", "aliases", "response"],
  knowledge: ["ambiguity_id", "term", "concepts", "resolution"],
} as const;
/** What a model matcher reads; showing the responder the SQL changes nothing of it. */
const MATCHER_READS = {
  intent: ["ambiguity_id", "term", "aliases"],
  knowledge: [
    "ambiguity_id",
    "term",
    "aliases",
    "resolution",
    "response",
    "withheld_evidence",
    "reference_sql",
  ],
} as const;
const RESPONDER_READS = {
  intent: ["ambiguity_id", "term", "aliases", "resolution", "response"],
  knowledge: [
    "ambiguity_id",
    "term",
    "aliases",
    "resolution",
    "response",
    "clear_request",
    "withheld_evidence",
  ],
} as const;
const SQL_READS = ["reference_sql", "sql_snippet"];

/** A model that says back what it was shown: an asker asks it, a solver wraps it in SQL. */
const parrot: readonly Rule[] = [
  {
    role: "asker",
    answer: ({ prompt }, turn) =>
      JSON.stringify(
        turn % 3 < 2
          ? { type: "clarification", output: `What is ${prompt.slice(-800)}?` }
          : { type: "done", output: null },
      ),
  },
  {
    role: "solver",
    answer: ({ prompt }) =>
      JSON.stringify({ type: "final_sql", output: `SELECT 1 /* ${prompt.slice(-500)} */` }),
  },
];

/** A knowledge record on another's database, where no sample has any: its ambiguities are masked hints. */
function knowledgeRecord(record: TaskRecord): TaskRecord {
  const ambiguities = record.oracle.ambiguities.map((one) => ({
    ...one,
    aliases: [],
    kind: "knowledge" as const,
    resolution: `${one.term} refers to ${one.resolution}`,
    concepts: [one.term, "harbour dues"],
  }));
  const renamed = (id: string): string => id.replace(/^[^/]+/, "bird");
  return {
    ...record,
    record_id: renamed(record.record_id),
    avt_id: renamed(record.avt_id),
    dataset: "bird",
    split: "dev",
    oracle: { withheld_evidence: "x refers to y", ambiguities },
    verifier: { ...record.verifier, comparison: { policy: "bird_ex", ordered: false } },
  };
}

/** The samples' datasets, and one that is made here of another's records. */
const ALL_DATASETS = [...new Set<string>([...DATASETS, "bird"])];
/**
 * A model that tells all it sees: as the matcher it labels the first listed term and reasons with its whole prompt, as the
 * responder it answers with its whole prompt.
 */
function tellsAll({ prompt }: SeenRequest): string {
  if (!prompt.includes("## Chosen action")) {
    const term = /"term":("(?:[^"\\]|\\.)*")/.exec(prompt)?.[1] ?? '""';
    return JSON.stringify({ action: `labeled(${term})`, cot: prompt });
  }
  return JSON.stringify({ type: "labeled", output: prompt });
}

const schemas = new SchemaCache();
let executions: ExecutionCache;
let server: ModelServer;
let model: OpenModelClient;
let build = "";
let sandbox: SqliteSandbox;
let planted: { record: TaskRecord; tokens: Map<string, string> }[] = [];
let predictions = "";
beforeAll(async () => {
  const out = temporaryFolder();
  build = await buildSample(out, DATASETS);
  const all = await recordsOf(build);
  const chosen = DATASETS.flatMap((name) => all.filter(({ dataset }) => dataset === name).slice(0, 2));
  const made = chosen.filter(({ dataset }) => dataset === "ambiqt").map(knowledgeRecord);
  if (DATASETS.includes("bird")) made.length = 0;
  planted = [...chosen, ...made].map(withCanaries);
  cpSync(build, join(out, "canaries"), { recursive: true });
  build = join(out, "canaries");
  if (made.length > 0) cpSync(join(build, "ambiqt"), join(build, "bird"), { recursive: true });
  for (const name of ALL_DATASETS) {
    const records = planted.map(({ record }) => record).filter(({ dataset }) => dataset === name);
    writeRecords(build, records, name);
  }
  predictions = join(out, "predictions.jsonl");
  const lines = planted.map(({ record }) => JSON.stringify({ record_id: record.record_id, sql: "SELECT 1" }));
  writeFileSync(predictions, lines.join("\n"));
  sandbox = openSqliteSandbox({ children: 2 });
  executions = new ExecutionCache(sandbox);
  server = await startModelServer({ rules: [...parrot, { role: "oracle", answer: tellsAll }] });
  const models = configureModels({ endpoints: { local: { base_url: server.url } } });
  model = await openModelClient({ models, out });
  // Every sample is built, PostgreSQL's too.
});
afterAll(async () => {
  await sandbox.close();
  await model.close();
  await server.close();
});

/** The record and the field that each token in a text was planted in; a person's next word may stick to a token. */
function ownersIn(text: string): { token: string; field: string; dataset: Dataset }[] {
  return (text.match(/zqcanary\d+x\d+zq/gi) ?? []).map((found) => {
    const token = found.toLowerCase();
    const owner = planted.find(({ tokens }) => tokens.has(token));
    if (owner === undefined) throw new Error(`nobody planted ${found}`);
    return { token, field: owner.tokens.get(token)!.split(".").at(-1)!, dataset: owner.record.dataset };
  });
}
const fieldsIn = (text: string): string[] => ownersIn(text).map(({ field }) => field);
const mayBeSaid = ({ field, dataset }: { field: string; dataset: Dataset }): boolean =>
  field === "term" || field === answerField(dataset);

const askers: readonly Asker[] = [
  ...ASKERS,
  askerNamed("spec-randomized:checklist-ledger"),
  asks(
    ["What do you mean by name, price, city, length and everything else?", "Give me the SQL."],
    "never stop",
  ),
];
const solvers = (): Solver[] =>
  SOLVERS.map((name) => solverNamed(name === "replay=FILE" ? `replay=${predictions}` : name));

describe("canaries in every private field", () => {
  it("were planted in all fields there are, in a build that is read as any other", async () => {
    const fields = new Set([...planted[0]!.tokens.values()].map((field) => field.replace(/^record\./, "")));
    for (const field of [
      "oracle.clear_request",
      "oracle.withheld_evidence",
      "oracle.ambiguities.ambiguity_id",
      "oracle.ambiguities.term",
      "oracle.ambiguities.aliases",
      "oracle.ambiguities.resolution",
      "oracle.ambiguities.response",
      "oracle.ambiguities.concepts",
      "oracle.ambiguities.sql_snippet",
      "verifier.reference_sql",
      "verifier.alternative_sql",
      "verifier.setup_sql",
      "verifier.cleanup_sql",
      "verifier.test_cases",
      "verifier.follow_up.query",
      "provenance.source",
      "provenance.file",
      "provenance.row_sha256",
      "provenance.decisions_ref",
      "provenance.notes",
    ]) {
      expect([...fields]).toContain(field);
    }
    const sorted = (records: readonly TaskRecord[]): TaskRecord[] =>
      records.toSorted((a, b) => (a.record_id < b.record_id ? -1 : 1));
    expect(sorted(await recordsOf(build))).toEqual(sorted(planted.map(({ record }) => record)));
    expect(new Set(planted.map(({ record }) => record.dataset))).toEqual(new Set(ALL_DATASETS));
  });

  const shownOrHidden = ORACLES.flatMap((name): [string, OracleSql | undefined][] =>
    name === "llm"
      ? [
          [name, "shown"],
          [name, "hidden"],
        ]
      : [[name, undefined]],
  );
  for (const [oracleName, sql] of shownOrHidden) {
    for (const asker of askers) {
      const under = sql === undefined ? oracleName : `${oracleName}, SQL ${sql}`;
      it(`cross to no agent: ${asker.name} under ${under}, with every solver`, async () => {
        for (const solver of solvers()) {
          for (const { record } of planted) {
            const options = { model, ...(sql === undefined ? {} : { sql }) };
            await oneEpisode(record, asker, oracleNamed(oracleName, record.dataset, options), solver);
          }
        }
      });
    }
  }

  it("were told by the model to the full where it could, so the scan had something to find", () => {
    const seen = new Set(server.requests.flatMap(({ prompt }) => fieldsIn(prompt)));
    for (const field of ["clear_request", "withheld_evidence", "reference_sql", "sql_snippet", "aliases"]) {
      expect([...seen]).toContain(field);
    }
    // No prompt of an oracle needs an id, a test, another reading or where a record comes from.
    for (const field of ["ambiguity_id", "alternative_sql", "test_cases", "setup_sql", "query", "file"]) {
      expect([...seen]).not.toContain(field);
    }
  });

  async function oneEpisode(record: TaskRecord, asker: Asker, oracle: Oracle, solver: Solver): Promise<void> {
    const askerGot: unknown[] = [];
    const solverGot: unknown[] = [];
    const entitled = new Set<string>();
    const logged: { role: LoggedPrompt["role"]; text: string }[] = [];
    const databases = join(build, record.dataset, "databases");
    const donor = planted
      .map((one) => one.record)
      .find((one) => one.dataset === record.dataset && one !== record)!;
    const task = taskOf(record, databases, schemas, "run", {
      record_id: donor.record_id,
      view: agentViewOf(donor, databases, schemas, "run"),
    });
    const before = server.requests.length;
    await runEpisode(
      task,
      {
        condition: "asker",
        seed: 3,
        asker: watchedAsker(asker, askerGot),
        oracle: watchedOracle(oracle, record, entitled),
        solver: watchedSolver(solver, solverGot),
        model,
      },
      executions,
      (role, text) => {
        logged.push({ role, text });
        return "0";
      },
    );
    const scripted = asker.reads === "script";
    const fields = allowed(scripted, oracle);
    // What went over the wire to asker and solver is what was logged, and no more.
    for (const { role, body } of server.requests.slice(before).filter((one) => one.role !== "oracle")) {
      for (const message of body.messages as { role: string; content: string }[]) {
        judge(message.content, message.role === "system" ? [] : fields, entitled);
        expect(
          logged.map(({ text }) => text),
          role,
        ).toContain(message.content);
      }
    }
    for (const { role, text } of logged) judge(text, role === "context" ? [] : fields, entitled);
    for (const one of askerGot) judge(JSON.stringify(one), scripted ? ["term"] : fields, entitled);
    // Where the oracle's model gives out nobody solves; this one never does.
    expect(solverGot).toHaveLength(1);
    const [given] = solverGot as { views: unknown[]; words: unknown }[];
    if (solver.reads === "agent") judge(JSON.stringify(given), fields, entitled);
    else if (solver.reads === "recording") expect(given).toEqual({ views: [record.record_id], words: [] });
    else judge(JSON.stringify(given!.words), fields, entitled);
  }
  const ANSWERS = ["response", "resolution"];
  /** A scripted asker says terms; what else crosses does so in an oracle's answer. */
  const allowed = (scripted: boolean, { variant, responder }: Oracle): string[] => {
    const said = responder.reads === "registry" ? ANSWERS : readsOf(variant, responder.sql);
    return scripted ? ["term", ...said] : [...said];
  };
  const readsOf = (variant: OracleVariant, sql: OracleSql): string[] => [
    ...RESPONDER_READS[variant],
    ...(sql === "shown" ? SQL_READS : []),
  ];

  /** Only the named fields may be in a text, and an answer only if the oracle was entitled to give it, or gave it. */
  function judge(text: string, fields: readonly string[], entitled: ReadonlySet<string>): void {
    const said = [...entitled].join("\n");
    for (const { field, token } of ownersIn(text)) {
      expect(fields).toContain(field);
      if (field !== "term") expect(said).toContain(token);
    }
  }

  function watchedAsker(asker: Asker, got: unknown[]): Asker {
    if (asker.reads === "script") {
      return {
        ...asker,
        decide(script: ScriptView, budget: Budget) {
          got.push(structuredClone({ script, budget }));
          return asker.decide(script, budget);
        },
      };
    }
    return {
      ...asker,
      decide(view: AgentView, dialogue: readonly Exchange[], budget: Budget, call: AgentCall) {
        got.push(
          structuredClone({ view, dialogue, budget, call: { ...call, model: undefined, signal: undefined } }),
        );
        return asker.decide(view, dialogue, budget, call);
      },
    };
  }

  /** Notes what may be said: of the deterministic responder the credited answers, of a model what it said. */
  function watchedOracle(oracle: Oracle, record: TaskRecord, entitled: Set<string>): Oracle {
    const { variant, matcher, responder } = oracle;
    const reads = (view: unknown, fields: readonly string[]): void => {
      for (const field of fieldsIn(JSON.stringify(view))) expect(fields).toContain(field);
    };
    const note = (credits: readonly string[]): void => {
      if (responder.reads !== "registry") return;
      for (const id of credits) {
        const one = record.oracle.ambiguities.find(({ ambiguity_id }) => ambiguity_id === id);
        entitled.add(variant === "intent" ? one!.response : one!.resolution);
      }
    };
    return {
      ...oracle,
      matcher:
        matcher.reads === "registry"
          ? {
              ...matcher,
              async match(question: string, history: readonly Turn[], view: OracleView) {
                reads(view, REGISTRY_READS[variant]);
                const result = await matcher.match(question, history, view);
                note(result.credits);
                return result;
              },
            }
          : {
              ...matcher,
              async match(question: string, view: MatcherView, call: OracleCall) {
                reads(view, MATCHER_READS[variant]);
                const result = await matcher.match(question, view, call);
                if (hasFailed(result)) throw new Error(result.detail);
                note(result.credits);
                return result;
              },
            },
      responder:
        responder.reads === "registry"
          ? responder
          : {
              ...responder,
              async respond(question: string, routed: MatchResult, view: ResponderView, call: OracleCall) {
                reads(view, readsOf(variant, responder.sql));
                const result = await responder.respond(question, routed, view, call);
                if (hasFailed(result)) throw new Error(result.detail);
                entitled.add(result.text);
                return result;
              },
            },
    };
  }

  function watchedSolver(solver: Solver, got: unknown[]): Solver {
    switch (solver.reads) {
      case "agent": {
        const { solve } = solver;
        return {
          ...solver,
          solve(view: AgentView, words: readonly Exchange[], call: AgentCall) {
            got.push(
              structuredClone({
                views: [view],
                words,
                call: { ...call, model: undefined, signal: undefined },
              }),
            );
            return solve(view, words, call);
          },
        };
      }
      case "recording": {
        const { solve } = solver;
        return {
          ...solver,
          solve(id: string) {
            got.push({ views: [id], words: [] });
            return solve(id);
          },
        };
      }
      case "verifier":
        return {
          ...solver,
          solve(view: SyntheticSolverView, words: readonly Exchange[], draws: Draws) {
            // The one party that is given private text, and openly: its view is what a run is marked synthetic for.
            expect(Object.keys(view).sort()).toEqual(["alternative_sql", "ambiguities", "reference_sql"]);
            got.push(structuredClone({ views: [view], words }));
            return solver.solve(view, words, draws);
          },
        };
    }
  }

  it("are given to the synthetic solvers alone, and they say so", () => {
    const reading = solvers().map(({ name, reads }) => [name, reads]);
    expect(reading).toEqual([
      ["model", "agent"],
      ["replay", "recording"],
      ["reference-when-resolved", "verifier"],
      ["copies-leaked-sql", "verifier"],
    ]);
  });

  it("are in no prompt of a whole run but as the terms of full questions and the responses to them", async () => {
    const suite = openSuite(build);
    for (const asker of ["lexical", "full-adversarial", "none-adversarial"]) {
      const folder = join(temporaryFolder(), "run");
      await evaluate({
        folder,
        suite,
        settings: {
          schema_version: "1.0.0",
          tool: "test",
          suite: { kind: "build", name: "x", hash: suite.hash },
          datasets: [...ALL_DATASETS],
          split: null,
          slice: null,
          limit: null,
          asker,
          oracle: "deterministic",
          solver: "reference-when-resolved",
          synthetic: true,
          seeds: [0],
          conditions: { none: "none", asker, full: "full" },
        },
        solver: solverNamed("reference-when-resolved"),
        sandbox,
        width: 4,
        resume: false,
      });
      const prompts = readFileSync(join(folder, "prompts.jsonl"), "utf8")
        .trimEnd()
        .split("\n")
        .map((line) => JSON.parse(line) as LoggedPrompt);
      expect(new Set(prompts.map(({ sha256 }) => sha256)).size).toBe(prompts.length);
      for (const { role, text } of prompts) {
        const owners = ownersIn(text);
        expect(owners.filter((owner) => role === "context" || !mayBeSaid(owner))).toEqual([]);
      }
      // The scan can see: the full asker's clarifications do hold terms and responses.
      for (const name of ["response", "resolution"]) {
        expect(prompts.some(({ text }) => fieldsIn(text).includes(name))).toBe(true);
      }
    }
  });
});
