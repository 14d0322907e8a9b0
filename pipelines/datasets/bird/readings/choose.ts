import { applyEdits, type Proposal } from "./propose.js";
import { overlaps, type Query, writeQuery } from "./tree/index.js";

/** As many readings a request leaves open at most (spec 2). */
export const MOST_READINGS = 3;
/**
 * Fewer points are not worth a person's question. 26 of the 29 doubtful proposals of the labelled sample have as many or
 * more, and 25 of its 80 others; of the held-out ones 21 of 21, and 15 of 29.
 */
export const LEAST_DOUBT = 3;

/** Whether two edits leave each other alone: no place of the one is, or holds, a place of the other. */
export function areCompatible(a: Proposal, b: Proposal): boolean {
  return a.edit.touches.every((here) => b.edit.touches.every((there) => !overlaps(here, there)));
}

/**
 * The most doubtful proposals that go together, at most three.
 *
 * @param ranked those that survived, most doubtful first
 * @param runs whether a statement runs and returns rows: asked of the edits together
 */
export async function chooseReadings(
  query: Query,
  ranked: readonly Proposal[],
  runs: (sql: string) => Promise<boolean>,
): Promise<Proposal[]> {
  const chosen: Proposal[] = [];
  for (const proposal of ranked) {
    if (chosen.length === MOST_READINGS || proposal.doubt < LEAST_DOUBT) break;
    if (!chosen.every((other) => areCompatible(proposal, other))) continue;
    const together = applyEdits(
      query,
      [...chosen, proposal].map(({ edit }) => edit),
    );
    if (chosen.length === 0 || (await runs(writeQuery(together)))) chosen.push(proposal);
  }
  return chosen;
}
