import { drop, type Evidence, itemStage, keep, type StageContext } from "../../engine/stage.js";
import { compareExecutions, type Execution, type SqlVerdict } from "../../sql/index.js";
import { evidenceOf } from "../sql-evidence.js";
import type { Probe, ProvedRow, ReplayedAnswers } from "./items.js";
import { EVIDENCE_PROBES, modelProbe, type ProbeQuestion } from "./model-probe.js";
import { PROBE_TEMPLATE } from "./prompts/probe.js";

/** Predictions of an earlier run in place of a model. */
function replayProbe(replayed: ReplayedAnswers): Probe {
  return {
    name: "replay",
    answer: (given) => {
      const prediction = replayed[given];
      const said =
        prediction === null ? "not in the file" : prediction.sql === null ? "no answer" : "answered";
      const evidence: Evidence = {
        kind: "model",
        role: "replay",
        evidence_given: given === "with",
        outcome: said,
      };
      return Promise.resolve({ sql: prediction?.sql ?? null, evidence });
    },
  };
}

type Verdict = SqlVerdict | "no_answer";

/** Asks a probe twice and compares both results with the gold's; `gold` has rows. */
async function verdictsOf(
  probe: Probe,
  input: ProbeInput,
  gold: Execution,
  context: StageContext,
): Promise<{ without: Verdict; with: Verdict; evidence: Evidence[] }> {
  // Both are asked before either is judged: a model works on them side by side.
  const answers = await Promise.all([probe.answer("without"), probe.answer("with")]);
  const evidence: Evidence[] = [];
  const verdicts: Verdict[] = [];
  for (const answer of answers) {
    if (answer.sql === null) {
      evidence.push({ ...answer.evidence, verdict: "no_answer" });
      verdicts.push("no_answer");
      continue;
    }
    const database = context.files.path(input.file);
    const execution = await context.sandbox.run({ database, sql: answer.sql });
    const { verdict } = compareExecutions("bird_ex", false, execution, gold);
    evidence.push({ ...answer.evidence, verdict }, evidenceOf(answer.sql, execution));
    verdicts.push(verdict);
  }
  const [without = "no_answer", withEvidence = "no_answer"] = verdicts;
  return { without, with: withEvidence, evidence };
}

type ProbeInput = ProbeQuestion & Pick<ProvedRow, "file" | "replayed"> & { sql: string };

/**
 * Step 4 (paper Table 5: "keep a row if [one of two models] fails without evidence and succeeds with it"). Results are
 * compared as BIRD does, and both answers with their verdicts stand in the ledger. A row is neither pass nor fail for a
 * probe that gave no answer: it drops as `probe_no_answer` unless the other probe passes it.
 */
export const probeEvidence = itemStage({
  name: "probe-evidence",
  version: "1",
  module: import.meta.url,
  parameters: ({ probe, models }) =>
    probe === undefined
      ? { probes: EVIDENCE_PROBES.map((role) => ({ role, ...models?.[role] })), template: PROBE_TEMPLATE }
      : { probes: ["replay"] },
  select: ({ file, reference, question, evidence, column_meanings, replayed }: ProvedRow): ProbeInput => ({
    file,
    sql: reference.sql,
    question,
    evidence,
    column_meanings,
    replayed,
  }),
  async run(input, context) {
    const probes: Probe[] =
      input.replayed === null
        ? EVIDENCE_PROBES.map((role) => modelProbe(role, input, context))
        : [replayProbe(input.replayed)];
    const gold = await context.sandbox.run({ database: context.files.path(input.file), sql: input.sql });
    const evidence: Evidence[] = [];
    const seen: string[] = [];
    let unanswered = false;
    for (const probe of probes) {
      const verdicts = await verdictsOf(probe, input, gold, context);
      evidence.push(...verdicts.evidence);
      seen.push(`${probe.name}: ${verdicts.without} without, ${verdicts.with} with`);
      if (verdicts.without === "no_answer" || verdicts.with === "no_answer") unanswered = true;
      else if (verdicts.without !== "match" && verdicts.with === "match") return keep(null, evidence);
    }
    const code = unanswered ? "probe_no_answer" : "evidence_not_needed";
    return drop(code, seen.join("; "), { evidence });
  },
  merge: (row): ProvedRow => row,
});
