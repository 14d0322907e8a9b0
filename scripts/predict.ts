import type { Command } from "commander";
import { UserError } from "../pipelines/errors.js";
import { predict } from "../pipelines/evaluation/run/index.js";
import type { Parties } from "../pipelines/evaluation/run/parties.js";
import type { Suite } from "../pipelines/record/suite.js";
import { openSqlEngines } from "../pipelines/sql/engines.js";
import type { RunSettings } from "../schemas/types/run.js";
import { callsText } from "./eval.js";
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

/**
 * All three conditions where the oracle zone is here to answer; without it nobody can answer a question, and only the
 * condition that asks none is run.
 */
function conditionsOf(suite: Suite, { asker, solver }: Parties): RunSettings["conditions"] {
  const lacks = (zone: "oracle" | "verifier"): boolean =>
    suite.datasets.some(({ zones }) => !zones.includes(zone));
  if (solver.reads === "verifier" && lacks("verifier")) {
    throw new UserError(
      `the solver ${solver.name} reads the verifier zone, which ${suite.name} does not hold`,
      {
        remedy: "predict with a solver that reads what is public",
      },
    );
  }
  if (!lacks("oracle")) return { none: "none", asker: asker.name, full: "full" };
  if (asker.name === "none") return { none: "none" };
  throw new UserError(
    `${suite.name} does not hold the oracle zone, so nobody can answer the asker ${asker.name}`,
    {
      remedy: "predict with --asker none, or on a release that leaves out the verifier zone alone",
    },
  );
}

async function run(
  prepared: PreparedRun,
  options: RunCommandOptions,
): Promise<{ folder: string; predictions: number }> {
  const { suite, parties, settings, folder, resumeCommand, jobs, width } = prepared;
  const { asker, solver, oracleOf, roles } = parties;
  // Predictions run no SQL; PostgreSQL's databases are described by their own server.
  const sandbox = openSqlEngines({ children: jobs });
  try {
    const predictions = await interruptible((signal) =>
      withModels(roles, options, (model, client) =>
        withProgress(
          `predicting ${settings.datasets.join(", ")}`,
          options.quiet,
          (report) =>
            predict({
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
          (count) => `${count.toLocaleString("en-US")} predictions in ${folder}${callsText(client)}`,
        ),
      ),
    );
    return { folder, predictions };
  } finally {
    await sandbox.close();
  }
}

export function register(program: Command): void {
  withRunOptions(
    program
      .command("predict")
      .description("run episodes up to their SQL on a release whose answers others hold, for ambitab score"),
  ).action(async (path: string, options: RunCommandOptions) => {
    const prepared = await prepareRun("predict", path, options, conditionsOf);
    if (options.dryRun === true) {
      await forecastRun(prepared, options);
      return;
    }
    const result = await run(prepared, options);
    if (options.json) print(JSON.stringify(result, null, 2));
    else
      print(`${result.predictions.toLocaleString("en-US")} predictions in ${result.folder}; score them with:
  ambitab score ${result.folder} --release DIR`);
  });
}
