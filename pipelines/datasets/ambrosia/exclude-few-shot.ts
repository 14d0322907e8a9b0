import { drop, itemStage, keep } from "../../engine/stage.js";
import type { SourceQuestion } from "./items.js";

/** Only the official test partition is converted: examples that upstream gives to prompts are counted and left out. */
export const excludeFewShot = itemStage({
  name: "exclude-few-shot",
  version: "1",
  module: import.meta.url,
  select: ({ split, readings }: SourceQuestion) => ({ split, readings: readings.length }),
  run({ split, readings }) {
    if (split === "few_shot_examples") {
      return drop("few_shot_example", `upstream's example for prompts, with ${readings} readings`);
    }
    if (split === "test") return keep(null);
    const detail = "this layout does not say the split, so few-shot examples are among the records";
    return keep(null, [{ kind: "finding", code: "split_unknown", detail }]);
  },
  merge: (question): SourceQuestion => question,
});
