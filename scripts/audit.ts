import { availableParallelism } from "node:os";
import type { Command } from "commander";
import { error, type Finding } from "../pipelines/audit/finding.js";
import { auditPrompts } from "../pipelines/audit/prompts.js";
import { auditFolder } from "../pipelines/audit/release.js";
import { EXIT, UserError } from "../pipelines/errors.js";
import type { Suite } from "../pipelines/record/suite.js";
import { gate } from "../pipelines/release/gate.js";
import { openSqlEngines } from "../pipelines/sql/engines.js";
import { findingsText } from "./terminal/findings.js";
import { type CommonOptions, wholeNumber, withCommonOptions } from "./terminal/options.js";
import { withProgress } from "./terminal/progress.js";
import { print } from "./terminal/say.js";

interface AuditOptions extends CommonOptions {
  execute: boolean;
  run?: string;
  jobs?: number;
}

/** Findings after which records cannot be relied on to be there. */
const UNREADABLE = new Set(["unreadable", "schema", "zone"]);

/** Audits what lies at a path, as far as its options go; the suite is undefined where the release cannot be opened. */
async function audited(
  path: string,
  { execute, run, jobs }: AuditOptions,
  report: (text: string) => void,
): Promise<{ suite: Suite | undefined; findings: Finding[] }> {
  const { suite, findings } = await auditFolder(path);
  if (suite?.kind === "build")
    throw new UserError(`${path} is no release`, { remedy: `ambitab validate ${path} checks a build` });
  if (!execute && run === undefined) return { suite, findings };
  if (suite === undefined || findings.some(({ code }) => UNREADABLE.has(code))) {
    const message = "its records cannot be read, so no SQL was run and no prompt was scanned";
    return { suite, findings: [...findings, error("not_checked", path, message)] };
  }
  if (execute) {
    const sandbox = openSqlEngines({ children: jobs ?? availableParallelism() });
    try {
      findings.push(...(await gate(suite.datasets, sandbox, 16, report)).findings);
    } finally {
      await sandbox.close();
    }
  }
  if (run !== undefined) findings.push(...(await auditPrompts(suite, run)));
  return { suite, findings };
}

export function register(program: Command): void {
  withCommonOptions(
    program
      .command("audit")
      .description(
        "re-verify a release from its files: hashes, zones, lineage, drops, leaks; with --execute, its SQL; with --run, a run's prompts",
      )
      .argument("<path>", "a release's folder")
      .option("--execute", "also validate the records and run every reference and alternative SQL", false)
      .option("--run <dir>", "also scan what a run's askers and solvers were given for private text")
      .option("--jobs <n>", "SQL statements at once (default: the processors)", wholeNumber(1)),
  ).action(async (path: string, options: AuditOptions) => {
    const { suite, findings } = await withProgress(
      `auditing ${path}`,
      options.quiet,
      (report) => audited(path, options, report),
      ({ findings: found }) => `${found.filter(({ severity }) => severity === "error").length} errors`,
    );
    const passed = findings.every(({ severity }) => severity !== "error");
    const [name, hash] = [suite?.name ?? null, suite?.hash ?? null];
    if (options.json) print(JSON.stringify({ passed, release: name, hash, findings }, null, 2));
    else print(`release ${name ?? path}, ${hash ?? "no hash"}\n${findingsText(findings)}`);
    if (!passed) process.exitCode = EXIT.checkFailed;
  });
}
