import { join } from "node:path";
import { hashFile } from "../../pipelines/engine/files.js";
import type { Pipeline } from "../../pipelines/engine/pipeline.js";
import type { BuildSettings } from "../../pipelines/engine/stage.js";
import { UserError } from "../../pipelines/errors.js";
import { sampleFolder } from "../../sources/index.js";
import { type ModelOptions, modelsFor } from "./models.js";
import { type CommonOptions, DEFAULT_SEED, type ReplayedPredictions, type SourceFolders } from "./options.js";

/** What `ambitab build` takes beside the dataset names. */
export interface BuildOptions extends CommonOptions, ModelOptions {
  from: SourceFolders;
  jobs?: number;
  seed: number;
  limit?: number;
  keepGoing: boolean;
  strictReadings: boolean;
  allRegions?: boolean;
  runUpstreamTests?: boolean;
  sourceRelease?: string;
  probe?: ReplayedPredictions;
  /** Response archives to put into the store first. */
  archives?: readonly string[];
}

/** The settings of one pipeline's build; what only some pipelines read is given to them alone. */
export async function settingsFor(pipeline: Pipeline, options: BuildOptions): Promise<BuildSettings> {
  const { sourceRelease, probe } = options;
  const replay = probe !== undefined && pipeline.dataset === "ew-bird" ? probe : undefined;
  const decodings = replay === undefined ? decodingsFor(pipeline, options) : undefined;
  return {
    seed: options.seed,
    limit: options.limit ?? null,
    strict_readings: options.strictReadings,
    keep_going: options.keepGoing,
    ...(options.allRegions === true ? { all_regions: true as const } : {}),
    ...(options.runUpstreamTests === true && pipeline.source === "bird-interact"
      ? { upstream_tests: true as const }
      : {}),
    ...(sourceRelease !== undefined && pipeline.source === "bird" ? { source_release: sourceRelease } : {}),
    ...(decodings === undefined ? {} : { models: decodings }),
    ...(replay === undefined
      ? {}
      : { probe: { replay: { without: await hashOf(replay.without), with: await hashOf(replay.with) } } }),
  };
}

/**
 * Whether a build asks the pipeline's models. Those that it can do without are asked only where the person named some: an
 * endpoint of the environment may be there for other work, and costs.
 */
export function asksModels(
  { roles = [], modelsOptional }: Pipeline,
  { models, replayOnly = false }: Pick<BuildOptions, "models" | "replayOnly">,
): boolean {
  return roles.length > 0 && (modelsOptional !== true || models !== undefined || replayOnly);
}

/** Which models the pipeline's roles are answered by; nothing where it asks none, or none is configured. */
function decodingsFor(pipeline: Pipeline, options: BuildOptions): BuildSettings["models"] {
  const { roles = [] } = pipeline;
  const models = asksModels(pipeline, options) ? modelsFor(options) : undefined;
  if (models === undefined) return undefined;
  return Object.fromEntries(roles.map((role) => [role, models.roles[role].decoding]));
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
export function refuseIdleOptions(
  pipelines: readonly Pipeline[],
  { sourceRelease, probe, runUpstreamTests = false }: BuildOptions,
): void {
  if (sourceRelease !== undefined && !pipelines.some(({ source }) => source === "bird")) {
    throw new UserError("--source-release chooses a release of bird, which this build does not read", {
      remedy: "leave it out, or build ew-bird",
    });
  }
  if (runUpstreamTests && !pipelines.some(({ source }) => source === "bird-interact")) {
    throw new UserError("--run-upstream-tests runs bird-interact's tests, and bird-interact is not built", {
      remedy: "leave it out, or build bird-interact",
    });
  }
  if (probe !== undefined && !pipelines.some(({ dataset }) => dataset === "ew-bird")) {
    throw new UserError("--probe stands in for ew-bird's models, and ew-bird is not built", {
      remedy: "leave it out, or build ew-bird",
    });
  }
}

/** The command line that goes on with an interrupted build. */
export function resumeCommand(names: readonly string[], options: BuildOptions): string {
  const words = ["ambitab build", ...names];
  for (const [source, folder] of Object.entries(options.from))
    words.push(`--from ${source}=${JSON.stringify(folder)}`);
  if (options.limit !== undefined) words.push(`--limit ${options.limit}`);
  if (options.keepGoing) words.push("--keep-going");
  if (options.strictReadings) words.push("--strict-readings");
  if (options.allRegions === true) words.push("--all-regions");
  if (options.runUpstreamTests === true) words.push("--run-upstream-tests");
  if (options.sourceRelease !== undefined) words.push(`--source-release ${options.sourceRelease}`);
  if (options.models !== undefined) words.push(`--models ${JSON.stringify(options.models)}`);
  if (options.replayOnly === true) words.push("--replay-only");
  if (options.probe !== undefined) {
    const { without, with: withEvidence } = options.probe;
    words.push(`--probe replay=${JSON.stringify(`${without},${withEvidence}`)}`);
  }
  if (options.seed !== DEFAULT_SEED) words.push(`--seed ${options.seed}`);
  if (options.out !== "out") words.push(`--out ${JSON.stringify(options.out)}`);
  return words.join(" ");
}

/** Answers that we made up for the sample's AmbiTab-Bird: no model had a part in them. */
export const sampleResponses = (): string => join(sampleFolder("bird"), "responses", "bird.jsonl.gz");

/** Predictions of an imaginary model that ship with BIRD's sample: the demo needs no model. */
export function samplePredictions(): ReplayedPredictions {
  const folder = join(sampleFolder("bird"), "predictions");
  return { without: join(folder, "without.json"), with: join(folder, "with.json") };
}
