import { basename, join } from "node:path";
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
import type { SqliteSandbox } from "../../sql/index.js";
import { type Asker, askerNamed } from "../askers/index.js";
import { type Oracle, oracleNamed } from "../oracles/index.js";
import { type OracleCall, runEpisode } from "../protocol.js";
import type { Solver } from "../solvers/index.js";
import { ExecutionCache } from "../verifier/index.js";
import { claimFolder, jsonFileText, writeWhole } from "./claim.js";
import type { DonorMap } from "./donors.js";
import { RunLog, readEpisodes } from "./log.js";
import { type Planned, plan, runDonors } from "./plan.js";
import { type Condition, summariseRun } from "./summary.js";

export interface RunOptions {
  /** The run's folder. */
  folder: string;
  suite: Suite;
  settings: RunSettings;
  solver: Solver;
  /** The asker under evaluation where its name does not make it: one of the user's own. */
  asker?: Asker;
  /** What makes a dataset's oracle, where the settings' name does not: one with parts of the user's own. */
  oracleOf?: (dataset: Dataset, call: OracleCall) => Oracle;
  /** What answers model calls; nothing unless told. */
  model?: ModelClient;
  sandbox: SqliteSandbox;
  /** Episodes under way at once. */
  width: number;
  resume: boolean;
  signal?: AbortSignal;
  /** The command that goes on after an interruption. */
  resumeCommand?: string;
  onProgress?: (done: number) => void;
}

/** The asker of each condition: the protocol's own, and the one under evaluation. */
function askersOf({ settings, asker }: RunOptions): ReadonlyMap<Condition, Asker> {
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

/** How one planned episode is run and logged. */
function episodeRunner(options: RunOptions, log: RunLog): (one: Planned) => Promise<void> {
  const { settings, solver, model = NO_MODEL, sandbox, oracleOf } = options;
  const askers = askersOf(options);
  const executions = new ExecutionCache(sandbox);
  const makeOracle = oracleOf ?? ((dataset: Dataset) => oracleNamed(settings.oracle, dataset));
  const { deadline_s, schema_tokens } = settings;
  return async ({ task, condition, seed }) => {
    const episode = await runEpisode(
      task,
      {
        condition,
        seed,
        asker: askers.get(condition)!,
        oracle: (call) => makeOracle(task.names.dataset as Dataset, call),
        solver,
        model,
        ...(deadline_s === undefined ? {} : { deadlineMs: deadline_s * 1000 }),
        ...(schema_tokens === undefined ? {} : { schemaTokens: schema_tokens }),
      },
      executions,
      log.prompt,
    );
    log.episode(episode);
  };
}

/** Runs what is not done yet, up to `width` episodes at once. */
async function runOpen(
  options: RunOptions,
  log: RunLog,
  donors: ReadonlyMap<string, DonorMap>,
): Promise<void> {
  const { suite, settings, folder, width, signal, resumeCommand, onProgress } = options;
  const stopWhenTold = (): void => {
    if (signal?.aborted === true) throw new Interrupted(resumeCommand);
  };
  const run = episodeRunner(options, log);
  let finished = log.done.size;
  const planned = plan({ suite, settings, folder, done: log.done, onRecord: stopWhenTold }, donors);
  await forEachConcurrently(planned, width, async (one) => {
    await run(one);
    finished += 1;
    onProgress?.(finished);
    stopWhenTold();
  });
}

/**
 * Runs every episode of a run that is not done yet, and writes the summary. An episode is a line that is written when it
 * is whole: a killed run loses what was under way, repeats it on resume, and neither loses nor doubles another.
 *
 * @throws Interrupted when the signal fires; what was finished is on disk
 */
export async function evaluate(options: RunOptions): Promise<RunSummary> {
  const { folder, suite, settings, resume } = options;
  claimFolder(folder, settings, resume);
  const hold = holdExclusively(join(folder, ".lock"), `the run in ${folder}`);
  try {
    const paths = { episodes: join(folder, "episodes.jsonl"), prompts: join(folder, "prompts.jsonl") };
    const donors = await runDonors(suite, settings);
    writeDonors(folder, donors);
    const log = await RunLog.open(paths);
    try {
      await runOpen(options, log, donors);
    } finally {
      log.close();
    }
    const summary = await summariseRun(basename(folder), settings, readEpisodes(paths.episodes));
    writeWhole(join(folder, "summary.json"), jsonFileText("summary", summary));
    return summary;
  } finally {
    hold.release();
  }
}
