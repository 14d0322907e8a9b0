import { availableParallelism } from "node:os";
import { join, resolve } from "node:path";
import type { Command } from "commander";
import type { Finding } from "../pipelines/audit/finding.js";
import { auditRelease } from "../pipelines/audit/release.js";
import { EXIT, SourceError, UserError } from "../pipelines/errors.js";
import { storePath } from "../pipelines/model/client.js";
import { type DatasetFolder, openSuite } from "../pipelines/record/suite.js";
import { type GateName, type GateResult, gate, gateOf } from "../pipelines/release/gate.js";
import { clearReleases, releaseTarget, releaseVersion } from "../pipelines/release/place.js";
import { type History, versionFindings } from "../pipelines/release/version/history.js";
import {
  type ReleaseOptions,
  releaseHistory,
  type Written,
  writeRelease,
} from "../pipelines/release/write.js";
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
  previous?: string;
  tar?: boolean;
  jobs?: number;
}

const errorsOf = (findings: readonly Finding[]): Finding[] =>
  findings.filter(({ severity }) => severity === "error");

/** The release did not pass its gate; nothing was put in place. */
export class GateClosed extends Error {
  readonly findings: readonly Finding[];
  /** Where it is closed. */
  readonly gates: readonly GateName[];
  /** @param seenAt the gate of a finding */
  constructor(findings: readonly Finding[], seenAt: (finding: Finding) => GateName) {
    const errors = new Map<GateName, number>();
    for (const one of errorsOf(findings)) errors.set(seenAt(one), (errors.get(seenAt(one)) ?? 0) + 1);
    const told = [...errors].map(([gate, count]) => `${gate} (${count} error${count === 1 ? "" : "s"})`);
    super(`the gate is closed: ${told.join(", ")}`);
    this.findings = findings;
    this.gates = [...errors.keys()];
  }
}

/** Throws where the gate is closed. */
function assertOpen(findings: readonly Finding[], seenAt: (finding: Finding) => GateName): void {
  if (errorsOf(findings).length > 0) throw new GateClosed(findings, seenAt);
}

/** The builds that are to be released. */
function chosenBuilds(out: string, wanted: readonly string[] | undefined): DatasetFolder[] {
  const { datasets } = openSuite(join(out, "build"));
  const names = datasets.map(({ dataset }) => dataset);
  for (const name of wanted ?? []) {
    if (!names.includes(name)) {
      throw new UserError(`there is no build of "${name}"`, { remedy: `builds here: ${names.join(", ")}` });
    }
  }
  return datasets.filter(({ dataset }) => wanted?.includes(dataset) ?? true);
}

/** A build's line that cannot be read is for the validation to tell, with all else that is wrong. */
async function compare(
  datasets: readonly DatasetFolder[],
  place: ReleaseOptions,
): Promise<History | SourceError> {
  try {
    return await releaseHistory(datasets, place);
  } catch (error) {
    if (error instanceof SourceError) return error;
    throw error;
  }
}

/**
 * Makes a release of builds, behind its gate: the version, validation, the reference run, and the audit of what was
 * written.
 */
export async function makeRelease(
  options: Omit<ReleaseCommandOptions, "json" | "seed"> & { replace?: boolean },
): Promise<Written & { gate: GateResult }> {
  const { out, quiet, version, publicOnly } = options;
  const { publishable = false, replace = false, tar = false, previous } = options;
  const chosen = chosenBuilds(out, options.datasets);
  const jobs = options.jobs ?? availableParallelism();
  const releases = join(resolve(out), "releases");
  const place: ReleaseOptions = {
    ...{ releases, version, publicOnly, publishable, replace, tar, answers: storePath(out) },
    ...(previous === undefined ? {} : { previous }),
  };
  const sandbox = openSqlEngines({ children: jobs });
  try {
    return await withProgress(
      `release ${version}`,
      quiet,
      async (report) => {
        releaseVersion(version);
        clearReleases(releases);
        releaseTarget(place);
        report("comparing with the release before");
        const compared = await compare(chosen, place);
        if (!(compared instanceof SourceError)) assertOpen(versionFindings(compared), () => "version");
        const passed = await gate(chosen, sandbox, jobs * 8, report);
        assertOpen(passed.findings, gateOf);
        if (compared instanceof SourceError) throw compared;
        report("writing");
        const audit = async (folder: string): Promise<void> =>
          assertOpen(await auditRelease(openSuite(folder)), () => "audit");
        return { ...(await writeRelease(chosen, place, audit, compared)), gate: passed };
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
    const { gates, findings } = error;
    if (options.json) print(JSON.stringify({ refused: true, gates, findings }, null, 2));
    else print(`refused: ${error.message}; nothing was written\n${findingsText(findings)}`);
    process.exitCode = EXIT.checkFailed;
  }
}

export function register(program: Command): void {
  withCommonOptions(
    program
      .command("release")
      .description(
        "write a versioned release of the builds; refused unless its version steps far enough from the release before, and validation, the reference run and the audit pass",
      )
      .requiredOption(
        "--version <x.y.z>",
        "the release's version: what is gone or changed asks for a major step, what was added for a minor one",
      )
      .option("--datasets <name...>", "only these datasets (default: every build)")
      .option("--public-only", "leave out all that only oracle, verifier and auditor may read", false)
      .option(
        "--publishable",
        "leave out what a source's authors keep from publication; a recipe and hashes stand in for it",
        false,
      )
      .option(
        "--previous <dir>",
        "the release that CHANGELOG.md is written against (default: the highest lower version)",
      )
      .option("--tar", "also pack it as <version>.tar.gz beside it, the same bytes everywhere", false)
      .option("--jobs <n>", "SQL statements at once (default: the processors)", wholeNumber(1)),
  ).action(async (options: ReleaseCommandOptions) => {
    await orRefused(options, async () => {
      const { folder, archive, gate: result } = await makeRelease(options);
      if (options.json) print(JSON.stringify({ folder, archive, ...result }, null, 2));
      else print([folder, archive?.path ?? [], findingsText(result.findings, 1)].flat().join("\n"));
    });
  });
}
