import { join } from "node:path";
import type { Command } from "commander";
import { PIPELINES } from "../pipelines/datasets/index.js";
import { UnansweredCall } from "../pipelines/engine/ask-model.js";
import type { Pipeline } from "../pipelines/engine/pipeline.js";
import { type BuildResult, runPipeline } from "../pipelines/engine/run.js";
import { UserError } from "../pipelines/errors.js";
import type { OpenModelClient } from "../pipelines/model/client.js";
import { ensureSource } from "../sources/index.js";
import {
  asksModels,
  type BuildOptions,
  refuseIdleOptions,
  resumeCommand,
  settingsFor,
} from "./terminal/build-options.js";
import { funnelText } from "./terminal/funnel.js";
import { interruptible } from "./terminal/interrupt.js";
import { openModels, withModelOptions } from "./terminal/models.js";
import {
  DEFAULT_SEED,
  replayedPredictions,
  sourceFolder,
  wholeNumber,
  withCommonOptions,
} from "./terminal/options.js";
import { describeProgress, withProgress } from "./terminal/progress.js";
import { print } from "./terminal/say.js";
import { sayUsage } from "./terminal/usage.js";

/** The pipelines that a person asked for; all of them where none is named. */
async function chosenPipelines(names: readonly string[]): Promise<readonly Pipeline[]> {
  const known = PIPELINES.map(({ dataset }) => dataset as string);
  for (const name of names) {
    if (known.includes(name)) continue;
    throw new UserError(`there is no dataset "${name}" to build`, {
      remedy: `datasets: ${known.join(", ")}`,
    });
  }
  const chosen = PIPELINES.filter(({ dataset }) => names.length === 0 || names.includes(dataset));
  return Promise.all(chosen.map((one) => one.load()));
}

/** Where a person keeps reviewed responses of a dataset, which its builds use as they stand. */
const cataloguePath = (out: string, dataset: string): string => join(out, "catalogue", `${dataset}.jsonl`);

/** Said before anything is fetched: a source may be large, and a build without its models would only fail later. */
function noModels(asking: readonly Pipeline[]): UserError {
  const names = asking.map(({ dataset }) => dataset);
  const others = PIPELINES.map(({ dataset }) => dataset).filter((one) => !names.includes(one));
  const predictions = names.includes("ew-bird") ? ", give ew-bird predictions with --probe" : "";
  return new UserError(`${names.join(" and ")} cannot be built without models, and none is configured`, {
    remedy: `give --models FILE, set OPENAI_BASE_URL, replay stored answers with --replay-only${predictions}; or build the others: ambitab build ${others.join(" ")}`,
  });
}

/** Runs work with the model client that the options ask for, if any, and closes it. */
async function withModels<T>(
  pipelines: readonly Pipeline[],
  options: BuildOptions,
  work: (model: OpenModelClient | undefined) => Promise<T>,
): Promise<T> {
  const replayed = (dataset: string): boolean => dataset === "ew-bird" && options.probe !== undefined;
  const asking = pipelines.filter((one) => asksModels(one, options) && !replayed(one.dataset));
  const model =
    asking.length > 0 ? await openModels(options, options.archives, { collectMissing: true }) : undefined;
  if (asking.length > 0 && model === undefined) throw noModels(asking);
  try {
    return await work(model);
  } catch (error) {
    // A replay says how much it lacks, not only what it lacked first.
    if (error instanceof UnansweredCall) model?.assertComplete();
    throw error;
  } finally {
    await model?.close();
    sayUsage(model, options.quiet);
  }
}

/** Builds datasets one after the other and returns what each came to. */
export async function buildDatasets(names: readonly string[], options: BuildOptions): Promise<BuildResult[]> {
  const pipelines = await chosenPipelines(names);
  const sources = new Set<string>(pipelines.map(({ source }) => source));
  for (const source of Object.keys(options.from)) {
    if (!sources.has(source)) {
      const wanted = [...sources].join(", ");
      throw new UserError(`--from names the source "${source}", which this build does not use`, {
        remedy: `its sources: ${wanted}`,
      });
    }
  }
  refuseIdleOptions(pipelines, options);
  return interruptible((signal) =>
    withModels(pipelines, options, async (model) => {
      const results: BuildResult[] = [];
      for (const pipeline of pipelines) {
        const { source } = pipeline;
        const from = options.from[source];
        const { root, lock } = await ensureSource({
          source,
          out: options.out,
          ...(from === undefined ? {} : { from }),
        });
        const settings = await settingsFor(pipeline, options);
        const work = (report: (text: string) => void): Promise<BuildResult> =>
          runPipeline(pipeline, {
            out: options.out,
            root,
            sourceVersion: lock.source_version,
            settings,
            given: {
              catalogue: cataloguePath(options.out, pipeline.dataset),
              ...(settings.probe === undefined || options.probe === undefined
                ? {}
                : { predictions: options.probe }),
            },
            ...(options.jobs === undefined ? {} : { jobs: options.jobs }),
            ...(model === undefined ? {} : { model }),
            signal,
            resume: resumeCommand(names, options),
            onProgress: (progress) => report(describeProgress(progress)),
          });
        const done = (result: BuildResult): string =>
          result.upToDate
            ? `${result.folder} is up to date, ${result.funnel.records} records`
            : `${result.funnel.records} records in ${result.folder} (${result.computed} outcomes computed, ${result.stored} from the store)`;
        const result = await withProgress(`building ${pipeline.dataset}`, options.quiet, work, done);
        if (pipeline.dataset === "bird-interact" && settings.models !== undefined) {
          const { freezeResponses } = await import("../pipelines/datasets/bird-interact/freeze-responses.js");
          await freezeResponses(result.folder, cataloguePath(options.out, pipeline.dataset));
        }
        results.push(result);
      }
      return results;
    }),
  );
}

export function register(program: Command): void {
  const command = program
    .command("build")
    .description(
      "run the datasets' pipelines: records, drops, ledger, funnel, lock and databases under out/build",
    )
    .argument(
      "[dataset...]",
      `what to build (default: all): ${PIPELINES.map(({ dataset }) => dataset).join(", ")}`,
    )
    .option("--from <source=dir>", "use this copy of a source (repeatable)", sourceFolder, {})
    .option("--jobs <n>", "SQL statements at once; changes no byte (default: the processors)", wholeNumber(1))
    .option("--seed <n>", "the build's seed", wholeNumber(0), DEFAULT_SEED)
    .option("--limit <n>", "take the first rows of each source only", wholeNumber(1))
    .option("--keep-going", "build the rest when source rows are bad; they stand in dropped.jsonl", false)
    .option("--strict-readings", "drop requests that name a reading", false)
    .option("--source-release <name>", "which release of BIRD's dev questions, where a folder holds several")
    .option(
      "--probe <replay=without.json,with.json>",
      "predictions without and with the evidence, in BIRD's format, in place of ew-bird's models",
      replayedPredictions,
    )
    .option("--all-regions", "read TACO's other parts, Beijing's among them, beside the US one", false)
    .option(
      "--run-upstream-tests",
      "let BIRD-Interact's own Python tests decide where a task has them; needs python3 with psycopg2",
      false,
    );
  withCommonOptions(withModelOptions(command, { replay: true })).action(
    async (names: string[], options: BuildOptions) => {
      const results = await buildDatasets(names, options);
      if (options.json) {
        const datasets = results.map(({ folder, upToDate, funnel }) => ({
          folder,
          up_to_date: upToDate,
          funnel,
        }));
        print(JSON.stringify({ datasets }, null, 2));
      } else {
        print(results.map(({ funnel }) => funnelText(funnel)).join("\n\n"));
      }
    },
  );
}
