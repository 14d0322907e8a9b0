import type { Command } from "commander";
import { PIPELINES } from "../pipelines/datasets/index.js";
import { hashFile } from "../pipelines/engine/files.js";
import type { Pipeline } from "../pipelines/engine/pipeline.js";
import { type BuildResult, runPipeline } from "../pipelines/engine/run.js";
import type { BuildSettings } from "../pipelines/engine/stage.js";
import { UserError } from "../pipelines/errors.js";
import { ensureSource } from "../sources/index.js";
import { funnelText } from "./terminal/funnel.js";
import { interruptible } from "./terminal/interrupt.js";
import {
  type CommonOptions,
  DEFAULT_SEED,
  type ReplayedPredictions,
  replayedPredictions,
  type SourceFolders,
  sourceFolder,
  wholeNumber,
  withCommonOptions,
} from "./terminal/options.js";
import { describeProgress, withProgress } from "./terminal/progress.js";
import { print } from "./terminal/say.js";

/** What `ambitab build` takes beside the dataset names. */
export interface BuildOptions extends CommonOptions {
  from: SourceFolders;
  jobs?: number;
  seed: number;
  limit?: number;
  keepGoing: boolean;
  strictReadings: boolean;
  allRegions?: boolean;
  sourceRelease?: string;
  probe?: ReplayedPredictions;
}

/** The pipelines that a person asked for; all of them where none is named. */
function chosenPipelines(names: readonly string[]): readonly Pipeline[] {
  const known = PIPELINES.map(({ dataset }) => dataset as string);
  for (const name of names) {
    if (known.includes(name)) continue;
    throw new UserError(`there is no dataset "${name}" to build`, {
      remedy: `datasets: ${known.join(", ")}`,
    });
  }
  return names.length === 0 ? PIPELINES : PIPELINES.filter(({ dataset }) => names.includes(dataset));
}

/** The settings of one pipeline's build; what only some pipelines read is given to them alone. */
async function settingsFor(pipeline: Pipeline, options: BuildOptions): Promise<BuildSettings> {
  const { sourceRelease, probe } = options;
  const replay = probe !== undefined && pipeline.dataset === "ew-bird" ? probe : undefined;
  return {
    seed: options.seed,
    limit: options.limit ?? null,
    strict_readings: options.strictReadings,
    keep_going: options.keepGoing,
    ...(options.allRegions === true ? { all_regions: true as const } : {}),
    ...(sourceRelease !== undefined && pipeline.source === "bird" ? { source_release: sourceRelease } : {}),
    ...(replay === undefined
      ? {}
      : { probe: { replay: { without: await hashOf(replay.without), with: await hashOf(replay.with) } } }),
  };
}

async function hashOf(path: string): Promise<string> {
  try {
    return (await hashFile(path)).sha256;
  } catch (cause) {
    throw new UserError(`the predictions ${path} cannot be read: ${(cause as Error).message}`, {
      remedy: "give --probe replay=WITHOUT.json,WITH.json two files in BIRD's prediction format",
      cause,
    });
  }
}

/** Options that no dataset of this build reads are a slip of the person. */
function refuseIdleOptions(pipelines: readonly Pipeline[], { sourceRelease, probe }: BuildOptions): void {
  if (sourceRelease !== undefined && !pipelines.some(({ source }) => source === "bird")) {
    throw new UserError("--source-release chooses a release of bird, which this build does not read", {
      remedy: "leave it out, or build ew-bird",
    });
  }
  if (probe !== undefined && !pipelines.some(({ dataset }) => dataset === "ew-bird")) {
    throw new UserError("--probe stands in for ew-bird's models, and ew-bird is not built", {
      remedy: "leave it out, or build ew-bird",
    });
  }
}

/** The command line that goes on with an interrupted build. */
function resumeCommand(names: readonly string[], options: BuildOptions): string {
  const words = ["ambitab build", ...names];
  for (const [source, folder] of Object.entries(options.from))
    words.push(`--from ${source}=${JSON.stringify(folder)}`);
  if (options.limit !== undefined) words.push(`--limit ${options.limit}`);
  if (options.keepGoing) words.push("--keep-going");
  if (options.strictReadings) words.push("--strict-readings");
  if (options.allRegions === true) words.push("--all-regions");
  if (options.sourceRelease !== undefined) words.push(`--source-release ${options.sourceRelease}`);
  if (options.probe !== undefined) {
    const { without, with: withEvidence } = options.probe;
    words.push(`--probe replay=${JSON.stringify(`${without},${withEvidence}`)}`);
  }
  if (options.seed !== DEFAULT_SEED) words.push(`--seed ${options.seed}`);
  if (options.out !== "out") words.push(`--out ${JSON.stringify(options.out)}`);
  return words.join(" ");
}

/** Builds datasets one after the other and returns what each came to. */
export async function buildDatasets(names: readonly string[], options: BuildOptions): Promise<BuildResult[]> {
  const pipelines = chosenPipelines(names);
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
  return interruptible(async (signal) => {
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
          ...(settings.probe === undefined || options.probe === undefined
            ? {}
            : { given: { predictions: options.probe } }),
          ...(options.jobs === undefined ? {} : { jobs: options.jobs }),
          signal,
          resume: resumeCommand(names, options),
          onProgress: (progress) => report(describeProgress(progress)),
        });
      const done = (result: BuildResult): string =>
        result.upToDate
          ? `${result.folder} is up to date, ${result.funnel.records} records`
          : `${result.funnel.records} records in ${result.folder} (${result.computed} outcomes computed, ${result.stored} from the store)`;
      results.push(await withProgress(`building ${pipeline.dataset}`, options.quiet, work, done));
    }
    return results;
  });
}

export function register(program: Command): void {
  withCommonOptions(
    program
      .command("build")
      .description(
        "run the datasets' pipelines: records, drops, ledger, funnel, lock and databases under out/build",
      )
      .argument(
        "[dataset...]",
        `what to build (default: all): ${PIPELINES.map(({ dataset }) => dataset).join(", ")}`,
      )
      .option("--from <source=dir>", "use this copy of a source (repeatable)", sourceFolder, {})
      .option(
        "--jobs <n>",
        "SQL statements at once; changes no byte (default: the processors)",
        wholeNumber(1),
      )
      .option("--seed <n>", "the build's seed", wholeNumber(0), DEFAULT_SEED)
      .option("--limit <n>", "take the first rows of each source only", wholeNumber(1))
      .option("--keep-going", "build the rest when source rows are bad; they stand in dropped.jsonl", false)
      .option("--strict-readings", "drop requests that name a reading", false)
      .option(
        "--source-release <name>",
        "which release of BIRD's dev questions, where a folder holds several",
      )
      .option(
        "--probe <replay=without.json,with.json>",
        "predictions without and with the evidence, in BIRD's format, in place of ew-bird's models",
        replayedPredictions,
      )
      .option("--all-regions", "read TACO's other parts, Beijing's among them, beside the US one", false),
  ).action(async (names: string[], options: BuildOptions) => {
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
  });
}
