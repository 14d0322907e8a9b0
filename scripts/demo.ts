import { join } from "node:path";
import type { Command } from "commander";
import { auditRelease } from "../pipelines/audit/release.js";
import { PIPELINES } from "../pipelines/datasets/index.js";
import { EXIT } from "../pipelines/errors.js";
import { buildReport, writeReport } from "../pipelines/evaluation/report/index.js";
import { readRun } from "../pipelines/evaluation/run/read.js";
import { openSuite } from "../pipelines/record/suite.js";
import { sampleFolder } from "../sources/index.js";
import { buildDatasets } from "./build.js";
import { runEvaluation } from "./eval.js";
import { makeRelease, orRefused } from "./release.js";
import { reportText } from "./report.js";
import { samplePredictions, sampleResponses } from "./terminal/build-options.js";
import { findingsText } from "./terminal/findings.js";
import { funnelText } from "./terminal/funnel.js";
import {
  type CommonOptions,
  DEFAULT_SEED,
  type SourceFolders,
  withCommonOptions,
} from "./terminal/options.js";
import { print, sayer, styled } from "./terminal/say.js";

/** The demo's own release, the only one that is ever replaced. */
const DEMO_VERSION = "0.0.0-demo";

/** The samples of every source that a pipeline here reads. */
function sampleSources(): SourceFolders {
  const sources = new Set(PIPELINES.map(({ source }) => source));
  return Object.fromEntries([...sources].map((source) => [source, sampleFolder(source)]));
}

const INTRODUCTION = `AmbiTab rebuilds a benchmark of ambiguous text-to-SQL tasks and evaluates systems that may ask before they answer.
This demo does the whole way on small sample sources of our own, in the upstream files' exact formats. No model is asked:
what models would say stands in files of made-up answers that ship with the samples.`;

const READING = `How to read it: "none" answers without asking, so it guesses between the readings of each request; "asker" is the lexical
baseline, which asks about words that fit several columns; "full" asks about everything that is ambiguous.`;

/** The page with every table, figure and dialogue of the demo's run. */
async function writePage(out: string, run: string, release: string): Promise<string> {
  const report = await buildReport({
    title: "AmbiTab demo: an evaluation on the bundled samples",
    runs: [{ label: undefined, run: await readRun(run) }],
    campaigns: [],
    suite: openSuite(release),
  });
  const [page] = await writeReport(report, join(out, "report"), ["html"]);
  return page!;
}

async function demo(options: CommonOptions): Promise<void> {
  const { quiet } = options;
  const out = join(options.out, "demo");
  const say = sayer(quiet);
  say(`${INTRODUCTION}\n`);
  const results = await buildDatasets([], {
    ...options,
    out,
    from: sampleSources(),
    seed: DEFAULT_SEED,
    keepGoing: false,
    strictReadings: false,
    probe: samplePredictions(),
    archives: [sampleResponses()],
    replayOnly: true,
  });
  const { folder, gate } = await makeRelease({
    out,
    quiet,
    version: DEMO_VERSION,
    publicOnly: false,
    replace: true,
  });
  const audited = await auditRelease(openSuite(folder));
  const { summary, settings } = await runEvaluation(folder, {
    ...options,
    out,
    asker: "lexical",
    oracle: "deterministic",
    solver: "reference-when-resolved",
    seeds: [0, 1, 2],
    run: join(out, "runs", "demo"),
    resume: false,
    fresh: true,
  });
  const page = await writePage(out, join(out, "runs", "demo"), folder);
  if (options.json) {
    const funnels = results.map(({ funnel }) => funnel);
    print(JSON.stringify({ funnels, gate, audited, summary, report: page }, null, 2));
  } else {
    print(`\n${styled("bold", "1. From source rows to records")}\n`);
    print(results.map(({ funnel }) => funnelText(funnel, { published: false })).join("\n\n"));
    print(`\n${styled("bold", `2. Release ${DEMO_VERSION}, checked`)}\n`);
    print(
      `${gate.references} of ${gate.verifiable} reference answers verify as right; the audit says: ${audited.length === 0 ? "nothing found" : ""}`,
    );
    if (audited.length > 0) print(findingsText(audited, 1));
    print(`\n${styled("bold", "3. An evaluation")}\n`);
    print(reportText(summary, settings));
    print(`\n${READING}`);
    print(`\nThe whole report, with figures, slices and dialogues: ${page}`);
    print("\nThree commands to try next:");
    print(`  npm run --silent ambitab -- list ${out}`);
    print(`  npm run --silent ambitab -- trace --out ${out} ambiqt/validation/row-0`);
    print(
      "  npm run --silent ambitab -- build ambiqt --from ambiqt=DIR    (DIR: your copy of AmbiQT and Spider)",
    );
  }
  if ([...audited, ...gate.findings].some(({ severity }) => severity === "error"))
    process.exitCode = EXIT.checkFailed;
}

export function register(program: Command): void {
  withCommonOptions(
    program
      .command("demo")
      .description(
        "the whole way on the bundled samples: build, release, audit, evaluate; no server, key or network",
      ),
  ).action((options: CommonOptions) => orRefused(options, () => demo(options)));
}
