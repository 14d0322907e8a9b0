/** Predictions as they come from whoever made them: what they were made under, and whether they are all there. */
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Prediction } from "../../../schemas/types/prediction.js";
import type { TaskRecord } from "../../../schemas/types/record.js";
import type { RunSettings } from "../../../schemas/types/run.js";
import { UserError } from "../../errors.js";
import { schemaFaults } from "../../record/check-schema.js";
import type { Suite } from "../../record/suite.js";
import type { AnswerLog } from "../answers/log.js";
import { episodeId } from "../protocol.js";
import { PREDICTIONS_FILE, readLines } from "./log.js";
import { isInScope, runDatasets } from "./scope.js";
import { conditionsToRun } from "./summary.js";

/**
 * The settings under which predictions were made.
 *
 * @throws UserError where the folder holds none
 */
export function predictionSettings(folder: string): RunSettings {
  const path = join(folder, "run.json");
  if (!existsSync(path) || !existsSync(join(folder, PREDICTIONS_FILE))) {
    throw new UserError(`${folder} holds no predictions`, {
      remedy: "name a folder that ambitab predict has written",
    });
  }
  let settings: RunSettings;
  try {
    settings = JSON.parse(readFileSync(path, "utf8")) as RunSettings;
  } catch (cause) {
    throw new UserError(`${path} cannot be read`, {
      remedy: "name predictions whose files are whole",
      cause,
    });
  }
  const faults = schemaFaults("run", settings);
  if (faults.length > 0) throw new UserError(`${path} holds no run's settings: ${faults[0]}`);
  return settings;
}

/** The oracle's part of a run's settings as whoever answered has logged it: the log is believed, and must agree. */
function answeredSettings(
  settings: RunSettings,
  suite: Suite,
  { path, settings: logged }: AnswerLog,
): RunSettings {
  const { suite: on, oracle, oracle_sql = {}, models = {} } = logged;
  if ((on.public_hash ?? on.hash) !== suite.publicHash) {
    throw new UserError(
      `the log ${path} is of ${on.kind} ${on.name}, whose public files are not those of ${suite.name}`,
      {
        remedy: "give the log of the service that answered these predictions",
      },
    );
  }
  if (oracle !== settings.oracle) {
    throw new UserError(
      `the log ${path} is of the oracle ${oracle}, and the predictions of ${settings.oracle}`,
      {
        remedy: "give the log of the service that answered these predictions",
      },
    );
  }
  const sql = Object.entries(oracle_sql).filter(([dataset]) => settings.datasets.includes(dataset));
  const all = { ...settings.models, ...models };
  return {
    ...settings,
    ...(sql.length === 0 ? {} : { oracle_sql: Object.fromEntries(sql) }),
    ...(Object.keys(all).length === 0 ? {} : { models: all }),
  };
}

/** The settings of the scored run: the same, on the whole release. */
export function scoredSettings(predicted: RunSettings, suite: Suite, log?: AnswerLog): RunSettings {
  const settings = log === undefined ? predicted : answeredSettings(predicted, suite, log);
  const { none, asker, full, ...others } = settings.conditions;
  const own = asker === undefined || asker === settings.asker;
  if (none !== "none" || !own || (full !== undefined && full !== "full") || Object.keys(others).length > 0) {
    throw new UserError(
      `the predictions' conditions are not those of an evaluation: ${JSON.stringify(settings.conditions)}`,
      {
        remedy: "score predictions as ambitab predict has made them",
      },
    );
  }
  if ((settings.suite.public_hash ?? settings.suite.hash) !== suite.publicHash) {
    throw new UserError(
      `the predictions were made on ${settings.suite.kind} ${settings.suite.name}, whose public files are not those of ${suite.name}`,
      { remedy: "score them with the release that they were made on, private zones included" },
    );
  }
  const { kind, name, hash, publicHash } = suite;
  return {
    ...settings,
    suite: { kind, name, hash, public_hash: publicHash },
    predicted_on: settings.suite.hash,
  };
}

/** A record and the folder of its databases. */
export interface Placed {
  readonly record: TaskRecord;
  readonly databases: string;
}

/** Every record that the predictions must be about. */
export async function recordsInScope(suite: Suite, settings: RunSettings): Promise<Map<string, Placed>> {
  const records = new Map<string, Placed>();
  for (const dataset of runDatasets(suite, settings)) {
    let taken = 0;
    for await (const { record } of dataset.records()) {
      if (!isInScope(settings, record)) continue;
      if (settings.limit !== null && taken >= settings.limit) break;
      taken += 1;
      records.set(record.record_id, { record, databases: dataset.databases });
    }
  }
  return records;
}

/** The ids of all episodes that the predictions must hold. */
function* expectedIds(records: ReadonlyMap<string, Placed>, settings: RunSettings): Generator<string> {
  for (const condition of conditionsToRun(settings.conditions)) {
    for (const seed of settings.seeds) for (const id of records.keys()) yield episodeId(condition, seed, id);
  }
}

/**
 * Each episode once, all of them there.
 *
 * @throws UserError naming what is missing, doubled or not of this release
 */
export async function checkComplete(
  path: string,
  records: ReadonlyMap<string, Placed>,
  settings: RunSettings,
): Promise<void> {
  const open = new Set(expectedIds(records, settings));
  const expected = open.size;
  let line = 0;
  for await (const prediction of readLines<Prediction>(path)) {
    line += 1;
    const [fault] = schemaFaults("prediction", prediction);
    if (fault !== undefined) throw new UserError(`${path}, line ${line}: ${fault}`);
    if (!open.delete(prediction.episode_id)) {
      throw new UserError(
        `${path}, line ${line}: ${prediction.episode_id} is there twice, or no episode of the run`,
      );
    }
  }
  if (open.size === 0) return;
  throw new UserError(`${open.size} of ${expected} episodes are not predicted, the first ${[...open][0]}`, {
    remedy: "finish them with ambitab predict --resume",
  });
}
