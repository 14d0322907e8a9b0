import { availableParallelism } from "node:os";
import { join, resolve } from "node:path";
import type { Command } from "commander";
import type { Finding } from "../pipelines/audit/finding.js";
import { auditRelease } from "../pipelines/audit/release.js";
import { EXIT, UserError } from "../pipelines/errors.js";
import { openSuite } from "../pipelines/record/suite.js";
import { type GateResult, gate } from "../pipelines/release/gate.js";
import { releaseTarget, writeRelease } from "../pipelines/release/write.js";
import { openSqlEngines } from "../pipelines/sql/engines.js";
import { findingsText } from "./terminal/findings.js";
import { type CommonOptions, wholeNumber, withCommonOptions } from "./terminal/options.js";
import { withProgress } from "./terminal/progress.js";
import { print } from "./terminal/say.js";

interface ReleaseCommandOptions extends CommonOptions {
  version: string;
  datasets?: string[];
  publicOnly: boolean;
  publishable?: boolean;
  jobs?: number;
}

const errorsOf = (findings: readonly Finding[]): Finding[] =>
  findings.filter(({ severity }) => severity === "error");

/** The release did not pass its gate; nothing was put in place. */
export class GateClosed extends Error {
  readonly findings: readonly Finding[];
  constructor(findings: readonly Finding[]) {
    super(`the gate is closed: ${errorsOf(findings).length} errors`);
    this.findings = findings;
  }
}

/** Makes a release of builds, behind its gate: validation, the reference run, and the audit of what was written. */
export async function makeRelease(
  options: Pick<
    ReleaseCommandOptions,
    "out" | "quiet" | "version" | "publicOnly" | "publishable" | "datasets" | "jobs"
  > & {
    replace?: boolean;
  },
): Promise<{ folder: string; gate: GateResult }> {
  const { out, quiet, version, publicOnly, publishable = false, replace = false } = options;
  const suite = openSuite(join(out, "build"));
  const names = suite.datasets.map(({ dataset }) => dataset);
  for (const name of options.datasets ?? []) {
    if (!names.includes(name)) {
      throw new UserError(`there is no build of "${name}"`, { remedy: `builds here: ${names.join(", ")}` });
    }
  }
  const chosen = suite.datasets.filter(({ dataset }) => options.datasets?.includes(dataset) ?? true);
  const jobs = options.jobs ?? availableParallelism();
  const sandbox = openSqlEngines({ children: jobs });
  try {
    return await withProgress(
      `release ${version}`,
      quiet,
      async (report) => {
        const place = { releases: join(resolve(out), "releases"), version, publicOnly, publishable, replace };
        releaseTarget(place);
        const passed = await gate(chosen, sandbox, jobs * 8, report);
        if (errorsOf(passed.findings).length > 0) throw new GateClosed(passed.findings);
        const folder = await writeRelease(chosen, place, async (written) => {
          const audited = await auditRelease(openSuite(written));
          if (errorsOf(audited).length > 0) throw new GateClosed(audited);
        });
        return { folder, gate: passed };
      },
      ({ folder, gate: { records, references, verifiable } }) =>
        `${records} records, reference run ${references} of ${verifiable} match, in ${folder}`,
    );
  } finally {
    await sandbox.close();
  }
}

/** Runs work that makes a release; a closed gate is told with its findings and is exit code 1. */
export async function orRefused(options: { json: boolean }, work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    if (!(error instanceof GateClosed)) throw error;
    if (options.json) print(JSON.stringify({ refused: true, findings: error.findings }, null, 2));
    else print(`refused: ${error.message}; nothing was written\n${findingsText(error.findings)}`);
    process.exitCode = EXIT.checkFailed;
  }
}

export function register(program: Command): void {
  withCommonOptions(
    program
      .command("release")
      .description(
        "write a versioned release of the builds; refused unless validation, audit and the reference run pass",
      )
      .requiredOption("--version <x.y.z>", "the release's version")
      .option("--datasets <name...>", "only these datasets (default: every build)")
      .option("--public-only", "leave out all that only oracle, verifier and auditor may read", false)
      .option(
        "--publishable",
        "leave out what a source's authors keep from publication; a recipe and hashes stand in for it",
        false,
      )
      .option("--jobs <n>", "SQL statements at once (default: the processors)", wholeNumber(1)),
  ).action(async (options: ReleaseCommandOptions) => {
    await orRefused(options, async () => {
      const { folder, gate: result } = await makeRelease(options);
      if (options.json) print(JSON.stringify({ folder, ...result }, null, 2));
      else print(`${folder}\n${findingsText(result.findings, 1)}`);
    });
  });
}
