import type { StageContext } from "../../engine/stage.js";
import { ModelError } from "../../errors.js";
import type { ModelRole } from "../../model/types.js";
import { schemaText } from "../../sql/index.js";
import type { Probe, ProbeAnswer, ProvedRow } from "./items.js";
import { PROBE_TEMPLATE, probeMessages } from "./prompts/probe.js";

/** The two models that the paper asks (Table 5); a row needs one of them to be admitted. */
export const EVIDENCE_PROBES = [
  "evidence-probe-a",
  "evidence-probe-b",
] as const satisfies readonly ModelRole[];

/** Characters of schema in a prompt: about 8,000 tokens, which leaves half of a 16k context for the rest. */
const SCHEMA_BUDGET = 28_000;

/** All that a probe is told of a row. */
export type ProbeQuestion = Pick<ProvedRow, "file" | "question" | "evidence" | "column_meanings">;

/** The statement in a reply: the object's `output`, else what stands between code fences. */
function sqlOf(reply: string): string | null {
  const output = /"output"\s*:\s*("(?:[^"\\]|\\.)*")/s.exec(reply)?.[1];
  if (output !== undefined) return (JSON.parse(output) as string).trim() || null;
  return /```(?:sql)?\s*([\s\S]*?)```/i.exec(reply)?.[1]?.trim() ?? null;
}

/**
 * A probe that asks the model of a role. A reply that was cut off or holds no SQL is no answer; a server that fails after
 * all retries stops the build, so that its fault is never taken for the model's.
 */
export function modelProbe(role: ModelRole, row: ProbeQuestion, context: StageContext): Probe {
  const schema = schemaText(context.files.path(row.file), {
    columnMeanings: row.column_meanings,
    budget: SCHEMA_BUDGET,
  });
  return {
    name: role,
    async answer(given): Promise<ProbeAnswer> {
      const withheld = given === "with" ? row.evidence : null;
      const answer = await context.model.ask({
        role,
        template: PROBE_TEMPLATE,
        messages: probeMessages(schema, row.question, withheld),
      });
      const { outcome, key } = answer;
      if (outcome === "model_error") {
        throw new ModelError(`the ${role} did not answer: ${answer.detail}`, {
          remedy: "run the same command again; what was answered is kept",
        });
      }
      const evidence = {
        kind: "model" as const,
        probe: role,
        evidence_given: given === "with",
        key,
        outcome,
      };
      if (outcome === "answered") {
        return { sql: sqlOf(answer.text), evidence: { ...evidence, model: answer.model } };
      }
      return { sql: null, evidence };
    },
  };
}
