import { UserError } from "../../errors.js";
import { lexical } from "./lexical.js";
import { MODEL_ASKERS } from "./model.js";
import { full, fullAdversarial, none, noneAdversarial } from "./scripted.js";
import { SPEC_RANDOMIZED, specRandomized } from "./spec-randomized.js";
import type { Asker } from "./types.js";

export { SPEC_RANDOMIZED } from "./spec-randomized.js";
export type { AgentAsker, AgentCall, Asker, Budget, Decision, Exchange, ScriptedAsker } from "./types.js";
export { full, none, specRandomized };

/** Every asker that `--asker` knows by itself, in the order of spec 12. */
export const ASKERS: readonly Asker[] = [
  none,
  full,
  lexical,
  ...MODEL_ASKERS,
  fullAdversarial,
  noneAdversarial,
];

/** What `--asker` takes. */
export const ASKER_NAMES: readonly string[] = [
  ...ASKERS.map(({ name }) => name),
  `${SPEC_RANDOMIZED}<asker>`,
];

/** The asker of that name; `spec-randomized:<asker>` wraps one. */
export function askerNamed(name: string): Asker {
  if (name.startsWith(SPEC_RANDOMIZED)) return specRandomized(askerNamed(name.slice(SPEC_RANDOMIZED.length)));
  const found = ASKERS.find((one) => one.name === name);
  if (found === undefined) {
    throw new UserError(`there is no asker "${name}"`, { remedy: `askers: ${ASKER_NAMES.join(", ")}` });
  }
  return found;
}
