import { readFileSync } from "node:fs";
import { availableParallelism } from "node:os";
import { join } from "node:path";
import type { Funnel } from "../../schemas/types/funnel.js";
import type { BuildLock } from "../../schemas/types/lock.js";
import { Interrupted, type SourceError, SourceErrors } from "../errors.js";
import { NO_MODEL } from "../model/no-model.js";
import type { ModelClient } from "../model/types.js";
import { canonicalLine } from "../record/schema-order.js";
import { openSqliteSandbox } from "../sql/index.js";
import { postgresOnDemand } from "../sql/postgres/on-demand.js";
import { UnansweredCall } from "./ask-model.js";
import { BuildFolder, brokenFiles, clearLeftovers, readLock } from "./build-folder.js";
import { holdExclusively } from "./exclusive.js";
import { FileStore } from "./files.js";
import { passages, throughStages } from "./flow.js";
import type { Emitted, GivenFiles, Pipeline, SourceStream } from "./pipeline.js";
import { drawsFor } from "./random.js";
import type { BuildSettings, StageContext } from "./stage.js";
import { type ResolvedStage, resolveStages, StageRunner } from "./stage-runner.js";
import { StageStore } from "./store.js";
import { Tally } from "./tally.js";
import { openWorkThread } from "./thread.js";

/** How far a build is. `rows` counts finished rows. */
export interface BuildProgress {
  dataset: string;
  rows: number;
  records: number;
  stored: number;
  computed: number;
}

export interface RunOptions {
  /** The folder that holds sources/, cache/, build/, … */
  out: string;
  /** The source's folder. */
  root: string;
  /** Which release of the source it is, as its lock says; it stands in every record. */
  sourceVersion?: string;
  settings: BuildSettings;
  /** Files that a person gave beside the source. */
  given?: GivenFiles;
  /** How many SQL statements run at once. Changes no byte of the result. */
  jobs?: number;
  /** Answers the model-made stages; a build that has none leaves it out. */
  model?: ModelClient;
  signal?: AbortSignal;
  /** The command that would go on after an interruption. */
  resume?: string;
  onProgress?: (progress: BuildProgress) => void;
}

export interface BuildResult {
  folder: string;
  funnel: Funnel;
  lock: BuildLock;
  /** The folder was already what this build would write. */
  upToDate: boolean;
  stored: number;
  computed: number;
}

/** The lock's part that is known before anything runs. */
function lockHead(pipeline: Pipeline, stream: SourceStream<unknown>, settings: BuildSettings) {
  return {
    schema_version: "1.0.0",
    dataset: pipeline.dataset,
    pipeline_version: pipeline.version,
    source: pipeline.source,
    source_version: stream.version,
    inputs: { ...stream.inputs },
    settings: { ...settings },
  };
}

function sameHead(
  lock: BuildLock,
  head: ReturnType<typeof lockHead>,
  stages: readonly ResolvedStage[],
): boolean {
  const { stages: locked, outputs: _outputs, databases: _databases, ...known } = lock;
  const names = stages.map(({ stage, parameters, code }) => [stage.name, stage.version, parameters, code]);
  const lockedNames = locked.map(({ stage, version, parameters, code }) => [
    stage,
    version,
    parameters,
    code,
  ]);
  const line = (value: object): string => canonicalLine("lock", value);
  return line(known) === line(head) && JSON.stringify(names) === JSON.stringify(lockedNames);
}

/** One build's fixed parts, once the source is open. */
interface Plan {
  stream: SourceStream<unknown>;
  stages: readonly ResolvedStage[];
  head: ReturnType<typeof lockHead>;
}

/** Rows that a model did not answer are neither kept nor dropped, so there is no build. */
function refuseUnanswered({ dataset }: Pipeline, { unanswered }: StageRunner): void {
  const [first] = unanswered;
  if (first === undefined) return;
  const count = unanswered.length;
  throw new UnansweredCall(
    `${count === 1 ? "a row" : `${count} rows`} of ${dataset} could not be decided: ${first.message}`,
    { remedy: first.remedy ?? "run the same command again: what was answered is stored", cause: first },
  );
}

/** Rows under way at once where models are asked: enough to keep their endpoints full. */
const ROWS_WITH_MODELS = 256;

async function buildAfresh(pipeline: Pipeline, options: RunOptions, plan: Plan): Promise<BuildResult> {
  const { out, settings, jobs = availableParallelism(), signal, resume } = options;
  const { stream, stages, head } = plan;
  const build = join(out, "build");
  const files = new FileStore(join(out, "cache", "files"));
  const store = new StageStore(join(out, "cache", "stages.sqlite"));
  const sandbox = openSqliteSandbox({ children: jobs });
  const postgres = postgresOnDemand({ url: process.env.DATABASE_URL, width: jobs });
  const thread = openWorkThread();
  const output = new BuildFolder(build, pipeline.dataset);
  try {
    const context: StageContext = {
      settings,
      sourcePath: (relative) => join(stream.root, relative),
      files,
      sandbox,
      thread,
      postgres: postgres.server,
      model: options.model ?? NO_MODEL,
      draws: (purpose, unit) => drawsFor(settings.seed, purpose, unit),
    };
    const runner = new StageRunner(store, context);
    const tally = new Tally(pipeline, stages, stream.absent);
    const bad: SourceError[] = [];
    const rows = passages(pipeline, stream, options, bad);
    const width = settings.models === undefined ? jobs * 8 : Math.max(jobs * 8, ROWS_WITH_MODELS);
    const flow = throughStages(rows, stages, runner, width, (name) => output.spool(name));
    for await (const passage of flow) {
      if (signal?.aborted === true) throw new Interrupted(resume);
      const emitted = passage.items.map((item) => item.value as Emitted);
      output.add(passage, emitted, files);
      tally.add(passage, emitted);
      options.onProgress?.({
        dataset: pipeline.dataset,
        rows: tally.rows,
        records: tally.records,
        ...runner.counts,
      });
    }
    if (bad.length > 0 && !settings.keep_going) throw new SourceErrors(pipeline.source, bad);
    refuseUnanswered(pipeline, runner);
    const funnel = tally.funnel();
    const lock = output.finish(funnel, { ...head, stages: tally.lockedStages() });
    return { folder: join(build, pipeline.dataset), funnel, lock, upToDate: false, ...runner.counts };
  } catch (error) {
    output.discard();
    throw error;
  } finally {
    store.close();
    await Promise.all([sandbox.close(), thread.close()]);
    await postgres.close();
  }
}

/**
 * Runs a pipeline and puts its build folder in place. The bytes depend on the source, the settings and the code alone:
 * not on `jobs`, on what the store holds, or on where an earlier run was killed.
 *
 * @throws SourceErrors when rows are bad and the build does not keep going
 * @throws Interrupted when the signal fires; what was computed is stored
 */
export async function runPipeline(pipeline: Pipeline, options: RunOptions): Promise<BuildResult> {
  const { out, root, settings } = options;
  const folder = join(out, "build", pipeline.dataset);
  const hold = holdExclusively(
    join(out, "cache", `build-${pipeline.dataset}.lock`),
    `the build of ${pipeline.dataset}`,
  );
  try {
    clearLeftovers(join(out, "build"), pipeline.dataset);
    const { sourceVersion = "unrecognised", given = {} } = options;
    const stream = await pipeline.open(root, settings, sourceVersion, given);
    const stages = resolveStages(pipeline.stages, settings);
    const head = lockHead(pipeline, stream, settings);
    const existing = readLock(folder);
    if (existing !== undefined && sameHead(existing, head, stages)) {
      if ((await brokenFiles(folder, existing)).length === 0) {
        const funnel = JSON.parse(readFileSync(join(folder, "funnel.json"), "utf8")) as Funnel;
        return { folder, funnel, lock: existing, upToDate: true, stored: 0, computed: 0 };
      }
    }
    return await buildAfresh(pipeline, options, { stream, stages, head });
  } finally {
    hold.release();
  }
}
