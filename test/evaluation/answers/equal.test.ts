/** Hidden answers: what is predicted on public files and asked of a service scores as an evaluation of the whole does. */
import { cpSync, existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { AnswersClient } from "../../../pipelines/evaluation/answers/client.js";
import { AnswerLog } from "../../../pipelines/evaluation/answers/log.js";
import { evaluate, predict } from "../../../pipelines/evaluation/run/index.js";
import { openParties } from "../../../pipelines/evaluation/run/parties.js";
import { runScope } from "../../../pipelines/evaluation/run/scope.js";
import { type ScoreOptions, scorePredictions } from "../../../pipelines/evaluation/run/score.js";
import {
  configureModels,
  type Models,
  type OpenModelClient,
  openModelClient,
} from "../../../pipelines/model/index.js";
import { schemaFaults } from "../../../pipelines/record/check-schema.js";
import { openSuite, type Suite } from "../../../pipelines/record/suite.js";
import { openSqlEngines, type SqlEngines } from "../../../pipelines/sql/engines.js";
import type { EpisodeRecord } from "../../../schemas/types/episode.js";
import type { Prediction } from "../../../schemas/types/prediction.js";
import type { Dataset } from "../../../schemas/types/record.js";
import type { RunSettings } from "../../../schemas/types/run.js";
import type { RunSummary } from "../../../schemas/types/summary.js";
import { type ModelServer, startModelServer } from "../../model/model-server.mjs";
import { buildSample, recordsOf, temporaryFolder, writeSample } from "../../release/sample.js";
import { type Holder, ownAsker, ownSolver, startHolder } from "./holder.js";

/** An intent oracle and a knowledge oracle, on SQLite. */
const DATASETS: readonly Dataset[] = ["ambiqt", "ew-bird"];
/** An intent oracle on PostgreSQL, whose server only its own test waits for. */
const ON_POSTGRES: readonly Dataset[] = ["bird-interact"];
const SCOPE = { seeds: [0, 1], limit: 5 };

let out = "";
/** What each side works on: the holder's has all zones. */
interface Sides {
  readonly whole: Suite;
  readonly open: Suite;
}
let released: Sides;
let onPostgres: Sides;
let asker = "";
let solver = "";
let sandbox: SqlEngines;
const closing: (() => Promise<void>)[] = [];

/** A release of samples, and the same with its private folders left out. */
async function sidesIn(home: string, datasets: readonly Dataset[]): Promise<Sides> {
  await buildSample(home, datasets);
  const { folder } = await writeSample(home, "1.0.0");
  const { folder: open } = await writeSample(home, "1.0.1", { publicOnly: true });
  expect(existsSync(join(open, "oracle"))).toBe(false);
  return { whole: openSuite(folder), open: openSuite(open) };
}

beforeAll(async () => {
  out = temporaryFolder();
  released = await sidesIn(out, DATASETS);
  onPostgres = await sidesIn(temporaryFolder(), ON_POSTGRES);
  const records = [...(await recordsOf(released.whole.path)), ...(await recordsOf(onPostgres.whole.path))];
  asker = ownAsker(out);
  solver = ownSolver(out, records);
  sandbox = openSqlEngines({ children: 2 });
}, 240_000);
afterAll(async () => {
  for (const close of closing.splice(0)) await close();
  await sandbox.close();
});

let runs = 0;
/** A fresh place for a run, whose own name is always the same. */
const place = (): string => {
  runs += 1;
  return join(out, `place-${runs}`, "run");
};
const textOf = (folder: string): string => readFileSync(join(folder, "summary.json"), "utf8");
const linesOf = <T>(path: string): T[] =>
  readFileSync(path, "utf8")
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line) as T);
const predictionsIn = (folder: string): Prediction[] => linesOf(join(folder, "predictions.jsonl"));
const episodesIn = (folder: string): string[] =>
  linesOf<EpisodeRecord>(join(folder, "episodes.jsonl"))
    .map(({ timings_ms: _, prompts: __, ...one }) => JSON.stringify(one))
    .sort();

interface Choice {
  readonly oracle?: string;
  readonly model?: OpenModelClient;
  readonly models?: RunSettings["models"];
  readonly datasets?: readonly Dataset[];
}

const sidesOf = ({ datasets = DATASETS }: Choice): Sides =>
  datasets === ON_POSTGRES ? onPostgres : released;

/** The parties as a command line names them, and the settings of a run on a suite. */
async function prepared(suite: Suite, { oracle = "deterministic", datasets = DATASETS, models }: Choice) {
  const parties = await openParties({ asker, oracle, solver }, datasets);
  const settings: RunSettings = {
    ...runScope(suite, { ...SCOPE, datasets: [...datasets] }),
    ...parties.settings,
    ...(models === undefined ? {} : { models }),
    conditions: { none: "none", asker: parties.asker.name, full: "full" },
  };
  return { ...parties, settings };
}

async function evaluated(choice: Choice): Promise<string> {
  const folder = place();
  const { whole } = sidesOf(choice);
  const { settings, roles: _, waits: __, ...parties } = await prepared(whole, choice);
  const model = choice.model === undefined ? {} : { model: choice.model };
  await evaluate({ ...parties, ...model, folder, suite: whole, settings, sandbox, width: 4, resume: false });
  return folder;
}

async function predicted(holder: Holder, choice: Choice): Promise<string> {
  const folder = place();
  const { open } = sidesOf(choice);
  const answers = await AnswersClient.connect(holder.address);
  answers.assertAnswers(open, choice.datasets ?? DATASETS);
  const { settings, roles: _, waits: __, ...parties } = await prepared(open, choice);
  const { full: _full, ...asking } = settings.conditions;
  const served: RunSettings = {
    ...settings,
    conditions: answers.card.full ? settings.conditions : asking,
    answered_by: { run: `run-${runs}` },
  };
  await predict({
    ...parties,
    answers,
    folder,
    suite: open,
    settings: served,
    sandbox,
    width: 4,
    resume: false,
  });
  answers.close();
  return folder;
}

const scored = async (predictions: string, more: Partial<ScoreOptions> = {}): Promise<string> => {
  const folder = place();
  await scorePredictions({ predictions, suite: released.whole, folder, sandbox, width: 4, ...more });
  return folder;
};

async function holderOf(choice: Choice & { full?: boolean; log?: string }): Promise<Holder> {
  const { oracle = "deterministic", model, models, full = false, log = `${place()}.sqlite` } = choice;
  const { whole } = sidesOf(choice);
  const { settings } = await prepared(whole, choice);
  const holder = await startHolder({
    suite: whole,
    log,
    oracle,
    full,
    ...(settings.oracle_sql === undefined ? {} : { sql: settings.oracle_sql }),
    ...(model === undefined ? {} : { model }),
    ...(models === undefined ? {} : { models }),
  });
  closing.push(() => holder.close());
  return holder;
}

const altered = (predictions: string, change: (lines: Prediction[]) => void): string => {
  const folder = place();
  cpSync(predictions, folder, { recursive: true });
  const lines = predictionsIn(folder);
  change(lines);
  writeFileSync(
    join(folder, "predictions.jsonl"),
    `${lines.map((line) => JSON.stringify(line)).join("\n")}\n`,
  );
  return folder;
};
const refusal = async (predictions: string, more: Partial<ScoreOptions> = {}): Promise<string> => {
  const error: unknown = await scored(predictions, more).catch((caught: unknown) => caught);
  return error instanceof Error ? `${error.name}: ${error.message}` : "nothing was refused";
};

describe("with the deterministic oracle, on PostgreSQL", () => {
  it("the summary is the evaluation's to the byte, and so is every episode", async () => {
    const choice: Choice = { datasets: ON_POSTGRES };
    const holder = await holderOf({ ...choice, full: true });
    const predictions = await predicted(holder, choice);
    expect(JSON.stringify(predictionsIn(predictions))).not.toContain("live_credits");
    const [folder, other] = [await scored(predictions, { suite: onPostgres.whole }), await evaluated(choice)];
    expect(textOf(folder)).toBe(textOf(other));
    expect(episodesIn(folder)).toEqual(episodesIn(other));
    const { asker: own, full } = (JSON.parse(textOf(folder)) as RunSummary).datasets["bird-interact"]!;
    expect(own.recall.mean).toBeGreaterThan(0);
    expect(full.recall.mean).toBe(1);
  }, 120_000);
});

describe("with the deterministic oracles", () => {
  let whole3 = "";
  let predictions = "";
  let holder: Holder;
  beforeAll(async () => {
    holder = await holderOf({ full: true });
    whole3 = await evaluated({});
    predictions = await predicted(holder, {});
  }, 120_000);

  it("the summary is the evaluation's to the byte, and so is every episode", async () => {
    const folder = await scored(predictions);
    expect(textOf(folder)).toBe(textOf(whole3));
    expect(episodesIn(folder)).toEqual(episodesIn(whole3));
    const { datasets } = JSON.parse(textOf(folder)) as RunSummary;
    expect(Object.keys(datasets).sort()).toEqual([...DATASETS].sort());
    for (const dataset of DATASETS) {
      const { asker: own, full, none } = datasets[dataset]!;
      // Something was asked, and right in part; answers changed what was solved.
      expect(own.recall.mean).toBeGreaterThan(0);
      expect(own.precision.mean).toBeLessThan(1);
      expect(full.recall.mean).toBe(1);
      expect(none.recall.mean).toBe(0);
    }
    expect(datasets.ambiqt!.full.sr.mean).toBe(1);
    expect(datasets.ambiqt!.none.sr.mean).toBe(0);
  }, 120_000);

  it("predictions hold words alone, and the service's log holds the rest", async () => {
    const lines = predictionsIn(predictions);
    expect(lines.flatMap((line) => schemaFaults("prediction", line))).toEqual([]);
    const asked = lines.flatMap(({ turns }) => turns);
    expect(asked.length).toBeGreaterThan(20);
    for (const turn of asked) expect(Object.keys(turn)).toEqual(["question", "response"]);
    const { questions, runs: logged } = holder.log.counts();
    expect({ questions, logged }).toEqual({ questions: asked.length, logged: 1 });
    const line = lines.find(({ condition, turns }) => condition === "full" && turns.length > 0)!;
    const { answered_by } = JSON.parse(readFileSync(join(predictions, "run.json"), "utf8")) as RunSettings;
    const known = holder.log.of({ ...answered_by!, ...line, condition: "full" });
    expect(known.length).toBe(line.turns.length);
    expect(known.flatMap((one) => schemaFaults("answer", one))).toEqual([]);
    expect(known[0]!.live_credits).toHaveLength(1);
    // With the log the same numbers come out.
    const log = AnswerLog.read(holder.log.path);
    expect(textOf(await scored(predictions, { answers: log }))).toBe(textOf(whole3));
    log.close();
  }, 120_000);

  it("a forged answer, question, order or omission is named by its place, and nothing is scored", async () => {
    const asking = (lines: Prediction[]): Prediction =>
      lines.find(({ condition, turns }) => condition === "asker" && turns.length > 1)!;
    const forged = altered(predictions, (lines) => {
      for (const line of lines.filter(({ turns }) => turns.length > 0).slice(0, 2))
        line.turns[0]!.response = "Use SELECT 1.";
    });
    expect(await refusal(forged)).toMatch(
      /^UserError: 2 episodes are not what was said[\s\S]*question 1: the recorded answer is not the oracle's/,
    );
    const swapped = altered(predictions, (lines) => {
      const { turns } = lines.find(
        ({ condition, turns: [one, two] }) => condition === "asker" && two && one?.response !== two.response,
      )!;
      [turns[0]!.question, turns[1]!.question] = [turns[1]!.question, turns[0]!.question];
    });
    expect(await refusal(swapped)).toMatch(/question 1: the recorded answer is not the oracle's/);
    const claims = altered(predictions, (lines) => {
      asking(lines).turns[0]!.live_credits = ["everything"];
    });
    expect(await refusal(claims)).toMatch(/question 1: the recorded answer/);
    const tooMany = altered(predictions, (lines) => {
      const line = asking(lines);
      line.turns = Array.from({ length: 30 }, () => line.turns[0]!);
    });
    expect(await refusal(tooMany)).toMatch(/its budget is \d+ questions/);
    const lazy = altered(predictions, (lines) => {
      lines.find(({ condition, turns }) => condition === "full" && turns.length > 0)!.turns = [];
    });
    expect(await refusal(lazy)).toMatch(/question 1: the asker full asks on/);
    const excused = altered(predictions, (lines) => {
      Object.assign(asking(lines), { stop: "oracle", outcome: "model_error", sql: null });
    });
    expect(await refusal(excused)).toMatch(/it says that the oracle failed/);
    const easier = altered(predictions, () => undefined);
    const settingsFile = join(easier, "run.json");
    const text = readFileSync(settingsFile, "utf8");
    writeFileSync(settingsFile, text.replace(/"full": "full"/, '"full": "none"'));
    expect(await refusal(easier)).toMatch(/conditions are not those of an evaluation/);
    const renamed = altered(predictions, (lines) => {
      asking(lines).asker = "full";
    });
    expect(await refusal(renamed)).toMatch(/its asker is full/);
  }, 120_000);

  it("a question that was asked and left out is seen where the log is given", async () => {
    const log = AnswerLog.read(holder.log.path);
    const shorter = altered(predictions, (lines) => {
      const line = lines.find(({ condition, turns }) => condition === "asker" && turns.length > 1)!;
      line.turns = line.turns.slice(0, 1);
    });
    expect(await refusal(shorter, { answers: log })).toMatch(
      /question 2: the log holds a question that the prediction leaves out/,
    );
    log.close();
  });
});

describe("where the holder does not allow the full condition", () => {
  it("it is absent, and the other two are the evaluation's", async () => {
    const choice: Choice = { datasets: ["ambiqt"] };
    const holder = await holderOf({});
    const predictions = await predicted(holder, choice);
    expect(new Set(predictionsIn(predictions).map(({ condition }) => condition))).toEqual(
      new Set(["none", "asker"]),
    );
    const [a, b] = [await scored(predictions), await evaluated(choice)].map(
      (folder) => (JSON.parse(textOf(folder)) as RunSummary).datasets.ambiqt!,
    );
    expect([a!.none, a!.asker, a!.asking_gain]).toEqual([b!.none, b!.asker, b!.asking_gain]);
    expect(a!.full.sr).toMatchObject({ mean: null, n: 0 });
  }, 120_000);
});

describe("with an oracle on models", () => {
  const choice = { oracle: "llm", datasets: ["ambiqt", "ew-bird"] } as const;
  let server: ModelServer;
  let models: Models;
  let predictions = "";
  let holder: Holder;
  const clientOf = async (home: string): Promise<OpenModelClient> => {
    const client = await openModelClient({ models, out: join(out, home) });
    closing.push(() => client.close());
    return client;
  };
  let settings: RunSettings["models"];
  beforeAll(async () => {
    server = await startModelServer({
      rules: [
        {
          role: "oracle",
          answer: ({ prompt }) => {
            // A reply that cannot be read, now and then, and a prompt that does not fit.
            if (prompt.length % 5 === 0 || prompt.includes("could not be read")) return "no JSON at all";
            if (prompt.length % 7 === 0) return { fault: "context-overflow" };
            const term = /"term":("(?:[^"\\]|\\.)*")/.exec(prompt)?.[1] ?? '""';
            if (!prompt.includes("## Chosen action"))
              return JSON.stringify({
                action: prompt.length % 3 === 0 ? "unanswerable()" : `labeled(${term})`,
                cot: "so",
              });
            return JSON.stringify({ type: "labeled", output: `It is about ${prompt.length} things.` });
          },
        },
      ],
    });
    closing.push(() => server.close());
    models = configureModels({ endpoints: { local: { base_url: server.url } } });
    const { decoding, endpoint } = models.roles.oracle;
    settings = {
      oracle: { ...decoding, context_tokens: endpoint.context_tokens, price: { prompt: 2, completion: 6 } },
    };
    holder = await holderOf({ ...choice, full: true, model: await clientOf("holder"), models: settings });
    predictions = await predicted(holder, choice);
  }, 120_000);

  it("the numbers, tokens and costs are the evaluation's, with the log", async () => {
    const log = AnswerLog.read(holder.log.path);
    const folder = await scored(predictions, { answers: log });
    log.close();
    const other = await evaluated({ ...choice, model: await clientOf("evaluator"), models: settings! });
    expect(textOf(folder)).toBe(textOf(other));
    expect(episodesIn(folder)).toEqual(episodesIn(other));
    const { usage } = JSON.parse(textOf(folder)) as RunSummary;
    expect(usage?.oracle?.calls).toBeGreaterThan(20);
    expect(usage?.oracle?.cost).toBeGreaterThan(0);
    const episodes = linesOf<EpisodeRecord>(join(folder, "episodes.jsonl"));
    expect(episodes.some(({ stop, verdict }) => stop === "oracle" && verdict === "context_overflow")).toBe(
      true,
    );
    expect(episodes.some(({ turns }) => turns.some(({ fallback }) => fallback !== undefined))).toBe(true);
  }, 120_000);

  it("nothing is scored without the log, nor what it does not hold", async () => {
    expect(await refusal(predictions)).toMatch(/what the oracle llm has answered cannot be asked again/);
    expect(await refusal(predictions, { trustTranscripts: true })).toMatch(/cannot be asked again/);
    const log = AnswerLog.read(holder.log.path);
    const invented = altered(predictions, (lines) => {
      lines.find(({ condition, turns }) => condition === "asker" && turns.length > 0)!.turns[0]!.question =
        "And?";
    });
    expect(await refusal(invented, { answers: log })).toMatch(/question 1: the log holds another question/);
    const other = altered(predictions, () => undefined);
    const settingsFile = join(other, "run.json");
    const text = readFileSync(settingsFile, "utf8");
    writeFileSync(settingsFile, text.replace(/"run": "run-\d+"/, '"run": "run-0"'));
    expect(await refusal(other, { answers: log })).toMatch(/question 1: the log does not hold it/);
    const worded = altered(predictions, (lines) => {
      lines.find(({ turns }) => turns.length > 0)!.turns[0]!.response += " And more.";
    });
    expect(await refusal(worded, { answers: log })).toMatch(/question 1: the log holds another answer/);
    const excused = altered(predictions, (lines) => {
      Object.assign(lines[0]!, { stop: "oracle", outcome: "model_error", sql: null });
    });
    expect(await refusal(excused, { answers: log })).toMatch(/the log does not say that the oracle failed/);
    const another = await holderOf({});
    const wrong = AnswerLog.read(another.log.path);
    expect(await refusal(predictions, { answers: wrong })).toMatch(/is of the oracle deterministic/);
    wrong.close();
    log.close();
  }, 120_000);
});
