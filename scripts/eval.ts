import { rmSync } from "node:fs";
import { availableParallelism } from "node:os";
import { join } from "node:path";
import { type Command, InvalidArgumentError } from "commander";
import { UserError } from "../pipelines/errors.js";
import { ASKERS, askerNamed } from "../pipelines/evaluation/askers/index.js";
import { ORACLES, oracleNamed } from "../pipelines/evaluation/oracles/index.js";
import { evaluate } from "../pipelines/evaluation/run/index.js";
import { SOLVERS, solverNamed } from "../pipelines/evaluation/solvers/index.js";
import { PACKAGE_VERSION } from "../pipelines/package-root.js";
import { sha256 } from "../pipelines/record/ids.js";
import { openSuite } from "../pipelines/record/suite.js";
import { openSqlEngines } from "../pipelines/sql/engines.js";
import type { Dataset } from "../schemas/types/record.js";
import type { RunSettings } from "../schemas/types/run.js";
import type { RunSummary } from "../schemas/types/summary.js";
import { reportText } from "./report.js";
import { interruptible } from "./terminal/interrupt.js";
import { type CommonOptions, wholeNumber, withCommonOptions } from "./terminal/options.js";
import { withProgress } from "./terminal/progress.js";
import { print } from "./terminal/say.js";

export interface EvalOptions extends CommonOptions {
  dataset?: string[];
  asker: string;
  oracle: string;
  solver: string;
  seeds: number[];
  split?: string;
  slice?: string;
  limit?: number;
  run?: string;
  resume: boolean;
  /** Empties the run's folder first: only the demo, whose run is its own. */
  fresh?: boolean;
  jobs?: number;
}

function seedList(text: string): number[] {
  const seeds = text.split(",").map((part) => wholeNumber(0)(part.trim()));
  if (new Set(seeds).size !== seeds.length) throw new InvalidArgumentError("a seed stands twice");
  return seeds;
}

/** An argument as a shell takes it. */
const quoted = (word: string): string =>
  /^[\w./=:,@%+-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`;

/** The command line that goes on with an interrupted run. */
function resumeCommand(
  path: string,
  datasets: readonly string[],
  folder: string,
  options: EvalOptions,
): string {
  const { asker, oracle, solver, seeds, split, slice, limit, jobs } = options;
  const words = ["ambitab", "eval", path, ...datasets.flatMap((name) => ["--dataset", name])];
  words.push("--asker", asker, "--oracle", oracle, "--solver", solver, "--seeds", seeds.join(","));
  const rest = { split, slice, limit, jobs };
  for (const [name, value] of Object.entries(rest)) {
    if (value !== undefined) words.push(`--${name}`, String(value));
  }
  return [...words, "--run", folder, "--resume"].map(quoted).join(" ");
}

/** Runs an evaluation and gives its folder, settings and summary. */
export async function runEvaluation(
  path: string,
  options: EvalOptions,
): Promise<{ folder: string; settings: RunSettings; summary: RunSummary }> {
  const suite = openSuite(path);
  const present = suite.datasets.map(({ dataset }) => dataset);
  const datasets = options.dataset ?? present;
  for (const name of datasets) {
    if (!present.includes(name)) {
      throw new UserError(`${path} holds no dataset "${name}"`, { remedy: `it holds ${present.join(", ")}` });
    }
    oracleNamed(options.oracle, name as Dataset);
  }
  askerNamed(options.asker);
  const solver = solverNamed(options.solver);
  const settings: RunSettings = {
    schema_version: "1.0.0",
    tool: `ambitab ${PACKAGE_VERSION}`,
    suite: { kind: suite.kind, name: suite.name, hash: suite.hash },
    datasets: [...datasets].sort(),
    split: options.split ?? null,
    slice: options.slice ?? null,
    limit: options.limit ?? null,
    asker: options.asker,
    oracle: options.oracle,
    solver: solver.name,
    ...(solver.sha256 === undefined ? {} : { predictions_sha256: solver.sha256 }),
    synthetic: solver.reads === "verifier",
    seeds: [...options.seeds].sort((a, b) => a - b),
    conditions: { none: "none", asker: options.asker, full: "full" },
  };
  const short = sha256(JSON.stringify(settings)).slice(0, 8);
  const name = `${datasets.join("+")}-${options.asker}-${options.oracle}-${solver.name}-${short}`.replaceAll(
    ":",
    "-",
  );
  const folder = options.run ?? join(options.out, "runs", name);
  const again = resumeCommand(path, datasets, folder, options);
  if (options.fresh === true) rmSync(folder, { recursive: true, force: true });
  const jobs = options.jobs ?? availableParallelism();
  const sandbox = openSqlEngines({ children: jobs });
  try {
    const summary = await interruptible((signal) =>
      withProgress(
        `evaluating ${datasets.join(", ")}`,
        options.quiet,
        (report) =>
          evaluate({
            folder,
            suite,
            settings,
            solver,
            sandbox,
            width: jobs * 8,
            resume: options.resume,
            signal,
            resumeCommand: again,
            onProgress: (done) => report(`${done.toLocaleString("en-US")} episodes`),
          }),
        ({ datasets: done }) => {
          const episodes = Object.values(done).reduce((sum, one) => sum + one.episodes, 0);
          return `${episodes.toLocaleString("en-US")} episodes in ${folder}`;
        },
      ),
    );
    return { folder, settings, summary };
  } finally {
    await sandbox.close();
  }
}

export function register(program: Command): void {
  withCommonOptions(
    program
      .command("eval")
      .description(
        "run ask-then-solve episodes under three conditions (ask nothing, the asker, ask all) and score them",
      )
      .argument("<path>", "a release, or a build folder such as out/build")
      .option("--dataset <name...>", "only these datasets (default: all that are there)")
      .requiredOption("--asker <name>", `one of ${ASKERS.map(({ name }) => name).join(", ")}`)
      .option("--oracle <name>", `one of ${ORACLES.join(", ")}`, "deterministic")
      .requiredOption("--solver <name>", `one of ${SOLVERS.join(", ")}`)
      .option("--seeds <list>", "seeds, separated by commas", seedList, [0])
      .option("--split <name>", "only records of this split")
      .option("--slice <name>", "only records of this slice")
      .option("--limit <n>", "the first records of each dataset only", wholeNumber(1))
      .option("--run <dir>", "the run's folder (default: out/runs/ and a name made of the settings)")
      .option("--resume", "go on with a run that was stopped", false)
      .option("--jobs <n>", "SQL statements at once (default: the processors)", wholeNumber(1)),
  ).action(async (path: string, options: EvalOptions) => {
    const { folder, settings, summary } = await runEvaluation(path, options);
    if (options.json) print(JSON.stringify({ folder, ...summary }, null, 2));
    else print(reportText(summary, settings));
  });
}
