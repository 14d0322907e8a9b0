/** Which episodes a run has, in the order in which they are begun. */
import { basename } from "node:path";
import type { RunSettings } from "../../../schemas/types/run.js";
import type { DatasetFolder, Placed, Suite } from "../../record/suite.js";
import type { JoinedRecord } from "../../record/zones.js";
import type { SqlEngines } from "../../sql/engines.js";
import { SchemaCache } from "../agent-context.js";
import { SPEC_RANDOMIZED } from "../askers/index.js";
import { episodeId } from "../protocol.js";
import { partialTaskOf, prepareSchema, type Task } from "../task.js";
import { type DonorMap, drawDonors } from "./donors.js";
import { isInScope, runDatasets } from "./scope.js";
import { type Condition, conditionsToRun } from "./summary.js";

/** One episode to run. */
export interface Planned {
  readonly task: Task;
  readonly condition: Condition;
  readonly seed: number;
}

/** What decides the episodes of a run: its settings, the folder whose name agents' handles are drawn from, what is done. */
export interface PlanOptions {
  readonly suite: Suite;
  readonly settings: RunSettings;
  readonly folder: string;
  readonly done: ReadonlySet<string>;
  /** Describes databases that are no file to open, which are PostgreSQL's. */
  readonly sandbox: SqlEngines;
  /**
   * What is read of the records: whole ones (unless told), as far as their zones are here (a release whose answers others
   * hold), or what an agent may read and nothing else.
   */
  readonly zones?: "all" | "here" | "public";
  /** Called before each record; throws to stop. */
  readonly onRecord?: () => void;
}

const randomizes = ({ conditions }: RunSettings): boolean =>
  Object.values(conditions).some((asker) => asker.startsWith(SPEC_RANDOMIZED));

/** The donors of every dataset of a run; none where no asker needs one. */
export async function runDonors(suite: Suite, settings: RunSettings): Promise<Map<string, DonorMap>> {
  const donors = new Map<string, DonorMap>();
  if (!randomizes(settings)) return donors;
  for (const dataset of runDatasets(suite, settings)) {
    donors.set(dataset.dataset, await drawDonors(dataset, settings));
  }
  return donors;
}

function recordsOf(
  dataset: DatasetFolder,
  zones: NonNullable<PlanOptions["zones"]>,
): AsyncGenerator<Placed<JoinedRecord>> {
  if (zones === "all") return dataset.records();
  return zones === "here" ? dataset.partialRecords() : dataset.publicRecords();
}

/** Every episode of the run that is not done, record by record: a record's conditions and seeds stand together. */
export async function* plan(
  options: PlanOptions,
  donors: ReadonlyMap<string, DonorMap>,
): AsyncGenerator<Planned> {
  const { suite, settings, folder, sandbox, done, zones = "all", onRecord } = options;
  const conditions = conditionsToRun(settings.conditions);
  const schemas = new SchemaCache();
  const run = basename(folder);
  for (const dataset of runDatasets(suite, settings)) {
    let taken = 0;
    for await (const { record } of recordsOf(dataset, zones)) {
      onRecord?.();
      if (!isInScope(settings, record)) continue;
      if (settings.limit !== null && taken >= settings.limit) break;
      taken += 1;
      const open = conditions.flatMap((condition) =>
        settings.seeds
          .filter((seed) => !done.has(episodeId(condition, seed, record.record_id)))
          .map((seed) => ({ condition, seed })),
      );
      if (open.length === 0) continue;
      await prepareSchema(record, dataset.databases, schemas, sandbox);
      const donor = await donors.get(dataset.dataset)?.of(record.record_id, schemas, sandbox, run);
      const task = partialTaskOf(record, dataset.databases, schemas, run, donor);
      for (const one of open) yield { task, ...one };
    }
  }
}
