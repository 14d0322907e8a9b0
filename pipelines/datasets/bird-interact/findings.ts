import type { Evidence } from "../../engine/stage.js";

/** What a stage found that changes no decision: it is counted in the funnel by its code. */
export interface Finding {
  code:
    | "repaired"
    | "merged_terms"
    | "term_not_in_request"
    | "knowledge_missing"
    | "withheld_definition_public"
    | "withheld_in_meanings"
    | "database_missing"
    | "ground_truth_missing"
    | "reference_not_verified"
    | "tests_not_run"
    | "response_needs_review"
    | "catalogue_stale";
  detail: string;
}

/** Findings as evidence for the ledger; nothing where there is none. */
export const asEvidence = (findings: readonly Finding[]): Evidence[] | undefined =>
  findings.length === 0 ? undefined : findings.map((finding) => ({ kind: "finding", ...finding }));
