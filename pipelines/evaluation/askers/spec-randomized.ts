import { UserError } from "../../errors.js";
import type { AgentAsker, Asker } from "./types.js";

export const SPEC_RANDOMIZED = "spec-randomized:";

/**
 * The wrapped asker, shown a donor's public specification with the true dialogue and the true record's budget (spec 4;
 * paper section A.3): what it recalls, it cannot owe to the request. Only askers that read a specification have a
 * randomized form.
 */
export function specRandomized(asker: Asker): AgentAsker {
  if (asker.reads === "script") {
    throw new UserError(`the asker "${asker.name}" reads no specification, so there is none to randomize`, {
      remedy: `wrap an asker that reads the request, such as ${SPEC_RANDOMIZED}checklist-ledger`,
    });
  }
  return { ...asker, name: `${SPEC_RANDOMIZED}${asker.name}`, readsDonor: true };
}
