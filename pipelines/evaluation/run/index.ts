import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import type { Dataset } from "../../../schemas/types/record.js";
import type { RunSettings } from "../../../schemas/types/run.js";
import type { RunSummary } from "../../../schemas/types/summary.js";
import { holdExclusively } from "../../engine/exclusive.js";
import { mapOrdered } from "../../engine/ordered.js";
import { Interrupted, UserError } from "../../errors.js";
import { canonicalLine } from "../../record/schema-order.js";
import type { Suite } from "../../record/suite.js";
import type { SqlEngines } from "../../sql/engines.js";
import { SchemaCache } from "../agent-context.js";
import { type Asker, askerNamed } from "../askers/index.js";
import { oracleNamed } from "../oracles/index.js";
import { episodeId, runEpisode } from "../protocol.js";
import type { Solver } from "../solvers/index.js";
import { type Task, taskOf } from "../task.js";
import { ExecutionCache } from "../verifier/index.js";
import { RunLog, readEpisodes } from "./log.js";
import { CONDITIONS, type Condition, ranConditions, summariseRun } from "./summary.js";

export interface RunOptions {
  /** The run's folder. */
  folder: string;
  suite: Suite;
  settings: RunSettings;
  solver: Solver;
  sandbox: SqlEngines;
  /** Episodes under way at once. */
  width: number;
  resume: boolean;
  signal?: AbortSignal;
  /** The command that goes on after an interruption. */
  resumeCommand?: string;
  onProgress?: (done: number) => void;
}

/** One episode to run. */
interface Planned {
  task: Task;
  condition: Condition;
  seed: number;
}

const settingsText = (settings: RunSettings): string =>
  `${JSON.stringify(JSON.parse(canonicalLine("run", settings)), null, 2)}\n`;

/** What a run is resumed under must be what it was started under; how a suite's path was typed does not matter. */
function changedSettings(path: string, settings: RunSettings): string[] {
  let old: Record<string, unknown>;
  try {
    old = JSON.parse(readFileSync(path, "utf8")) as Record<string, unknown>;
  } catch (cause) {
    throw new UserError(`${path} cannot be read`, { remedy: "name another folder with --run", cause });
  }
  const { hash } = { ...(old.suite as object | undefined) } as { hash?: unknown };
  // As it would be written, for the order of keys is the writer's.
  const now = JSON.parse(settingsText(settings)) as Record<string, unknown>;
  return [...new Set([...Object.keys(old), ...Object.keys(now)])].filter((key) =>
    key === "suite" ? hash !== settings.suite.hash : JSON.stringify(old[key]) !== JSON.stringify(now[key]),
  );
}

/** Writes run.json, or checks that it is the same run that is being resumed. */
function claimFolder({ folder, settings, resume }: RunOptions): void {
  const path = join(folder, "run.json");
  const text = settingsText(settings);
  if (!existsSync(path)) {
    mkdirSync(folder, { recursive: true });
    writeFileSync(`${path}.partial`, text);
    renameSync(`${path}.partial`, path);
    return;
  }
  if (!resume) {
    throw new UserError(`there is a run in ${folder} already`, {
      remedy: "add --resume to go on with it, or name another folder with --run",
    });
  }
  const changed = changedSettings(path, settings);
  if (changed.length === 0) return;
  throw new UserError(`the run in ${folder} was started with other settings (${changed.join(", ")})`, {
    remedy: "resume it with the settings of its run.json, or name another folder with --run",
  });
}

/** Every episode of the run that is not done, record by record: a record's conditions and seeds stand together. */
async function* plan(
  options: RunOptions,
  done: ReadonlySet<string>,
  schemas: SchemaCache,
): AsyncGenerator<Planned> {
  const { suite, settings, folder, sandbox, signal, resumeCommand } = options;
  const ran = ranConditions(settings.conditions);
  const conditions = CONDITIONS.filter((condition) => ran[condition] === condition);
  for (const dataset of suite.datasets) {
    if (!settings.datasets.includes(dataset.dataset)) continue;
    let taken = 0;
    for await (const { record } of dataset.records()) {
      if (signal?.aborted === true) throw new Interrupted(resumeCommand);
      if (settings.split !== null && record.split !== settings.split) continue;
      if (settings.slice !== null && !record.slices.includes(settings.slice)) continue;
      if (settings.limit !== null && taken >= settings.limit) break;
      taken += 1;
      const open = conditions.flatMap((condition) =>
        settings.seeds
          .filter((seed) => !done.has(episodeId(condition, seed, record.record_id)))
          .map((seed) => ({ condition, seed })),
      );
      if (open.length === 0) continue;
      const { engine, path } = record.public.database;
      if (engine === "postgres") await schemas.prepare(join(dataset.databases, path), sandbox);
      const task = taskOf(record, dataset.databases, schemas, basename(folder));
      for (const one of open) yield { task, ...one };
    }
  }
}

/**
 * Runs every episode of a run that is not done yet, and writes the summary. An episode is a line that is written when it
 * is whole: a killed run loses what was under way, repeats it on resume, and neither loses nor doubles another.
 *
 * @throws Interrupted when the signal fires; what was finished is on disk
 */
export async function evaluate(options: RunOptions): Promise<RunSummary> {
  const { folder, settings, solver, sandbox, width, signal, resumeCommand, onProgress } = options;
  claimFolder(options);
  const hold = holdExclusively(join(folder, ".lock"), `the run in ${folder}`);
  try {
    const paths = { episodes: join(folder, "episodes.jsonl"), prompts: join(folder, "prompts.jsonl") };
    const log = await RunLog.open(paths);
    const askers = new Map<string, Asker>(
      Object.values(settings.conditions).map((name) => [name, askerNamed(name)] as const),
    );
    const executions = new ExecutionCache(sandbox);
    let finished = log.done.size;
    try {
      const episodes = mapOrdered(plan(options, log.done, new SchemaCache()), width, async (one) => {
        const { task, condition, seed } = one;
        const asker = askers.get(settings.conditions[condition]!)!;
        const oracle = oracleNamed(settings.oracle, task.names.dataset as Dataset);
        const episode = await runEpisode(
          task,
          { condition, seed, asker, oracle, solver },
          executions,
          log.prompt,
        );
        log.episode(episode);
      });
      for await (const _ of episodes) {
        finished += 1;
        onProgress?.(finished);
        if (signal?.aborted === true) throw new Interrupted(resumeCommand);
      }
    } finally {
      log.close();
    }
    const summary = await summariseRun(basename(folder), settings, readEpisodes(paths.episodes));
    const text = `${JSON.stringify(JSON.parse(canonicalLine("summary", summary)), null, 2)}\n`;
    writeFileSync(join(folder, "summary.json.partial"), text);
    renameSync(join(folder, "summary.json.partial"), join(folder, "summary.json"));
    return summary;
  } finally {
    hold.release();
  }
}
