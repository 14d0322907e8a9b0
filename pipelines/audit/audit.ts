/** The whole audit of a release: its files, and where they are asked for its SQL, its sources and a run's prompts. */
import { UserError } from "../errors.js";
import type { DatasetFolder, Suite } from "../record/suite.js";
import type { SqlEngines } from "../sql/engines.js";
import { Checks } from "./checks.js";
import { error, type Finding } from "./finding.js";
import { auditPrompts } from "./prompts.js";
import { auditFolder } from "./release.js";
import type { AuditReport } from "./report.js";
import type { SourceRoot } from "./source-rows.js";
import { checkStability } from "./stability.js";

/** Runs a release's gate, validation and the reference run, on datasets that are whole. The gate calls the audit's checks. */
export type RunGate = (
  datasets: readonly DatasetFolder[],
  engines: SqlEngines,
  report: (text: string) => void,
) => Promise<{ records: number; references: number; verifiable: number; findings: Finding[] }>;

/** What is looked at beside the files. */
export interface AuditWish {
  /** Runs the SQL: validation, the reference run, ties and row order; and looks into the databases' cells. */
  execute?: { engines: SqlEngines; gate: RunGate; width: number };
  /** A run's folder, whose prompts are scanned. */
  run?: string;
  /** A source's folder, where it is here. Undefined: sources are not asked for. */
  rootOf?: SourceRoot;
  report?: (text: string) => void;
}

/** Findings after which records cannot be relied on to be there. */
const UNREADABLE: ReadonlySet<string> = new Set(["unreadable", "schema", "zone", "manifest", "not_checked"]);

/** Most findings are about a record, whose id begins with its dataset. */
function ofDataset(finding: Finding, names: ReadonlySet<string>): Finding {
  const [first = ""] = finding.place.split("/");
  return finding.dataset === undefined && names.has(first) ? { ...finding, dataset: first } : finding;
}

async function executed(
  suite: Suite,
  { engines, gate, width }: NonNullable<AuditWish["execute"]>,
  checks: Checks,
  report: (text: string) => void,
): Promise<Finding[]> {
  const whole = suite.datasets.filter((dataset) => dataset.whole);
  for (const { dataset } of suite.datasets.filter((one) => !one.whole))
    checks.leftOut(
      "reference SQL run and verified as a match",
      `${dataset} is here without its verifier zone`,
    );
  const gated = await gate(whole, engines, report);
  checks.add("records validated, their alternatives run and compared", gated.records);
  checks.add("reference SQL run and verified as a match", gated.verifiable);
  // What a reference that does not run leaves undecided has no answer.
  if (gated.findings.some(({ code }) => code === "schema" || code === "schema_version"))
    return gated.findings;
  return [...gated.findings, ...(await checkStability(whole, engines, width, checks, report))];
}

/**
 * Audits what a person names as a release. Whatever was done to its files is a finding, never an exception.
 *
 * @throws UserError when the folder is a build, or no release at all
 */
export async function audit(path: string, wish: AuditWish = {}): Promise<AuditReport> {
  const { execute, run, rootOf, report = () => undefined } = wish;
  const checks = new Checks();
  const { suite, findings } = await auditFolder(path, { checks, cells: execute !== undefined, report });
  if (suite?.kind === "build")
    throw new UserError(`${path} is no release`, { remedy: `ambitab validate ${path} checks a build` });
  const readable = suite !== undefined && findings.every(({ code }) => !UNREADABLE.has(code));
  if (!readable && (execute !== undefined || run !== undefined)) {
    const message = "its records cannot be read, so no SQL was run and no prompt was scanned";
    findings.push(error("not_checked", path, message));
  }
  if (suite !== undefined && rootOf !== undefined) {
    // Imported when it is wanted: every dataset's pipeline comes with it.
    const { checkSourceRows } = await import("./source-rows.js");
    findings.push(...(await checkSourceRows(suite, rootOf, checks)));
  }
  if (readable && execute !== undefined) findings.push(...(await executed(suite, execute, checks, report)));
  if (readable && run !== undefined) findings.push(...(await auditPrompts(suite, run, checks)));
  const names = new Set(suite?.datasets.map(({ dataset }) => dataset));
  return {
    passed: findings.every(({ severity }) => severity !== "error"),
    release: suite?.name ?? null,
    hash: suite?.hash ?? null,
    checks: checks.all(),
    findings: findings.map((one) => ofDataset(one, names)),
  };
}
