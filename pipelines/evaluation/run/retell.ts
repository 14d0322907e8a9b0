/**
 * What was really said in a predicted episode. Whoever made the predictions is believed in nothing that decides a credit:
 * a deterministic oracle is asked again, and what models answered is read from the log of whoever held the oracle zone.
 */
import type { EpisodeTurn } from "../../../schemas/types/episode.js";
import type { Prediction, PredictionTurn } from "../../../schemas/types/prediction.js";
import type { RunSettings } from "../../../schemas/types/run.js";
import { UserError } from "../../errors.js";
import type { RoutingAction, Turn } from "../../oracle/index.js";
import type { AnswerLog } from "../answers/log.js";
import { ASKERS, type Asker } from "../askers/index.js";
import { exchange } from "../exchange.js";
import { hasFailed, type Oracle } from "../oracles/index.js";
import { scoreTurn } from "../scorer/index.js";
import type { Task } from "../task.js";

/** By what predictions are checked. */
export interface Evidence {
  /** The deterministic oracle, which says the same again. */
  readonly oracle?: Oracle;
  /** What an answering service has logged. */
  readonly log?: AnswerLog;
  /** The transcripts are taken as they are: whoever scores has made them. */
  readonly trusted: boolean;
}

type OracleUsage = NonNullable<Prediction["usage"]>[string];

/** An episode's dialogue as it is scored. */
export interface Retold {
  readonly turns: EpisodeTurn[];
  /** What the oracle's model was asked, where the log tells. */
  readonly usage?: OracleUsage;
  /** How the oracle's model failed, where the log tells. */
  readonly detail?: string;
}

/** A dialogue that is not what was said; the message names the episode and its place in it. */
export class Tampered extends UserError {}

const tampered = ({ episode_id }: Prediction, at: number, why: string): Tampered =>
  new Tampered(`${episode_id}, question ${at + 1}: ${why}`);

/** A recorded routing action; one whose term or clause is missing routes nowhere. */
function routed({ kind, term, clause }: NonNullable<PredictionTurn["action"]>): RoutingAction {
  if (kind === "labeled" && term !== undefined) return { kind, term };
  if (kind === "unlabeled" && clause !== undefined) return { kind, clause };
  return { kind: "unanswerable" };
}

type Recorded = Omit<PredictionTurn, "credits" | "credit_source">;

/** A turn with its credits, as the offline scorer reads them; undefined where it was not recorded how it was routed. */
function scored(turn: Recorded, task: Task): EpisodeTurn | undefined {
  const { question, response, action, why, live_credits, fallback, oracle_calls } = turn;
  if (action === undefined || why === undefined || live_credits === undefined) return undefined;
  const { credited, source } = scoreTurn({ question, response, action: routed(action), why }, task.scorer);
  return {
    question,
    response,
    action,
    why,
    live_credits,
    credits: [...credited],
    credit_source: source,
    ...(fallback === undefined ? {} : { fallback }),
    ...(oracle_calls === undefined ? {} : { oracle_calls }),
  };
}

/** The turns as the deterministic oracle makes them of the questions. */
async function askedAgain(prediction: Prediction, task: Task, oracle: Oracle): Promise<EpisodeTurn[]> {
  const turns: EpisodeTurn[] = [];
  const history: Turn[] = [];
  for (const [at, { question, response, action, live_credits }] of prediction.turns.entries()) {
    const made = await exchange(question, task, { seed: prediction.seed, oracle }, history);
    if (hasFailed(made)) throw new Error(`the oracle ${oracle.name} failed`);
    const same =
      made.turn.response === response &&
      (live_credits === undefined ||
        JSON.stringify(live_credits) === JSON.stringify(made.turn.live_credits)) &&
      (action === undefined || JSON.stringify(action) === JSON.stringify(made.turn.action));
    if (!same) throw tampered(prediction, at, "the recorded answer is not the oracle's");
    turns.push(made.turn);
    history.push(made.said);
  }
  if (prediction.stop === "oracle")
    throw tampered(prediction, turns.length, "it says that the oracle failed, which asks no model");
  return turns;
}

function added(a: OracleUsage | undefined, b: OracleUsage | undefined): OracleUsage | undefined {
  if (a === undefined || b === undefined) return a ?? b;
  return {
    calls: a.calls + b.calls,
    prompt_tokens: a.prompt_tokens + b.prompt_tokens,
    completion_tokens: a.completion_tokens + b.completion_tokens,
  };
}

/** The turns as the log has them. */
function logged(prediction: Prediction, task: Task, log: AnswerLog, run: string): Retold {
  const { record_id, condition, seed, turns, stop, outcome } = prediction;
  const known = condition === "none" ? [] : log.of({ run, record_id, condition, seed });
  let usage: OracleUsage | undefined;
  const told = turns.map(({ question, response }, at) => {
    const one = known[at];
    if (one?.response === undefined) throw tampered(prediction, at, "the log does not hold it");
    if (one.question !== question) throw tampered(prediction, at, "the log holds another question");
    if (one.response !== response) throw tampered(prediction, at, "the log holds another answer");
    usage = added(usage, one.usage);
    const turn = scored({ ...one, question, response }, task);
    if (turn === undefined) throw tampered(prediction, at, "the log does not say how it was routed");
    return turn;
  });
  const next = known[turns.length];
  if (next?.response !== undefined && stop !== "cut_short")
    throw tampered(prediction, turns.length, "the log holds a question that the prediction leaves out");
  const failed = stop === "oracle";
  if (failed && (next?.failed === undefined || next.failed !== outcome))
    throw tampered(prediction, turns.length, "the log does not say that the oracle failed");
  if (failed) usage = added(usage, next?.usage);
  return {
    turns: told,
    ...(usage === undefined ? {} : { usage }),
    ...(failed ? { detail: `oracle: ${next?.detail ?? ""}` } : {}),
  };
}

/** Scripted askers leave nothing open: which questions they put, and in which order, is known. */
function checkScript(prediction: Prediction, task: Task, asker: Asker | undefined, maxTurn: number): void {
  if (asker?.reads !== "script") return;
  const { turns, stop } = prediction;
  const expected: string[] = [];
  // A record with nothing to ask about skips the asking.
  for (let turn = 1; turn < maxTurn && maxTurn > 3; turn += 1) {
    const decision = asker.decide(task.script, { turn, maxTurn });
    if (decision.kind !== "question") break;
    expected.push(decision.text);
  }
  const at = turns.findIndex(({ question }, place) => question !== expected[place]);
  if (at >= 0) throw tampered(prediction, at, `this is not what the asker ${asker.name} asks`);
  if (turns.length < expected.length && stop !== "oracle" && stop !== "cut_short")
    throw tampered(prediction, turns.length, `the asker ${asker.name} asks on, and here it stops`);
}

/**
 * The dialogue of a prediction, credits derived anew.
 *
 * @throws Tampered where it is not what was said
 */
export async function retell(
  prediction: Prediction,
  task: Task,
  settings: RunSettings,
  { oracle, log, trusted }: Evidence,
): Promise<Retold> {
  const { condition, turns } = prediction;
  const ambiguities = task.scorer.ambiguities.filter(({ counts }) => counts).length;
  const most = ambiguities === 0 ? 0 : ambiguities + 2;
  if (turns.length > most) throw tampered(prediction, most, `its budget is ${most} questions`);
  const name = settings.conditions[condition];
  if (prediction.asker !== name)
    throw tampered(prediction, 0, `its asker is ${prediction.asker}, and the run's ${String(name)}`);
  checkScript(
    prediction,
    task,
    ASKERS.find((one) => one.name === name),
    ambiguities + 3,
  );
  const run = settings.answered_by?.run;
  const told = log === undefined || run === undefined ? undefined : logged(prediction, task, log, run);
  if (oracle !== undefined) return { turns: await askedAgain(prediction, task, oracle) };
  if (told !== undefined) return told;
  if (!trusted) throw new Error("predictions of an oracle on models need a log, or trust");
  const scoredTurns = turns.map((turn, at) => {
    const one = scored(turn, task);
    if (one === undefined) throw tampered(prediction, at, "it does not say how it was routed");
    return one;
  });
  return { turns: scoredTurns };
}
