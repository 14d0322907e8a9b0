/** The asking half of an episode (spec 4, steps 1 to 3): the asker decides, and what it asks is exchanged for an answer. */
import type { EpisodeRecord, EpisodeTurn } from "../../schemas/types/episode.js";
import type { Turn } from "../oracle/index.js";
import type { AgentCall, Asker, Budget, Decision } from "./askers/index.js";
import { exchange } from "./exchange.js";
import { hasFailed, type Oracle, type OracleFailure } from "./oracles/index.js";
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

function decide({ asker, task, call }: Underway, dialogue: readonly Turn[], budget: Budget) {
  if (asker.reads === "script") return asker.decide(task.script, budget);
  // Credits are recorded, never shown: the asker gets the words alone.
  const words = dialogue.map(({ question, response }) => ({ question, response }));
  if (asker.readsDonor !== true) return asker.decide(task.agent, words, budget, call);
  if (task.donor === undefined) throw new Error(`${asker.name} needs a donor for ${task.names.record_id}`);
  return asker.decide(task.donor.view, words, budget, call);
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
    const exchanged = await exchange(decision.text, underway.task, underway, asking.dialogue);
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
