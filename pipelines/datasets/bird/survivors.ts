import { compareExecutions, describeFailure, type Execution, type ResultRows } from "../../sql/index.js";
import { type Proposal, type Proposed, writeQuery } from "./readings/index.js";

export type Fate = "fails" | "empty" | "equal";

export type Survival =
  | { survived: Proposal[]; fallen: { proposal: Proposal; why: Fate; detail: string }[] }
  /** Written back from its tree the reference gives another result, so an edit of the tree would prove nothing. */
  | { misread: string };

/** No row, or nothing but NULLs: nobody would take that for an answer. */
function saysNothing({ rows }: ResultRows): boolean {
  return rows.every((row) => row.every((cell) => cell === null));
}

/**
 * Which of the proposals are readings at all (spec 2: "keep an edit only if both versions run and the results differ and
 * are not empty"), in their order. Results are compared as BIRD does.
 *
 * @param reference the statement as the record will have it
 */
export async function survivors(
  proposed: Exclude<Proposed, { unreadable: string }>,
  reference: string,
  run: (sql: string) => Promise<Execution>,
): Promise<Survival> {
  const gold = await run(reference);
  const back = await run(writeQuery(proposed.query));
  const same = compareExecutions("bird_ex", false, back, gold);
  if (gold.outcome !== "rows" || same.verdict !== "match") return { misread: same.detail ?? same.verdict };
  const survived: Proposal[] = [];
  const fallen: { proposal: Proposal; why: Fate; detail: string }[] = [];
  for (const proposal of proposed.proposals) {
    const execution = await run(proposal.sql);
    const fell = (why: Fate, detail: string): void => void fallen.push({ proposal, why, detail });
    if (execution.outcome !== "rows") fell("fails", describeFailure(execution));
    else if (saysNothing(execution) || saysNothing(gold)) fell("empty", "a result without a value");
    else if (compareExecutions("bird_ex", false, execution, gold).verdict === "match") {
      fell("equal", "the same result as the reference");
    } else survived.push(proposal);
  }
  return { survived, fallen };
}
