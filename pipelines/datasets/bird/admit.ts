import { drop, itemStage, keep } from "../../engine/stage.js";
import type { WrittenRow } from "./items.js";
import { admission } from "./probe-answers.js";
import { PROBE_TEMPLATE } from "./prompts/probe.js";
import { modelInput } from "./rewrite.js";

/** Step 3: the probe misses the request as it stands and answers it with all resolutions; a control it answers at once. */
export const admit = itemStage({
  name: "admit",
  version: "1",
  module: import.meta.url,
  parameters: ({ models }) => ({ template: PROBE_TEMPLATE, model: models?.probe ?? null }),
  select: (row: WrittenRow) => ({ ...modelInput(row), writing: row.writing }),
  async run({ writing, ...row }, context) {
    const outcome = await admission(row, writing, context);
    if (outcome.admitted) return keep(null, outcome.evidence);
    return drop(outcome.reason, outcome.detail, { evidence: outcome.evidence });
  },
  merge: (row): WrittenRow => row,
});
