import { drop, itemStage, keep } from "../../engine/stage.js";
import type { ModelInput, ReadRow, Writing, WrittenRow } from "./items.js";
import { REWRITER_TEMPLATE } from "./prompts/rewriter.js";
import { writeRequest } from "./write-request.js";

/** What the model-made stages read of a row. */
export function modelInput({ file, question, evidence, column_meanings, reference }: ModelInput): ModelInput {
  return { file, question, evidence, column_meanings, reference };
}

/** Step 2: the question as a request that leaves its readings open. A row without any keeps its question as it is. */
export const rewrite = itemStage({
  name: "rewrite",
  version: "1",
  module: import.meta.url,
  parameters: ({ models }) => ({ template: REWRITER_TEMPLATE, model: models?.rewriter ?? null }),
  select: (row: ReadRow) => ({ ...modelInput(row), readings: row.readings }),
  async run({ readings, ...row }, context) {
    if (readings.length === 0) return keep<Writing>({ request: row.question.trim(), ambiguities: [] });
    const outcome = await writeRequest(row, readings, context);
    if ("complaint" in outcome)
      return drop("rewrite_invalid", outcome.complaint, { evidence: outcome.evidence });
    return keep<Writing>(outcome.writing, outcome.evidence);
  },
  merge: (row, writing): WrittenRow => ({ ...row, writing }),
});
