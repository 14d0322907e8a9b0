import { UserError } from "../../errors.js";
import { lexical } from "./lexical.js";
import { full, fullAdversarial, none, noneAdversarial } from "./scripted.js";
import type { Asker } from "./types.js";

export type { AgentAsker, Asker, Budget, Decision, Exchange, ScriptedAsker } from "./types.js";
export { full, none };

/** Every asker that `--asker` knows, in the order of spec 12. */
export const ASKERS: readonly Asker[] = [none, full, lexical, fullAdversarial, noneAdversarial];

/** The asker of that name. */
export function askerNamed(name: string): Asker {
  const found = ASKERS.find((one) => one.name === name);
  if (found === undefined) {
    throw new UserError(`there is no asker "${name}"`, {
      remedy: `askers: ${ASKERS.map((one) => one.name).join(", ")}`,
    });
  }
  return found;
}
