import { drop, type Evidence, itemStage, keep } from "../../engine/stage.js";
import type { JudgedRow, OpenReading, Writing, WrittenRow } from "./items.js";
import { judgement } from "./judge-necessity.js";
import { admission } from "./probe-answers.js";
import { JUDGE_TEMPLATE } from "./prompts/judge.js";
import { PROBE_TEMPLATE } from "./prompts/probe.js";
import { REWRITER_TEMPLATE } from "./prompts/rewriter.js";
import { modelInput } from "./rewrite.js";
import { writeRequest } from "./write-request.js";

interface Again {
  writing: Writing;
  readings: OpenReading[];
}

/**
 * Step 4, second half: what need not be asked about is said in the request again. The request is written anew with the
 * readings that are needed alone, and has to pass everything that the first one passed; where the judge then finds one
 * more that is not needed, the row drops.
 */
export const putBack = itemStage({
  name: "put-back",
  version: "1",
  module: import.meta.url,
  parameters: ({ seed, models }) => ({
    templates: [REWRITER_TEMPLATE, PROBE_TEMPLATE, JUDGE_TEMPLATE],
    seed,
    models: models ?? null,
  }),
  select: (row: JudgedRow, { key }) => ({
    ...modelInput(row),
    key,
    writing: row.writing,
    readings: row.readings,
    needed: row.needed,
  }),
  async run({ key, writing, readings, needed, ...row }, context) {
    if (needed.every(Boolean)) return keep<Again>({ writing, readings });
    const left = readings.filter((_, at) => needed[at] === true);
    const evidence: Evidence[] = [
      { kind: "count", name: "ambiguities put back", count: readings.length - left.length },
    ];
    const written = await writeRequest(row, left, context);
    evidence.push(...written.evidence);
    if ("complaint" in written) return drop("rewrite_invalid", written.complaint, { evidence });
    const admitted = await admission(row, written.writing, context);
    evidence.push(...admitted.evidence);
    if (!admitted.admitted) return drop(admitted.reason, admitted.detail, { evidence });
    const judged = await judgement(row, key, written.writing, left, context);
    evidence.push(...judged.evidence);
    if (judged.needed === null)
      return drop("judge_no_answer", "the judge's reply cannot be used", { evidence });
    if (!judged.needed.every(Boolean)) {
      return drop("ambiguity_not_needed", "written anew, the judge would still not ask about a term", {
        evidence,
      });
    }
    return keep<Again>({ writing: written.writing, readings: left }, evidence);
  },
  merge: ({ needed: _, ...row }, again): WrittenRow => ({ ...row, ...again }),
});
