import { rmSync } from "node:fs";
import type { Command } from "commander";
import { evaluate } from "../pipelines/evaluation/run/index.js";
import type { OpenModelClient } from "../pipelines/model/index.js";
import { openSqlEngines } from "../pipelines/sql/engines.js";
import type { RunSettings } from "../schemas/types/run.js";
import type { RunSummary } from "../schemas/types/summary.js";
import { reportText } from "./report.js";
import { forecastRun } from "./terminal/forecast.js";
import { interruptible } from "./terminal/interrupt.js";
import { withProgress } from "./terminal/progress.js";
import { withModels } from "./terminal/run-models.js";
import {
  type PreparedRun,
  prepareRun,
  type RunCommandOptions,
  withRunOptions,
} from "./terminal/run-options.js";
import { print } from "./terminal/say.js";

export interface EvalOptions extends RunCommandOptions {
  /** Empties the run's folder first: only the demo, whose run is its own. */
  fresh?: boolean;
}

/** All three conditions of spec 4; one whose asker another one has is run once. */
const prepare = (path: string, options: EvalOptions): Promise<PreparedRun> =>
  prepareRun("eval", path, options, (_, { asker }) => ({ none: "none", asker: asker.name, full: "full" }));

/** "1,234 model calls, 1,000 of them from the store", of what this process did. */
export function callsText(client: OpenModelClient | undefined): string {
  const usage = Object.values(client?.usage() ?? {});
  if (usage.length === 0) return "";
  const sum = (field: "asked" | "stored"): string =>
    usage.reduce((total, one) => total + one[field], 0).toLocaleString("en-US");
  return `, ${sum("asked")} model calls, ${sum("stored")} of them from the store`;
}

/** Runs what is prepared, or what is left of it, and gives its folder, settings and summary. */
export async function runPrepared(
  prepared: PreparedRun,
  options: EvalOptions,
): Promise<{ folder: string; settings: RunSettings; summary: RunSummary }> {
  const { suite, parties, settings, folder, resumeCommand, jobs, width } = prepared;
  const { asker, solver, oracleOf, roles } = parties;
  if (options.fresh === true) rmSync(folder, { recursive: true, force: true });
  const sandbox = openSqlEngines({ children: jobs });
  try {
    const summary = await interruptible((signal) =>
      withModels(roles, options, (model, client) =>
        withProgress(
          `evaluating ${settings.datasets.join(", ")}`,
          options.quiet,
          (report) =>
            evaluate({
              folder,
              suite,
              settings,
              asker,
              solver,
              oracleOf,
              model,
              sandbox,
              width,
              resume: options.resume,
              signal,
              resumeCommand,
              onProgress: (done) => report(`${done.toLocaleString("en-US")} episodes`),
            }),
          ({ datasets: done }) => {
            const episodes = Object.values(done).reduce((sum, one) => sum + one.episodes, 0);
            return `${episodes.toLocaleString("en-US")} episodes in ${folder}${callsText(client)}`;
          },
        ),
      ),
    );
    return { folder, settings, summary };
  } finally {
    await sandbox.close();
  }
}

/** Runs an evaluation and gives its folder, settings and summary. */
export async function runEvaluation(
  path: string,
  options: EvalOptions,
): Promise<{ folder: string; settings: RunSettings; summary: RunSummary }> {
  return runPrepared(await prepare(path, options), options);
}

export function register(program: Command): void {
  withRunOptions(
    program
      .command("eval")
      .description(
        "run ask-then-solve episodes under three conditions (ask nothing, the asker, ask all) and score them",
      ),
  ).action(async (path: string, options: EvalOptions) => {
    const prepared = await prepare(path, options);
    if (options.dryRun === true) {
      await forecastRun(prepared, options);
      return;
    }
    const { folder, settings, summary } = await runPrepared(prepared, options);
    if (options.json) print(JSON.stringify({ folder, ...summary }, null, 2));
    else print(reportText(summary, settings));
  });
}
