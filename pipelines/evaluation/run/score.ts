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
import type { RoutingAction, Turn } from "../../oracle/index.js";
import type { Suite } from "../../record/suite.js";
import type { SqlEngines } from "../../sql/engines.js";
import { SchemaCache } from "../agent-context.js";
import { type Oracle, oracleNamed } from "../oracles/index.js";
import { verifyConversation } from "../protocol.js";
import { scoreTurn } from "../scorer/index.js";
import type { Answer } from "../solvers/index.js";
import { prepareSchema, type Task, taskOf } from "../task.js";
import { ExecutionCache } from "../verifier/index.js";
import { claimFolder } from "./claim.js";
import { writeSummary } from "./index.js";
import { EPISODE_LINES, EPISODES_FILE, PREDICTIONS_FILE, RunLog, readLines } from "./log.js";
import { checkComplete, predictionSettings, recordsInScope, scoredSettings } from "./prediction-files.js";

export interface ScoreOptions {
  /** The folder that `predict` has written. */
  readonly predictions: string;
  /** A whole release or build. */
  readonly suite: Suite;
  /** The scored run's folder. */
  readonly folder: string;
  readonly sandbox: SqlEngines;
  readonly width: number;
  readonly signal?: AbortSignal;
  readonly onProgress?: (done: number) => void;
}

/** Whether the dialogue is what the release's own oracle makes of its questions. */
async function checkDialogue(prediction: Prediction, task: Task, oracle: Oracle): Promise<void> {
  const history: Turn[] = [];
  const { matcher, responder } = oracle;
  if (matcher.reads !== "registry" || responder.reads !== "registry") return;
  for (const [at, { question, response, action, live_credits }] of prediction.turns.entries()) {
    const match = await matcher.match(question, history, task.oracle.registry);
    const answer = await responder.respond(question, match.credits, history, task.oracle.registry);
    const same =
      answer === response &&
      JSON.stringify(match.credits) === JSON.stringify(live_credits) &&
      JSON.stringify({ ...match.action }) === JSON.stringify(action);
    if (!same) {
      throw new UserError(
        `${prediction.episode_id}, question ${at + 1}: the recorded answer is not the oracle's`,
        {
          remedy: "predictions must be scored as they were made, with the version of ambitab that made them",
        },
      );
    }
    history.push({ question, response, credits: match.credits });
  }
}

/** A recorded routing action; one whose term or clause is missing routes nowhere. */
function routed({ kind, term, clause }: Prediction["turns"][number]["action"]): RoutingAction {
  if (kind === "labeled" && term !== undefined) return { kind, term };
  if (kind === "unlabeled" && clause !== undefined) return { kind, clause };
  return { kind: "unanswerable" };
}

/** An episode of a prediction: credits anew, and what only the oracle zone knows where it was not there. */
function toldOf(prediction: Prediction, task: Task): Parameters<typeof verifyConversation>[1]["told"] {
  const {
    outcome: _o,
    detail: _d,
    timings_ms: _t,
    ambiguities: _a,
    max_turn: _m,
    turns,
    stop,
    ...rest
  } = prediction;
  const ambiguities = task.scorer.ambiguities.filter(({ counts }) => counts).length;
  if (turns.length > ambiguities + 2) {
    throw new UserError(`${prediction.episode_id} has more questions than its budget of ${ambiguities + 2}`);
  }
  return {
    ...rest,
    ...task.names,
    ambiguities,
    max_turn: ambiguities + 3,
    turns: turns.map((turn) => {
      const { credited, source } = scoreTurn({ ...turn, action: routed(turn.action) }, task.scorer);
      return { ...turn, credits: [...credited], credit_source: source };
    }),
    // Where nobody could say whether there is something to ask, nothing was asked: the asker stopped at once.
    stop: stop === "nothing_to_ask" && ambiguities > 0 ? "asker" : stop,
  };
}

function givenOf({ outcome, sql, detail = "" }: Prediction): Answer {
  if (outcome !== "sql") return { outcome, detail };
  return sql === null ? { outcome: "no_answer", detail: "the prediction has no SQL" } : { outcome, sql };
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
  const settings = scoredSettings(predictionSettings(predictions), suite);
  const records = await recordsInScope(suite, settings);
  await checkComplete(path, records, settings);
  claimFolder(folder, settings, true);
  const hold = holdExclusively(join(folder, ".lock"), `the run in ${folder}`);
  try {
    const paths = { lines: join(folder, EPISODES_FILE), prompts: join(folder, "prompts.jsonl") };
    const log = await RunLog.open(paths, EPISODE_LINES);
    const executions = new ExecutionCache(sandbox);
    const schemas = new SchemaCache();
    let done = log.done.size;
    try {
      await forEachConcurrently(readLines<Prediction>(path), width, async (prediction) => {
        if (signal?.aborted === true) throw new Interrupted();
        if (log.done.has(prediction.episode_id)) return;
        const { record, databases } = records.get(prediction.record_id)!;
        await prepareSchema(record, databases, schemas, sandbox);
        const task = taskOf(record, databases, schemas, "score");
        if (settings.oracle === "deterministic") {
          await checkDialogue(prediction, task, oracleNamed("deterministic", record.dataset as Dataset));
        }
        const conversation = {
          given: givenOf(prediction),
          told: toldOf(prediction, task),
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
