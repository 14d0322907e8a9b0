import type { Command } from "commander";
import { UserError } from "../pipelines/errors.js";
import type { AnswersClient } from "../pipelines/evaluation/answers/client.js";
import { SPEC_RANDOMIZED } from "../pipelines/evaluation/askers/index.js";
import { full, fullAdversarial } from "../pipelines/evaluation/askers/scripted.js";
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

/** Askers that are told the terms of a record's ambiguities. */
const TOLD_TERMS: ReadonlySet<string> = new Set([full.name, fullAdversarial.name]);

/** The conditions that a service answers: the full one where its holder allows it, for it tells all terms. */
function servedConditions(asker: string, { address, card }: AnswersClient): RunSettings["conditions"] {
  if (asker.startsWith(SPEC_RANDOMIZED)) {
    throw new UserError(`the asker ${asker} needs the oracle zone, by whose terms its donors are drawn`, {
      remedy: "evaluate it where the whole release is",
    });
  }
  if (TOLD_TERMS.has(asker) && !card.full) {
    throw new UserError(`the asker ${asker} must be told the terms, which ${address} does not tell`, {
      remedy: "its holder may start it with --allow-full",
    });
  }
  return { none: "none", asker, ...(card.full ? { full: "full" } : {}) };
}

/**
 * All three conditions where the oracle zone is here to answer; without it only the one that asks nothing, or those that
 * an answering service answers.
 */
function conditionsOf(
  suite: Suite,
  { asker, solver }: Parties,
  answers: AnswersClient | undefined,
): RunSettings["conditions"] {
  const lacks = (zone: "oracle" | "verifier"): boolean =>
    suite.datasets.some(({ zones }) => !zones.includes(zone));
  if (solver.reads === "verifier" && (answers !== undefined || lacks("verifier"))) {
    throw new UserError(
      `the solver ${solver.name} reads the verifier zone, ${answers === undefined ? `which ${suite.name} does not hold` : "and predictions that others answer are made of what is public"}`,
      {
        remedy: "predict with a solver that reads what is public",
      },
    );
  }
  if (answers !== undefined) return servedConditions(asker.name, answers);
  if (!lacks("oracle")) return { none: "none", asker: asker.name, full: "full" };
  if (asker.name === "none") return { none: "none" };
  throw new UserError(
    `${suite.name} does not hold the oracle zone, so nobody can answer the asker ${asker.name}`,
    {
      remedy:
        "name a service of whoever holds it with --oracle http://HOST:PORT, or predict with --asker none",
    },
  );
}

async function run(
  prepared: PreparedRun,
  options: RunCommandOptions,
): Promise<{ folder: string; predictions: number }> {
  const { suite, parties, answers, settings, folder, resumeCommand, jobs, width } = prepared;
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
              ...(answers === undefined ? {} : { answers }),
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
    answers?.close();
    await sandbox.close();
  }
}

export function register(program: Command): void {
  withRunOptions(
    program
      .command("predict")
      .description("run episodes up to their SQL on a release whose answers others hold, for ambitab score"),
    "predictions",
  ).action(async (path: string, options: RunCommandOptions) => {
    const prepared = await prepareRun("predict", path, options, conditionsOf);
    if (options.dryRun === true && prepared.answers !== undefined) {
      prepared.answers.close();
      throw new UserError("how much there is to ask is known to whoever holds the oracle zone alone", {
        remedy: "leave out --dry-run, or --oracle",
      });
    }
    if (options.dryRun === true) {
      await forecastRun(prepared, options);
      return;
    }
    const result = await run(prepared, options);
    // A deterministic oracle is asked again; what models have answered the holder's log alone can tell.
    const log = prepared.answers === undefined ? "" : " --answers FILE";
    if (options.json) print(JSON.stringify(result, null, 2));
    else
      print(`${result.predictions.toLocaleString("en-US")} predictions in ${result.folder}; score them with:
  ambitab score ${result.folder} --release DIR${log}`);
  });
}
