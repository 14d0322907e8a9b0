import { type Evidence, itemStage, keep } from "../../engine/stage.js";
import { sha256 } from "../../record/ids.js";
import { judgeTask } from "../../sql/postgres/index.js";
import { verifyByTests } from "../../sql/python-tests/index.js";
import type { Finding } from "./findings.js";
import type { LoadedTask, Verifiability, VerifiedTask } from "./items.js";
import { templateFiles } from "./load-database.js";

const notVerifiable = (why: string): Verifiability => ({
  verifiable: false,
  why,
  success: "comparison",
  deviation: null,
});

/** A capital, and a full stop. */
const asSentence = (text: string): string => `${text.slice(0, 1).toUpperCase()}${text.slice(1)}.`;

/**
 * Why a reference does not verify. A published recipe carries this sentence, so it must not quote the reference: of the
 * server's message it has the code alone.
 */
function whyNot(verdict: string, detail: string | undefined): string {
  const code = /\(([0-9A-Z]{5})\)/.exec(detail ?? "")?.[1];
  return `The reference does not verify against itself: ${verdict}${code === undefined ? "" : ` (SQLSTATE ${code})`}.`;
}

/**
 * Steps 5 and 6: the reference solution is run in isolation and must verify against itself, as the record will be
 * verified: by the task's own tests where these are run (`--run-upstream-tests`), else by `bird_interact`'s comparison,
 * or for Management tasks by the state that they leave. One that cannot be verified, or whose database or ground truth
 * is not here, makes a record that says so.
 *
 * The ledger names statements by their hashes: it may be published, and the ground truth may not.
 */
export const verifyReference = itemStage({
  name: "verify-reference",
  version: "1",
  module: import.meta.url,
  parameters: ({ upstream_tests }) => ({ upstream_tests: upstream_tests === true }),
  select: (task: LoadedTask) => ({
    selected_database: task.selected_database,
    dump: task.database.dump,
    ground_truth: task.ground_truth,
    setup: task.preprocess_sql,
    cleanup: task.clean_up_sqls,
    category: task.category,
    ordered: task.ordered,
  }),
  async run({ selected_database, dump, ground_truth, setup, cleanup, category, ordered }, context) {
    const missing = [ground_truth, dump].flatMap((one) => (one.here ? [] : [one.reason]));
    if (!ground_truth.here || !dump.here) {
      const evidence: Evidence[] = ground_truth.here
        ? []
        : [{ kind: "finding", code: "ground_truth_missing", detail: ground_truth.reason }];
      return keep(
        notVerifiable(missing.map(asSentence).join(" ")),
        evidence.length > 0 ? evidence : undefined,
      );
    }
    const server = await context.postgres();
    const { template } = await server.loadTemplate(selected_database, templateFiles(dump.files, context));
    const { sol_sql: reference, test_cases } = ground_truth;
    const task = {
      template,
      setup,
      cleanup,
      reference,
      category,
      comparison: { policy: "bird_interact", ordered },
    } as const;
    // Upstream decides Query tasks by its default comparison, whatever tests they have (spec 13, 5).
    const tested = category === "management" && test_cases.length > 0;
    const byTests = tested && context.settings.upstream_tests === true;
    const verification = byTests
      ? await verifyByTests(server, { ...task, test_cases }, reference)
      : await judgeTask(server, task, reference);
    const { verdict, detail } = verification;
    const success = byTests ? "tests" : "comparison";
    const evidence: Evidence[] = [
      {
        kind: "sql",
        reference_sha256: sha256(JSON.stringify(reference)),
        verified_by: byTests ? "tests" : category,
        verdict,
      },
    ];
    const findings: Finding[] = [];
    const deviation =
      tested && !byTests
        ? "upstream decides this task by tests of its own; the state that an answer leaves is compared instead"
        : null;
    if (deviation !== null) findings.push({ code: "tests_not_run", detail: deviation });
    if (verdict !== "match") {
      findings.push({ code: "reference_not_verified", detail: `the reference against itself: ${verdict}` });
    }
    evidence.push(...findings.map((finding) => ({ kind: "finding" as const, ...finding })));
    const matches = verdict === "match";
    const why = matches ? null : whyNot(verdict, detail);
    return keep<Verifiability>({ verifiable: matches, why, success, deviation }, evidence);
  },
  merge: (task, verifiability): VerifiedTask => ({
    ...task,
    verifiability,
    notes: verifiability.deviation === null ? task.notes : [...task.notes, verifiability.deviation],
  }),
});
