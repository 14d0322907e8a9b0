/** A user's parts as the protocol knows them. What they are sent is listed here, and it is views and words alone. */
import { ModelError } from "../../errors.js";
import type { AgentAsker } from "../askers/index.js";
import type { RegistryMatcher, RegistryResponder } from "../oracles/index.js";
import type { Read } from "../prompts/reply.js";
import type { AgentSolver } from "../solvers/index.js";
import type { OwnPart } from "./load.js";
import { readDecisionReply, readMatchReply, readResponseReply, readSolverReply } from "./replies.js";

/** An asker; a reply that is no decision is a fallback stop, as a model's is. */
export function ownAsker(part: OwnPart): AgentAsker {
  return {
    reads: "agent",
    name: part.name,
    decidesLast: true,
    async decide(view, dialogue, { turn, maxTurn }, call) {
      const { seed, signal } = call;
      const sent = { view, dialogue, budget: { turn, max_turn: maxTurn }, seed };
      const reply = await part.invoke(sent, [view, dialogue, { turn, maxTurn }, call], signal);
      const read = readDecisionReply(reply);
      return "value" in read ? read.value : { kind: "fallback_stop", reply: read.problem };
    },
  };
}

/** A solver; a reply that is no answer is `no_answer`, which counts as wrong. */
export function ownSolver(part: OwnPart): AgentSolver {
  return {
    reads: "agent",
    name: part.name,
    async solve(view, clarifications, call) {
      const { seed, signal } = call;
      const reply = await part.invoke({ view, clarifications, seed }, [view, clarifications, call], signal);
      const read = readSolverReply(reply);
      return "value" in read ? read.value : { outcome: "no_answer", detail: read.problem };
    },
  };
}

/** A simulated user that answers with nonsense measures nobody: the run stops. */
function orStop<T>({ kind, address }: OwnPart, read: Read<T>): T {
  if ("value" in read) return read.value;
  throw new ModelError(`the ${kind} ${address} replied wrongly: ${read.problem}`, {
    remedy: `ambitab models check --${kind} ${address} shows what is expected`,
  });
}

/** A matcher; it reads what the deterministic one does. */
export function ownMatcher(part: OwnPart, signal: AbortSignal): RegistryMatcher {
  return {
    reads: "registry",
    name: part.name,
    async match(question, history, view) {
      const reply = await part.invoke({ question, history, view }, [question, history, view], signal);
      return orStop(part, readMatchReply(reply, view));
    },
  };
}

/** A responder; it reads what the deterministic one does. */
export function ownResponder(part: OwnPart, signal: AbortSignal): RegistryResponder {
  return {
    reads: "registry",
    name: part.name,
    async respond(question, credits, history, view) {
      const sent = { question, credits, history, view };
      const reply = await part.invoke(sent, [question, credits, history, view], signal);
      return orStop(part, readResponseReply(reply));
    },
  };
}
