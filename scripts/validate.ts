import { availableParallelism } from "node:os";
import type { Command } from "commander";
import type { Finding } from "../pipelines/audit/finding.js";
import { validate } from "../pipelines/audit/validate.js";
import { EXIT } from "../pipelines/errors.js";
import { openSuite } from "../pipelines/record/suite.js";
import { openSqlEngines } from "../pipelines/sql/engines.js";
import { findingsText } from "./terminal/findings.js";
import { type CommonOptions, wholeNumber, withCommonOptions } from "./terminal/options.js";
import { withProgress } from "./terminal/progress.js";
import { print } from "./terminal/say.js";

interface ValidateOptions extends CommonOptions {
  jobs?: number;
}

/** Validates what lies at a path; gives the number of records and every finding. */
export async function validatePath(
  path: string,
  options: { quiet: boolean; jobs?: number },
): Promise<{ records: number; findings: Finding[] }> {
  const datasets = openSuite(path).datasets;
  const jobs = options.jobs ?? availableParallelism();
  const sandbox = openSqlEngines({ children: jobs });
  try {
    return await withProgress(
      `validating ${path}`,
      options.quiet,
      async (report) => {
        const findings: Finding[] = [];
        let records = 0;
        for await (const checked of validate(datasets, sandbox, jobs * 8)) {
          findings.push(...checked.findings);
          if (checked.record_id !== "") records += 1;
          report(`${records} records`);
        }
        return { records, findings };
      },
      ({ records, findings }) => {
        const errors = findings.filter(({ severity }) => severity === "error").length;
        return `${records} records, ${errors} errors, ${findings.length - errors} findings`;
      },
    );
  } finally {
    await sandbox.close();
  }
}

export function register(program: Command): void {
  withCommonOptions(
    program
      .command("validate")
      .description("check a build or a release against the schemas and the semantic rules")
      .argument("<path>", "a build's folder, or the folder that holds several")
      .option("--jobs <n>", "SQL statements at once (default: the processors)", wholeNumber(1)),
  ).action(async (path: string, options: ValidateOptions) => {
    const { records, findings } = await validatePath(path, options);
    const valid = findings.every(({ severity }) => severity !== "error");
    if (options.json) print(JSON.stringify({ valid, records, findings }, null, 2));
    else print(findingsText(findings));
    if (!valid) process.exitCode = EXIT.checkFailed;
  });
}
