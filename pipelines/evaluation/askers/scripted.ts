/** The protocol's scripted askers (spec 4, "Askers"; paper sections A.3 and C.2). */
import { adversarialQuestion, canonicalQuestion, GENERIC_QUESTIONS } from "../../oracle/index.js";
import type { Decision, ScriptedAsker } from "./types.js";

const STOP: Decision = { kind: "stop" };

/** Asks about each registered term once, in annotation order, in the given words. */
function oncePerTerm(name: string, wording: (term: string) => string): ScriptedAsker {
  return {
    reads: "script",
    name,
    decide({ terms }, { turn }) {
      const term = terms[turn - 1];
      return term === undefined ? STOP : { kind: "question", text: wording(term) };
    },
  };
}

/** Stops at once. */
export const none: ScriptedAsker = { reads: "script", name: "none", decide: () => STOP };

/** One canonical question per counted term, then stops. */
export const full = oncePerTerm("full", canonicalQuestion);

/** The full asker's questions, each followed by the protocol's plea for detail and SQL. */
export const fullAdversarial = oncePerTerm("full-adversarial", adversarialQuestion);

/** Spends the whole budget of |Amb| + 2 questions on two generic ones in turn. */
export const noneAdversarial: ScriptedAsker = {
  reads: "script",
  name: "none-adversarial",
  decide: (_script, { turn }) => ({ kind: "question", text: GENERIC_QUESTIONS[(turn - 1) % 2]! }),
};
