import { setMaxListeners } from "node:events";
import { basename, join } from "node:path";
import type { Prediction } from "../../../schemas/types/prediction.js";
import type { Dataset } from "../../../schemas/types/record.js";
import type { RunSettings } from "../../../schemas/types/run.js";
import type { RunSummary } from "../../../schemas/types/summary.js";
import { forEachConcurrently } from "../../engine/concurrent.js";
import { holdExclusively } from "../../engine/exclusive.js";
import { Interrupted } from "../../errors.js";
import { NO_MODEL } from "../../model/no-model.js";
import type { ModelClient } from "../../model/types.js";
import { canonicalLine } from "../../record/schema-order.js";
import type { Suite } from "../../record/suite.js";
import type { SqlEngines } from "../../sql/engines.js";
import type { AnswersClient } from "../answers/client.js";
import { answeredElsewhere } from "../answers/elsewhere.js";
import { type Asker, askerNamed } from "../askers/index.js";
import { type Oracle, oracleNamed } from "../oracles/index.js";
import {
  type Conversation,
  converse,
  converseWith,
  type EpisodeSettings,
  type LogPrompt,
  type OracleTools,
  runEpisode,
} from "../protocol.js";
import type { Solver } from "../solvers/index.js";
import { ExecutionCache } from "../verifier/index.js";
import { claimFolder, jsonFileText, writeWhole } from "./claim.js";
import type { DonorMap } from "./donors.js";
import {
  EPISODE_LINES,
  EPISODES_FILE,
  type LineKind,
  PREDICTION_LINES,
  PREDICTIONS_FILE,
  RunLog,
  readEpisodes,
  readLines,
} from "./log.js";
import { type Planned, type PlanOptions, plan, runDonors } from "./plan.js";
import { predictionOf } from "./prediction.js";
import { type Condition, summariseRun } from "./summary.js";

/** What a run up to the SQL needs. */
export interface PredictOptions {
  /** The run's folder. */
  folder: string;
  suite: Suite;
  settings: RunSettings;
  solver: Solver;
  /** SQLite and PostgreSQL: what runs SQL, and what describes a database to the agent. */
  sandbox: SqlEngines;
  /** The asker under evaluation where its name does not make it: one of the user's own. */
  asker?: Asker;
  /** What makes a dataset's oracle, where the settings' name does not: one with parts of the user's own. */
  oracleOf?: (dataset: Dataset, tools: OracleTools) => Oracle;
  /** Who answers the questions where this side does not hold the oracle zone; `settings.answered_by` names the run. */
  answers?: AnswersClient;
  /** What answers model calls; nothing unless told. */
  model?: ModelClient;
  /** Episodes under way at once. */
  width: number;
  resume: boolean;
  signal?: AbortSignal;
  /** The command that goes on after an interruption. */
  resumeCommand?: string;
  onProgress?: (done: number) => void;
}

/** What a run with verdicts needs: nothing more. */
export type RunOptions = Omit<PredictOptions, "answers">;

/** The asker of each condition: the protocol's own, and the one under evaluation. */
function askersOf({ settings, asker }: PredictOptions): ReadonlyMap<Condition, Asker> {
  const conditions = Object.entries(settings.conditions) as [Condition, string][];
  const own = (name: string): Asker =>
    asker !== undefined && name === settings.asker ? asker : askerNamed(name);
  return new Map(conditions.map(([condition, name]) => [condition, own(name)]));
}

/** Keeps whose specification every record's asker was shown. */
function writeDonors(folder: string, donors: ReadonlyMap<string, DonorMap>): void {
  if (donors.size === 0) return;
  const lines = [...donors.values()].flatMap((map) => map.lines.map((line) => canonicalLine("donor", line)));
  writeWhole(join(folder, "donors.jsonl"), `${lines.join("\n")}\n`);
}

/** What a run makes of each planned episode, and where it is logged. */
interface Job<Line extends { readonly episode_id: string }> {
  readonly file: string;
  readonly kind: LineKind<Line>;
  /** Which zones of the records it reads: all, those that are here, or what an agent may read alone. */
  readonly zones: NonNullable<PlanOptions["zones"]>;
  work(one: Planned, settings: EpisodeSettings, log: LogPrompt): Promise<Line>;
}

/** The oracle that a run's settings name. */
function settingsOracle(
  { oracle, oracle_sql }: RunSettings,
  dataset: Dataset,
  { model }: OracleTools,
): Oracle {
  const sql = oracle_sql?.[dataset];
  return oracleNamed(oracle, dataset, { model, ...(sql === undefined ? {} : { sql }) });
}

/** The settings of a planned episode. */
function episodeSettings(options: PredictOptions): (one: Planned) => EpisodeSettings {
  const { settings, solver, model = NO_MODEL, signal } = options;
  const askers = askersOf(options);
  const { oracleOf = (dataset, tools) => settingsOracle(settings, dataset, tools) } = options;
  const { deadline_s, schema_tokens } = settings;
  return ({ task, condition, seed }) => ({
    condition,
    seed,
    asker: askers.get(condition)!,
    oracle: (tools) => oracleOf(task.names.dataset as Dataset, tools),
    solver,
    model,
    ...(deadline_s === undefined ? {} : { deadlineMs: deadline_s * 1000 }),
    ...(schema_tokens === undefined ? {} : { schemaTokens: schema_tokens }),
    ...(signal === undefined ? {} : { signal }),
  });
}

/** Runs what is not done yet, up to `width` episodes at once. */
async function runOpen<Line extends { readonly episode_id: string }>(
  options: PredictOptions,
  log: RunLog<Line>,
  { zones, work }: Job<Line>,
): Promise<void> {
  const { suite, settings, folder, sandbox, width, signal, resumeCommand, onProgress } = options;
  const stopWhenTold = (): void => {
    if (signal?.aborted === true) throw new Interrupted(resumeCommand);
  };
  const donors = await runDonors(suite, settings);
  writeDonors(folder, donors);
  // Every episode under way listens to it.
  if (signal !== undefined) setMaxListeners(0, signal);
  const settingsOf = episodeSettings(options);
  let finished = log.done.size;
  const planned = plan(
    { suite, settings, folder, sandbox, zones, done: log.done, onRecord: stopWhenTold },
    donors,
  );
  try {
    await forEachConcurrently(planned, width, async (one) => {
      log.line(await work(one, settingsOf(one), log.prompt));
      finished += 1;
      onProgress?.(finished);
      stopWhenTold();
    });
  } catch (error) {
    // An episode that was stopped between two calls does not know the run's command.
    throw error instanceof Interrupted ? new Interrupted(resumeCommand) : error;
  }
}

/** Claims the run's folder, runs what is open and gives what `end` makes of it. */
async function inFolder<Line extends { readonly episode_id: string }, Result>(
  options: PredictOptions,
  job: Job<Line>,
  end: (path: string) => Promise<Result>,
): Promise<Result> {
  const { folder, settings, resume } = options;
  claimFolder(folder, settings, resume);
  const hold = holdExclusively(join(folder, ".lock"), `the run in ${folder}`);
  try {
    const paths = { lines: join(folder, job.file), prompts: join(folder, "prompts.jsonl") };
    const log = await RunLog.open(paths, job.kind);
    try {
      await runOpen(options, log, job);
    } finally {
      log.close();
    }
    return await end(paths.lines);
  } finally {
    hold.release();
  }
}

/** Summarises a finished run and writes summary.json. */
export async function writeSummary(
  folder: string,
  settings: RunSettings,
  episodes: string,
): Promise<RunSummary> {
  const summary = await summariseRun(basename(folder), settings, readEpisodes(episodes));
  writeWhole(join(folder, "summary.json"), jsonFileText("summary", summary));
  return summary;
}

/**
 * Runs every episode of a run that is not done yet, and writes the summary. An episode is a line that is written when it
 * is whole: a killed run loses what was under way, repeats it on resume, and neither loses nor doubles another.
 *
 * @throws Interrupted when the signal fires; what was finished is on disk
 */
export function evaluate(options: RunOptions): Promise<RunSummary> {
  const { folder, settings, sandbox } = options;
  const executions = new ExecutionCache(sandbox);
  return inFolder(
    options,
    {
      file: EPISODES_FILE,
      kind: EPISODE_LINES,
      zones: "all",
      work: ({ task }, episode, log) => runEpisode(task, episode, executions, log),
    },
    (path) => writeSummary(folder, settings, path),
  );
}

/** One episode up to its SQL, whoever answers; and whether its ambiguities were counted. */
async function predictOne(
  { answers, settings }: PredictOptions,
  { task, condition, seed }: Planned,
  episode: EpisodeSettings,
  log: LogPrompt,
): Promise<Prediction> {
  const { asker, signal } = episode;
  // Who never asks needs nobody to answer.
  if (answers === undefined || condition === "none" || asker.name === "none") {
    const conversation: Conversation = await converse(task, episode, log);
    return predictionOf(conversation, task.oracleHidden !== true);
  }
  const { run } = settings.answered_by ?? {};
  if (run === undefined) throw new Error("a run that is answered elsewhere must have a name there");
  const { record_id } = task.names;
  return predictionOf(
    await converseWith(task, episode, log, (call) =>
      answeredElsewhere(answers, { run, record_id, condition, seed }, signal, call.signal),
    ),
    true,
  );
}

/**
 * Runs every episode up to its SQL, for whoever holds the answers to score (`scorePredictions`). Needs no verifier zone;
 * where the oracle zone is not here either, the settings may hold asking conditions only with `answers`, a service of
 * whoever holds it.
 *
 * @returns how many predictions the folder holds
 */
export function predict(options: PredictOptions): Promise<number> {
  return inFolder(
    options,
    {
      file: PREDICTIONS_FILE,
      kind: PREDICTION_LINES,
      // With a service, what this side may happen to hold is not read at all.
      zones: options.answers === undefined ? "here" : "public",
      work: (one, episode, log) => predictOne(options, one, episode, log),
    },
    async (path) => {
      let count = 0;
      for await (const _ of readLines<Prediction>(path)) count += 1;
      return count;
    },
  );
}
