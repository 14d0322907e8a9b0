/** The asking half of an episode (spec 4, steps 1 to 3): the asker decides, the oracle matches and responds. */
import type { EpisodeRecord, EpisodeTurn } from "../../schemas/types/episode.js";
import { FALLBACK_RATIONALE, type MatchResult, REFUSAL, type Turn } from "../oracle/index.js";
import type { AgentCall, Asker, Budget, Decision } from "./askers/index.js";
import {
  hasFailed,
  type Oracle,
  type OracleCall,
  type OracleFailure,
  type OracleResponder,
  type Routed,
  type Said,
} from "./oracles/index.js";
import { scoreTurn } from "./scorer/index.js";
import type { Solver } from "./solvers/index.js";
import type { Task } from "./task.js";

/** A dialogue as far as it has come: a call that ends the episode leaves what was asked before it. */
export interface Asking {
  turns: EpisodeTurn[];
  dialogue: Turn[];
  stop: EpisodeRecord["stop"];
  /** The reply that could not be read, after a fallback stop. */
  unread?: string;
  /** The oracle's model gave out: the episode ends here, without an answer. */
  failure?: OracleFailure;
}

/** An episode under way. */
export interface Underway {
  task: Task;
  asker: Asker;
  oracle: Oracle;
  solver: Solver;
  seed: number;
  call: AgentCall;
  signal: AbortSignal | undefined;
}

/** Draws of one seed: as many as an episode can have turns. */
const DRAWS_PER_SEED = 1000;

/**
 * The draw that a question's answer is: another for every seed, and another when the same words are asked again, as a
 * model without a seed would give. Under one seed the same question of a record is answered alike in every condition and
 * in every run that shares the response store, so that conditions are compared on equal luck.
 */
function callOf(question: string, dialogue: readonly Turn[], { seed, signal }: Underway): OracleCall {
  const before = dialogue.filter((turn) => turn.question === question).length;
  return { sample: seed * DRAWS_PER_SEED + before, ...(signal === undefined ? {} : { signal }) };
}

function decide({ asker, task, call }: Underway, dialogue: readonly Turn[], budget: Budget) {
  if (asker.reads === "script") return asker.decide(task.script, budget);
  // Credits are recorded, never shown: the asker gets the words alone.
  const words = dialogue.map(({ question, response }) => ({ question, response }));
  if (asker.readsDonor !== true) return asker.decide(task.agent, words, budget, call);
  if (task.donor === undefined) throw new Error(`${asker.name} needs a donor for ${task.names.record_id}`);
  return asker.decide(task.donor.view, words, budget, call);
}

/** One question: routed, answered, and scored from what was recorded of it. */
async function exchange(
  question: string,
  underway: Underway,
  dialogue: readonly Turn[],
): Promise<{ turn: EpisodeTurn; said: Turn } | OracleFailure> {
  const { task, oracle } = underway;
  const { matcher, responder } = oracle;
  const call = callOf(question, dialogue, underway);
  const routed: Routed | OracleFailure =
    matcher.reads === "registry"
      ? await matcher.match(question, dialogue, task.oracle.registry)
      : await matcher.match(question, task.oracle.matcher(), call);
  if (hasFailed(routed)) return routed;
  const answered = await respond(question, routed, task, responder, dialogue, call);
  if (hasFailed(answered)) return answered;
  const { text: response } = answered;
  // What could not be answered was not: neither half may leave a label for the scorer that the answer does not carry.
  const unread = routed.fallback === true ? "matcher" : answered.fallback === true ? "responder" : undefined;
  const { credits, action, why }: MatchResult =
    unread === "responder"
      ? { credits: [], action: { kind: "unanswerable" }, why: FALLBACK_RATIONALE }
      : routed;
  const { credited, source } = scoreTurn({ question, response, action, why }, task.scorer);
  const calls = [...(routed.calls ?? []), ...(answered.calls ?? [])];
  const turn: EpisodeTurn = {
    question,
    response,
    action: { ...action },
    why,
    live_credits: [...credits],
    credits: [...credited],
    credit_source: source,
    ...(unread === undefined ? {} : { fallback: unread }),
    ...(calls.length === 0 ? {} : { oracle_calls: calls }),
  };
  return { turn, said: { question, response, credits } };
}

async function respond(
  question: string,
  routed: Routed,
  task: Task,
  responder: OracleResponder,
  dialogue: readonly Turn[],
  call: OracleCall,
): Promise<Said | OracleFailure> {
  if (responder.reads === "registry") {
    const text = await responder.respond(question, routed.credits, dialogue, task.oracle.registry);
    return { text };
  }
  // Nobody decided what the question is about, so there is nothing to be worded.
  if (routed.fallback === true) return { text: REFUSAL };
  return responder.respond(question, routed, task.oracle.responder(responder.sql), call);
}

/** Asks until the asker stops or its budget of |Amb| + 3 decisions, the last one for stopping, is used up. */
export async function ask(underway: Underway, maxTurn: number, asking: Asking): Promise<void> {
  const { asker } = underway;
  const last = asker.reads === "agent" && asker.decidesLast === true ? maxTurn : maxTurn - 1;
  for (let turn = 1; turn <= last; turn += 1) {
    const decision: Decision = await decide(underway, asking.dialogue, { turn, maxTurn });
    if (decision.kind === "stop") {
      asking.stop = "asker";
      return;
    }
    if (decision.kind === "fallback_stop") {
      asking.stop = "fallback";
      asking.unread = decision.reply;
      return;
    }
    // On the last turn a question comes too late.
    if (turn === maxTurn) break;
    const exchanged = await exchange(decision.text, underway, asking.dialogue);
    if (hasFailed(exchanged)) {
      asking.stop = "oracle";
      asking.failure = exchanged;
      return;
    }
    asking.turns.push(exchanged.turn);
    asking.dialogue.push(exchanged.said);
  }
  asking.stop = "budget";
}
