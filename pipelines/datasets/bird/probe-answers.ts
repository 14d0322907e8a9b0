import { askModel } from "../../engine/ask-model.js";
import type { DropCode } from "../../engine/drop-codes.js";
import type { Evidence, StageContext } from "../../engine/stage.js";
import { parseSqlReply } from "../../model/index.js";
import { schemaText } from "../../record/schema-text.js";
import { schemaOf } from "../../record/sqlite-schema.js";
import { compareExecutions, type SqlVerdict } from "../../sql/index.js";
import { evidenceOf } from "../sql-evidence.js";
import type { ModelInput, Writing } from "./items.js";
import { type Clarification, PROBE_TEMPLATE, probeMessages } from "./prompts/probe.js";

/** Tokens of schema in a prompt: half of a 16k context, which leaves the other half for the rest. */
const SCHEMA_BUDGET = 8000;

/** The schema as every prompt of this dataset shows it. */
export function promptSchema({ file, column_meanings }: ModelInput, context: StageContext): string {
  const schema = schemaOf(context.files.path(file));
  return schemaText(schema, { columnMeanings: column_meanings, budget: SCHEMA_BUDGET }).text;
}

type Verdict = SqlVerdict | "no_answer";

/** The probe's SQL for a request with what was said about it, compared with the reference as BIRD compares. */
export async function probeVerdict(
  row: ModelInput,
  request: string,
  clarifications: readonly Clarification[],
  context: StageContext,
): Promise<{ verdict: Verdict; evidence: Evidence[] }> {
  const messages = probeMessages(promptSchema(row, context), request, clarifications);
  const reply = await askModel(context, { role: "probe", template: PROBE_TEMPLATE, messages });
  const call = { ...reply.evidence, clarifications: clarifications.length };
  const parsed = reply.text === null ? null : parseSqlReply(reply.text);
  if (parsed === null || parsed.outcome !== "parsed") {
    const unusable = parsed === null ? {} : { unusable: parsed.reason };
    return { verdict: "no_answer", evidence: [{ ...call, ...unusable, verdict: "no_answer" }] };
  }
  const run = (sql: string) => context.sandbox.run({ database: context.files.path(row.file), sql });
  const [answer, gold] = await Promise.all([run(parsed.sql), run(row.reference.sql)]);
  const { verdict } = compareExecutions("bird_ex", false, answer, gold);
  return { verdict, evidence: [{ ...call, verdict }, evidenceOf(parsed.sql, answer)] };
}

export type Admission =
  | { admitted: true; evidence: Evidence[] }
  | { admitted: false; reason: DropCode; detail: string; evidence: Evidence[] };

/**
 * Whether a request is what it should be for the probe (spec 2, bird, step 3): missed as it stands, answered once all is
 * said; a control is answered as it stands. A probe without an answer shows neither.
 */
export async function admission(
  row: ModelInput,
  writing: Writing,
  context: StageContext,
): Promise<Admission> {
  const { request, ambiguities } = writing;
  const alone = await probeVerdict(row, request, [], context);
  const no = (reason: DropCode, detail: string, evidence: Evidence[]): Admission => ({
    admitted: false,
    reason,
    detail,
    evidence,
  });
  if (alone.verdict === "no_answer")
    return no("probe_no_answer", "no SQL for the request alone", alone.evidence);
  if (ambiguities.length === 0) {
    return alone.verdict === "match"
      ? { admitted: true, evidence: alone.evidence }
      : no("control_not_answered", `${alone.verdict} for the request alone`, alone.evidence);
  }
  if (alone.verdict === "match") {
    return no("not_ambiguous_for_probe", "a match without clarification", alone.evidence);
  }
  const said = ambiguities.map(({ term, resolution }) => ({ term, response: resolution }));
  const resolved = await probeVerdict(row, request, said, context);
  const evidence = [...alone.evidence, ...resolved.evidence];
  if (resolved.verdict === "no_answer") {
    return no("probe_no_answer", "no SQL for the request with all resolutions", evidence);
  }
  return resolved.verdict === "match"
    ? { admitted: true, evidence }
    : no("not_resolvable_for_probe", `${resolved.verdict} with all resolutions`, evidence);
}
