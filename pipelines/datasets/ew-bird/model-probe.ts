import { askModel } from "../../engine/ask-model.js";
import type { StageContext } from "../../engine/stage.js";
import { type ModelRole, parseSqlReply } from "../../model/index.js";
import { schemaText } from "../../record/schema-text.js";
import { schemaOf } from "../../record/sqlite-schema.js";
import type { Probe, ProbeAnswer, ProvedRow } from "./items.js";
import { PROBE_TEMPLATE, probeMessages } from "./prompts/probe.js";

/** The two models that the paper asks (Table 5); a row needs one of them to be admitted. */
export const EVIDENCE_PROBES = [
  "evidence-probe-a",
  "evidence-probe-b",
] as const satisfies readonly ModelRole[];

/** Tokens of schema in a prompt: half of a 16k context, which leaves the other half for the rest. */
const SCHEMA_BUDGET = 8_000;

/** All that a probe is told of a row. */
export type ProbeQuestion = Pick<ProvedRow, "file" | "question" | "evidence" | "column_meanings">;

/**
 * A probe that asks the model of a role. A reply that was cut off, or that holds no SQL, is no answer; a server that fails
 * leaves the row undecided (`askModel`), so that its fault is never taken for the model's.
 */
export function modelProbe(role: ModelRole, row: ProbeQuestion, context: StageContext): Probe {
  const { text: schema } = schemaText(schemaOf(context.files.path(row.file)), {
    columnMeanings: row.column_meanings,
    budget: SCHEMA_BUDGET,
  });
  return {
    name: role,
    async answer(given): Promise<ProbeAnswer> {
      const messages = probeMessages(schema, row.question, given === "with" ? row.evidence : null);
      const reply = await askModel(context, { role, template: PROBE_TEMPLATE, messages });
      const evidence = { ...reply.evidence, evidence_given: given === "with" };
      if (reply.text === null) return { sql: null, evidence };
      const parsed = parseSqlReply(reply.text);
      if (parsed.outcome === "parsed") return { sql: parsed.sql, evidence };
      return { sql: null, evidence: { ...evidence, unusable: parsed.reason } };
    },
  };
}
