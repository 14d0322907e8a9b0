import { drop, keep, type Outcome, setStage } from "../../engine/stage.js";
import type { WrittenRow } from "./items.js";

/** The paper's controls beside its records with ambiguities (Table 4): 41 to 496 of train, 8 to 119 of dev. */
const PROPORTION: Readonly<Record<"train" | "dev", readonly [controls: number, others: number]>> = {
  train: [41, 496],
  dev: [8, 119],
};

/** As many controls belong to so many records with ambiguities: the next whole number, so that few records have one, too. */
export function controlsFor(split: "train" | "dev", ambiguous: number): number {
  const [controls, others] = PROPORTION[split];
  return Math.floor((ambiguous * controls + others - 1) / others);
}

/**
 * Step 5: rows that need no question stay as controls, at the paper's proportion. Which, is drawn among those that the
 * probe answers from the request alone.
 */
export const chooseControls = setStage({
  name: "choose-controls",
  version: "1",
  module: import.meta.url,
  parameters: ({ seed }) => ({ seed }),
  project: ({ split, writing }: WrittenRow) => ({ split, control: writing.ambiguities.length === 0 }),
  decide(projections, context) {
    const decisions = new Map<string, Outcome<null>>();
    for (const split of ["train", "dev"] as const) {
      const rows = projections.filter(({ part }) => part.split === split);
      const others = rows.filter(({ part }) => !part.control);
      const candidates = rows
        .filter(({ part }) => part.control)
        .map(({ key }) => key)
        .sort();
      const wanted = controlsFor(split, others.length);
      const order = context.draws("bird/controls", split).permutation(candidates.length);
      const chosen = new Set(order.slice(0, wanted).map((at) => candidates[at]));
      for (const { key } of others) decisions.set(key, keep(null));
      for (const key of candidates) {
        decisions.set(
          key,
          chosen.has(key)
            ? keep(null)
            : drop("control_not_chosen", `${wanted} controls belong to ${others.length} records of ${split}`),
        );
      }
    }
    return decisions;
  },
  merge: (row): WrittenRow => row,
});
