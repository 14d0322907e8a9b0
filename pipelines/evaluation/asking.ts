/** The asking half of an episode (spec 4, steps 1 to 3): the asker decides, and what it asks is exchanged for an answer. */
import type { EpisodeRecord, EpisodeTurn } from "../../schemas/types/episode.js";
import type { Turn } from "../oracle/index.js";
import type { ScriptView } from "../record/views.js";
import type { AgentCall, Asker, Budget, Decision } from "./askers/index.js";
import { hasFailed, type OracleFailure } from "./oracles/index.js";
import type { Solver } from "./solvers/index.js";
import type { Task } from "./task.js";

/** The least that is recorded of a question: where others answered it, nothing else is known. */
export interface PutQuestion {
  readonly question: string;
  readonly response: string;
}

/** What an episode's questions are put to: the oracle here, or whoever holds the private zones. */
export interface Interlocutor<Put extends PutQuestion = EpisodeTurn> {
  /** |Amb|: how many counted ambiguities the record has. */
  readonly ambiguities: number;
  /** What a scripted asker is told. */
  readonly script: ScriptView;
  /** Questions that this very episode has put before, in a run that was stopped: they stand, whatever the asker says now. */
  readonly asked: readonly string[];
  answer(
    question: string,
    dialogue: readonly Turn[],
  ): Promise<{ readonly turn: Put; readonly said: Turn } | OracleFailure>;
}

/** A dialogue as far as it has come: a call that ends the episode leaves what was asked before it. */
export interface Asking<Put extends PutQuestion = EpisodeTurn> {
  turns: Put[];
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
  solver: Solver;
  seed: number;
  call: AgentCall;
  signal: AbortSignal | undefined;
}

function decide(
  { asker, task, call }: Underway,
  script: ScriptView,
  dialogue: readonly Turn[],
  budget: Budget,
): Decision | Promise<Decision> {
  if (asker.reads === "script") return asker.decide(script, budget);
  // Credits are recorded, never shown: the asker gets the words alone.
  const words = dialogue.map(({ question, response }) => ({ question, response }));
  if (asker.readsDonor !== true) return asker.decide(task.agent, words, budget, call);
  if (task.donor === undefined) throw new Error(`${asker.name} needs a donor for ${task.names.record_id}`);
  return asker.decide(task.donor.view, words, budget, call);
}

/** Asks until the asker stops or its budget of |Amb| + 3 decisions, the last one for stopping, is used up. */
export async function ask<Put extends PutQuestion>(
  underway: Underway,
  { script, asked, answer }: Interlocutor<Put>,
  maxTurn: number,
  asking: Asking<Put>,
): Promise<void> {
  const { asker } = underway;
  const last = asker.reads === "agent" && asker.decidesLast === true ? maxTurn : maxTurn - 1;
  for (let turn = 1; turn <= last; turn += 1) {
    const decision: Decision = await decide(underway, script, asking.dialogue, { turn, maxTurn });
    // On the last turn a question comes too late.
    if (turn === maxTurn && decision.kind === "question") break;
    const question = asked[turn - 1] ?? (decision.kind === "question" ? decision.text : undefined);
    if (question === undefined) {
      asking.stop = decision.kind === "fallback_stop" ? "fallback" : "asker";
      if (decision.kind === "fallback_stop") asking.unread = decision.reply;
      return;
    }
    const exchanged = await answer(question, asking.dialogue);
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
