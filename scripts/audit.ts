import { availableParallelism } from "node:os";
import type { Command } from "commander";
import { auditRelease } from "../pipelines/audit/release.js";
import { EXIT, UserError } from "../pipelines/errors.js";
import { openSuite } from "../pipelines/record/suite.js";
import { gate } from "../pipelines/release/gate.js";
import { openSqliteSandbox } from "../pipelines/sql/index.js";
import { findingsText } from "./terminal/findings.js";
import { type CommonOptions, wholeNumber, withCommonOptions } from "./terminal/options.js";
import { withProgress } from "./terminal/progress.js";
import { print } from "./terminal/say.js";

interface AuditOptions extends CommonOptions {
  execute: boolean;
  jobs?: number;
}

export function register(program: Command): void {
  withCommonOptions(
    program
      .command("audit")
      .description(
        "re-verify a release from its files: hashes, zones, lineage, drops, leaks; with --execute, its SQL",
      )
      .argument("<path>", "a release's folder")
      .option("--execute", "also validate the records and run every reference and alternative SQL", false)
      .option("--jobs <n>", "SQL statements at once (default: the processors)", wholeNumber(1)),
  ).action(async (path: string, options: AuditOptions) => {
    const suite = openSuite(path);
    if (suite.kind !== "release") {
      throw new UserError(`${path} is no release`, { remedy: `ambitab validate ${path} checks a build` });
    }
    const findings = await withProgress(
      `auditing ${path}`,
      options.quiet,
      async (report) => {
        const found = await auditRelease(suite);
        if (!options.execute) return found;
        const sandbox = openSqliteSandbox({ children: options.jobs ?? availableParallelism() });
        try {
          return [...found, ...(await gate(suite.datasets, sandbox, 16, report)).findings];
        } finally {
          await sandbox.close();
        }
      },
      (found) => `${found.filter(({ severity }) => severity === "error").length} errors`,
    );
    const passed = findings.every(({ severity }) => severity !== "error");
    if (options.json)
      print(JSON.stringify({ passed, release: suite.name, hash: suite.hash, findings }, null, 2));
    else print(`release ${suite.name}, ${suite.hash}\n${findingsText(findings)}`);
    if (!passed) process.exitCode = EXIT.checkFailed;
  });
}
