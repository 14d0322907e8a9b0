import { error, type Finding } from "../audit/finding.js";
import { validate } from "../audit/validate.js";
import { mapOrdered } from "../engine/ordered.js";
import { ExecutionCache, verify } from "../evaluation/verifier/index.js";
import type { DatasetFolder } from "../record/suite.js";
import { verifierView } from "../record/views.js";
import type { SqlEngines } from "../sql/engines.js";

/** What a release must pass (spec 12), in this order; `version`: the steps of semantic versioning (version/steps.ts). */
export type GateName = "version" | "validation" | "reference run" | "audit";

/** Which of `gate`'s two a finding comes from. */
export const gateOf = ({ code }: Pick<Finding, "code">): GateName =>
  code === REFERENCE_RUN ? "reference run" : "validation";

const REFERENCE_RUN = "reference_run";

/** What the gate saw. It is open when no finding is an error. */
export interface GateResult {
  records: number;
  /** Verifiable records whose reference SQL the verifier calls a match. */
  references: number;
  verifiable: number;
  findings: Finding[];
}

/**
 * The gate of a release (spec 12): validation, and the reference run, in which the verifier must call every reference SQL
 * a match. The reference is executed twice there, so one that gives another result each time does not pass.
 */
export async function gate(
  datasets: readonly DatasetFolder[],
  engines: SqlEngines,
  width: number,
  report: (text: string) => void = () => undefined,
): Promise<GateResult> {
  const result: GateResult = { records: 0, references: 0, verifiable: 0, findings: [] };
  const unreadable = new Set<string>();
  for await (const { findings, record_id } of validate(datasets, engines, width)) {
    result.findings.push(...findings);
    if (findings.some(({ code }) => code === "schema" || code === "schema_version"))
      unreadable.add(record_id);
    if (record_id !== "") result.records += 1;
    report(`validated ${result.records} records`);
  }
  for (const dataset of datasets) {
    const runs = mapOrdered(dataset.records(), width, async ({ record }) => {
      const none = { record_id: String(record.record_id), verification: undefined };
      if (unreadable.has(none.record_id)) return none;
      const view = verifierView(record);
      if (!view.verifiable || view.reference_sql.length === 0) return none;
      // A cache that keeps nothing: the reference as prediction must really be run again.
      const executions = new ExecutionCache(engines, 0);
      return {
        record_id: record.record_id,
        verification: await verify(view, view.reference_sql, dataset.databases, executions),
      };
    });
    for await (const { record_id, verification } of runs) {
      if (verification === undefined) continue;
      result.verifiable += 1;
      if (verification.verdict === "match") result.references += 1;
      else {
        const message = `the reference SQL does not verify as a match: ${verification.verdict}${
          verification.detail === undefined ? "" : ` (${verification.detail})`
        }`;
        result.findings.push(error(REFERENCE_RUN, record_id, message));
      }
      report(`reference run: ${result.references} of ${result.verifiable} match`);
    }
  }
  return result;
}
