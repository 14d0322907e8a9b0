import { UserError } from "../../errors.js";
import { modelSolver } from "./model.js";
import { replaySolver } from "./replay.js";
import { copiesLeakedSql } from "./synthetic/copies-leaked-sql.js";
import { referenceWhenResolved } from "./synthetic/reference-when-resolved.js";
import type { Solver } from "./types.js";

export type { AgentSolver, Answer, RecordedSolver, Solver, SyntheticSolver } from "./types.js";

const SYNTHETIC = [referenceWhenResolved, copiesLeakedSql];

/** Solvers that need no more than their name. */
const NAMED: readonly Solver[] = [modelSolver, ...SYNTHETIC];

/** What `--solver` takes. */
export const SOLVERS = ["model", "replay=FILE", ...SYNTHETIC.map(({ name }) => name)];

/** The solver that `--solver` names; a replayed file's hash belongs to the run's settings. */
export function solverNamed(name: string): Solver & { sha256?: string } {
  if (name.startsWith("replay=")) return replaySolver(name.slice("replay=".length));
  const found = NAMED.find((one) => one.name === name);
  if (found === undefined) {
    throw new UserError(`there is no solver "${name}"`, { remedy: `solvers: ${SOLVERS.join(", ")}` });
  }
  return found;
}
