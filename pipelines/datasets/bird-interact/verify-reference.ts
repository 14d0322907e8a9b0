import { type Evidence, itemStage, keep } from "../../engine/stage.js";
import { sha256 } from "../../record/ids.js";
import { verifyByTests, verifyPostgresTask } from "../../sql/postgres-task/index.js";
import type { Finding } from "./findings.js";
import type { LoadedTask, Verifiability, VerifiedTask } from "./items.js";
import { templateFiles } from "./load-database.js";

const notVerifiable = (why: string): Verifiability => ({ verifiable: false, why, success: "comparison" });

/** A capital, and a full stop. */
const asSentence = (text: string): string => `${text.slice(0, 1).toUpperCase()}${text.slice(1)}.`;

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
    const byTests = context.settings.upstream_tests === true && test_cases.length > 0;
    const verification = byTests
      ? await verifyByTests(server, { ...task, test_cases }, reference)
      : await verifyPostgresTask(server, task, reference);
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
    if (test_cases.length > 0 && !byTests) {
      const instead = category === "management" ? "the state that it leaves" : "its result";
      findings.push({
        code: "tests_not_run",
        detail: `upstream decides this task by ${test_cases.length} tests of its own; ${instead} is compared instead`,
      });
    }
    if (verdict !== "match") {
      findings.push({ code: "reference_not_verified", detail: `the reference against itself: ${verdict}` });
    }
    evidence.push(...findings.map((finding) => ({ kind: "finding" as const, ...finding })));
    if (verdict === "match") return keep<Verifiability>({ verifiable: true, why: null, success }, evidence);
    const why = `The reference does not verify against itself: ${detail ?? verdict}.`;
    return keep<Verifiability>({ verifiable: false, why, success }, evidence);
  },
  merge: (task, verifiability): VerifiedTask => ({ ...task, verifiability }),
});
