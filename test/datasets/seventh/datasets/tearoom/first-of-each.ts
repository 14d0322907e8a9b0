import { drop, keep, type Outcome, setStage } from "../../../../../pipelines/engine/stage.js";
import type { WithDatabase } from "./items.js";

/** A row that repeats another's question and columns is no task of its own: only the whole set can tell. */
export const firstOfEach = setStage({
  name: "first-of-each",
  version: "1",
  module: import.meta.url,
  project: ({ question, table, columns }: WithDatabase) => JSON.stringify([question, table, columns]),
  decide(projections) {
    const first = new Map<string, string>();
    const outcomes = new Map<string, Outcome<null>>();
    for (const { key, part } of projections) {
      const earlier = first.get(part);
      if (earlier === undefined) first.set(part, key);
      outcomes.set(key, earlier === undefined ? keep(null) : drop("equal_results", `repeats ${earlier}`));
    }
    return outcomes;
  },
  merge: (row): WithDatabase => row,
});
