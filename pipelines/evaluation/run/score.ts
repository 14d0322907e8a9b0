/**
 * Scoring predictions with the private zones (spec 12, `score`): credits and verdicts come from here, never from whoever
 * made the predictions. What a deterministic oracle answered is checked by asking it again.
 */
import { join } from "node:path";
import type { EpisodeRecord } from "../../../schemas/types/episode.js";
import type { Prediction } from "../../../schemas/types/prediction.js";
import type { Dataset } from "../../../schemas/types/record.js";
import type { RunSettings } from "../../../schemas/types/run.js";
import type { RunSummary } from "../../../schemas/types/summary.js";
import { forEachConcurrently } from "../../engine/concurrent.js";
import { holdExclusively } from "../../engine/exclusive.js";
import { Interrupted, UserError } from "../../errors.js";
import type { Suite } from "../../record/suite.js";
import type { SqlEngines } from "../../sql/engines.js";
import { SchemaCache } from "../agent-context.js";
import type { AnswerLog } from "../answers/log.js";
import { oracleNamed } from "../oracles/index.js";
import { verifyConversation } from "../protocol.js";
import type { Answer } from "../solvers/index.js";
import { prepareSchema, type Task, taskOf } from "../task.js";
import { ExecutionCache } from "../verifier/index.js";
import { claimFolder } from "./claim.js";
import { writeSummary } from "./index.js";
import { EPISODE_LINES, EPISODES_FILE, PREDICTIONS_FILE, RunLog, readLines } from "./log.js";
import { checkComplete, predictionSettings, recordsInScope, scoredSettings } from "./prediction-files.js";
import { type Evidence, type Retold, retell, Tampered } from "./retell.js";

export interface ScoreOptions {
  /** The folder that `predict` has written. */
  readonly predictions: string;
  /** A whole release or build. */
  readonly suite: Suite;
  /** The scored run's folder. */
  readonly folder: string;
  readonly sandbox: SqlEngines;
  /** The log of the service that answered the predictions' questions. */
  readonly answers?: AnswerLog;
  /** Takes the answers of an oracle on models as the predictions tell them, where no log can say. */
  readonly trustTranscripts?: boolean;
  readonly width: number;
  readonly signal?: AbortSignal;
  readonly onProgress?: (done: number) => void;
}

/** An episode of a prediction: credits anew, and what only the oracle zone knows where it was not there. */
function toldOf(
  prediction: Prediction,
  task: Task,
  { turns, usage: oracle }: Retold,
): Parameters<typeof verifyConversation>[1]["told"] {
  const {
    outcome: _o,
    detail: _d,
    timings_ms: _t,
    ambiguities: _a,
    max_turn: _m,
    turns: _turns,
    usage: told,
    stop,
    ...rest
  } = prediction;
  const ambiguities = task.scorer.ambiguities.filter(({ counts }) => counts).length;
  const usage = { ...told, ...(oracle === undefined ? {} : { oracle }) };
  return {
    ...rest,
    ...task.names,
    ambiguities,
    max_turn: ambiguities + 3,
    turns,
    // Where nobody could say whether there is something to ask, nothing was asked: the asker stopped at once.
    stop: stop === "nothing_to_ask" && ambiguities > 0 ? "asker" : stop,
    ...(Object.keys(usage).length === 0 ? {} : { usage }),
  };
}

function givenOf({ outcome, sql, detail = "" }: Prediction, { detail: logged }: Retold): Answer {
  if (outcome !== "sql") return { outcome, detail: logged ?? detail };
  return sql === null ? { outcome: "no_answer", detail: "the prediction has no SQL" } : { outcome, sql };
}

/** By what the predictions of a run are checked. */
function evidenceOf(
  { answers: log, trustTranscripts: trusted = false }: ScoreOptions,
  { oracle, answered_by }: RunSettings,
): (dataset: Dataset) => Evidence {
  const deterministic = oracle === "deterministic";
  if (log !== undefined && answered_by === undefined) {
    throw new UserError("these predictions were answered by no service, so no log can speak for them", {
      remedy: "leave out --answers",
    });
  }
  if (!deterministic && log === undefined && (answered_by !== undefined || !trusted)) {
    throw new UserError(`what the oracle ${oracle} has answered cannot be asked again`, {
      remedy:
        answered_by === undefined
          ? "score predictions of your own making with --trust-transcripts, or have others' answered by ambitab answer"
          : "give the log of the service that answered with --answers FILE",
    });
  }
  return (dataset) => ({
    ...(deterministic ? { oracle: oracleNamed(oracle, dataset) } : {}),
    ...(log === undefined ? {} : { log }),
    trusted,
  });
}

/** A message names as many of them. */
const MOST_NAMED = 20;

/** Goes through all dialogues before anything is scored, so that nothing of altered predictions is. */
async function checkDialogues(
  path: string,
  taskOf: (prediction: Prediction) => Promise<Task>,
  tell: (prediction: Prediction, task: Task) => Promise<Retold>,
  signal: AbortSignal | undefined,
): Promise<void> {
  const found: string[] = [];
  let altered = 0;
  for await (const prediction of readLines<Prediction>(path)) {
    if (signal?.aborted === true) throw new Interrupted();
    try {
      await tell(prediction, await taskOf(prediction));
    } catch (error) {
      if (!(error instanceof Tampered)) throw error;
      altered += 1;
      if (found.length < MOST_NAMED) found.push(error.message);
    }
  }
  if (altered === 0) return;
  const more = altered > found.length ? `\n  … and ${altered - found.length} more` : "";
  const what = altered === 1 ? "1 episode is" : `${altered} episodes are`;
  throw new UserError(`${what} not what was said, and nothing is scored:\n  ${found.join("\n  ")}${more}`, {
    remedy:
      "predictions must be scored as they were made, with the version of ambitab that made and answered them",
  });
}

/**
 * Verifies and scores every prediction and writes a run as `evaluate` does: run.json, episodes.jsonl, prompts.jsonl,
 * summary.json. Its numbers are those of an evaluation on the whole release. A stopped scoring goes on where it was.
 *
 * @throws UserError where predictions and release do not belong together, or an episode is missing, doubled or altered
 */
export async function scorePredictions(
  options: ScoreOptions,
): Promise<{ settings: RunSettings; summary: RunSummary }> {
  const { predictions, suite, folder, sandbox, width, signal, onProgress } = options;
  const path = join(predictions, PREDICTIONS_FILE);
  const settings = scoredSettings(predictionSettings(predictions), suite, options.answers);
  const records = await recordsInScope(suite, settings);
  await checkComplete(path, records, settings);
  const evidence = evidenceOf(options, settings);
  const schemas = new SchemaCache();
  const tell = (prediction: Prediction, task: Task): Promise<Retold> =>
    retell(prediction, task, settings, evidence(task.names.dataset as Dataset));
  const taskFor = async ({ record_id }: Prediction): Promise<Task> => {
    const placed = records.get(record_id);
    if (placed === undefined) throw new Error(`${record_id} is not in scope, though all predictions are`);
    await prepareSchema(placed.record, placed.databases, schemas, sandbox);
    return taskOf(placed.record, placed.databases, schemas, "score");
  };
  await checkDialogues(path, taskFor, tell, signal);
  claimFolder(folder, settings, true);
  const hold = holdExclusively(join(folder, ".lock"), `the run in ${folder}`);
  try {
    const paths = { lines: join(folder, EPISODES_FILE), prompts: join(folder, "prompts.jsonl") };
    const log = await RunLog.open(paths, EPISODE_LINES);
    const executions = new ExecutionCache(sandbox);
    let done = log.done.size;
    try {
      await forEachConcurrently(readLines<Prediction>(path), width, async (prediction) => {
        if (signal?.aborted === true) throw new Interrupted();
        if (log.done.has(prediction.episode_id)) return;
        const task = await taskFor(prediction);
        const retold = await tell(prediction, task);
        const conversation = {
          given: givenOf(prediction, retold),
          told: toldOf(prediction, task, retold),
          timings: prediction.timings_ms,
        };
        const episode: EpisodeRecord = await verifyConversation(task, conversation, executions);
        log.line(episode);
        done += 1;
        onProgress?.(done);
      });
    } finally {
      log.close();
    }
    return { settings, summary: await writeSummary(folder, settings, paths.lines) };
  } finally {
    hold.release();
  }
}
