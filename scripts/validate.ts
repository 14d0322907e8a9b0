import { availableParallelism } from "node:os";
import type { Command } from "commander";
import { countFindings, type Finding } from "../pipelines/audit/finding.js";
import { validate } from "../pipelines/audit/validate.js";
import { EXIT } from "../pipelines/errors.js";
import { openBuilds } from "../pipelines/record/suite.js";
import { openSqliteSandbox } from "../pipelines/sql/index.js";
import { type CommonOptions, wholeNumber, withCommonOptions } from "./terminal/options.js";
import { withProgress } from "./terminal/progress.js";
import { columns, print } from "./terminal/say.js";

interface ValidateOptions extends CommonOptions {
  jobs?: number;
}

/** Validates what lies at a path; gives the number of records and every finding. */
export async function validatePath(
  path: string,
  options: { quiet: boolean; jobs?: number },
): Promise<{ records: number; findings: Finding[] }> {
  const datasets = openBuilds(path);
  const jobs = options.jobs ?? availableParallelism();
  const sandbox = openSqliteSandbox({ children: jobs });
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

/** Findings as a person reads them: counts first, then every error, then a few of each other kind. */
export function findingsText(findings: readonly Finding[], shownOfEach = 3): string {
  if (findings.length === 0) return "nothing found";
  const counts = countFindings(findings);
  const table = columns(
    ["severity", "code", "count"],
    counts.map(({ severity, code, count }) => [severity, code, String(count)]),
    [2],
  );
  const shown = counts.flatMap(({ code, severity }) => {
    const all = findings.filter((one) => one.code === code);
    const some = severity === "error" ? all.slice(0, 50) : all.slice(0, shownOfEach);
    const lines = some.map(({ place, message }) => `  ${severity} ${code}: ${place}: ${message}`);
    if (all.length > some.length)
      lines.push(`  … ${all.length - some.length} more ${code} (--json lists all)`);
    return lines;
  });
  return [table, "", ...shown].join("\n");
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
