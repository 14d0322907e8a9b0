import { existsSync } from "node:fs";
import { join } from "node:path";
import type { Command } from "commander";
import { EXIT, UserError } from "../pipelines/errors.js";
import { askerNamed } from "../pipelines/evaluation/askers/index.js";
import {
  campaignRunFolder,
  isCampaign,
  type ReadCampaign,
  readCampaign,
  writePlan,
} from "../pipelines/evaluation/diagnostics/campaign.js";
import {
  campaignScope,
  type OracleChoice,
  type PlannedRun,
  planRuns,
  type SqlCondition,
} from "../pipelines/evaluation/diagnostics/plan.js";
import { defaultOracleSql } from "../pipelines/evaluation/oracles/index.js";
import { isOwnPart } from "../pipelines/evaluation/own/load.js";
import { campaignReport, reportText, writeReport } from "../pipelines/evaluation/report/index.js";
import { oracleKey } from "../pipelines/evaluation/report/labels.js";
import { runDonors } from "../pipelines/evaluation/run/plan.js";
import { sha256 } from "../pipelines/record/ids.js";
import { openSuite } from "../pipelines/record/suite.js";
import type { CampaignRun } from "../schemas/types/campaign.js";
import type { Dataset } from "../schemas/types/record.js";
import type { RunSettings } from "../schemas/types/run.js";
import { runPrepared } from "./eval.js";
import { quoted } from "./terminal/quoted.js";
import {
  type PreparedRun,
  prepareRun,
  type RunCommandOptions,
  withRunOptions,
} from "./terminal/run-options.js";
import { columns, print, sayer } from "./terminal/say.js";

interface DiagnoseOptions extends RunCommandOptions {
  campaign?: string;
  sqlAccess: boolean;
  whole: boolean;
}

/** A run of a campaign, ready to start. */
interface CampaignStep {
  readonly dataset: Dataset;
  readonly planned: PlannedRun;
  readonly prepared: PreparedRun;
}

/** The paper's three seeds unless the person names others. */
const SEEDS = [0, 1, 2];

const choiceOf = ({ oracle, oracleSql, matcher, responder }: DiagnoseOptions): OracleChoice => ({
  oracle,
  ...(oracleSql === undefined ? {} : { oracleSql }),
  ...(matcher === undefined ? {} : { matcher }),
  ...(responder === undefined ? {} : { responder }),
});

/** A person's own asker reads a specification, as do all of ours but the scripts. */
const isRandomizable = (asker: string): boolean => isOwnPart(asker) || askerNamed(asker).reads === "agent";

/** The condition of SQL access that the other one is compared with; there is none without an LLM responder. */
function otherSql(options: DiagnoseOptions, dataset: Dataset): SqlCondition | undefined {
  if (!options.sqlAccess) return undefined;
  if (options.oracle !== "llm" || options.responder !== undefined) {
    throw new UserError("--sql-access compares what an LLM responder reads", {
      remedy: "use it with --oracle llm",
    });
  }
  return (options.oracleSql ?? defaultOracleSql(dataset)) === "shown" ? "hidden" : "shown";
}

/** The options of one run: a single policy, on the records that the paper's campaign is on. */
function runOptions(options: DiagnoseOptions, dataset: Dataset, run: PlannedRun): RunCommandOptions {
  const { oracleSql: _sql, matcher: _matcher, responder: _responder, ...rest } = options;
  const named = options.split !== undefined || options.slice !== undefined || options.whole;
  return {
    ...rest,
    ...(named ? {} : campaignScope(dataset)),
    ...run.choice,
    dataset: [dataset],
    asker: run.asker,
  };
}

/** A folder that says what a run is for, and differs where any setting does. */
function folderName(dataset: string, { role, reference }: PlannedRun, settings: RunSettings): string {
  const under = reference ? "reference" : oracleKey(settings);
  const short = sha256(JSON.stringify({ ...settings, suite: settings.suite.hash })).slice(0, 8);
  return `${dataset}-${role}-${under}-${short}`.replaceAll(/[^\w.+-]+/g, "-");
}

const onlyAsker =
  (): ((suite: unknown, parties: { asker: { name: string } }) => RunSettings["conditions"]) =>
  (_suite, { asker }) => ({ asker: asker.name });

/** The command line that goes on with this campaign: the one that was typed. */
function resumeCommand({ resume }: DiagnoseOptions): string {
  const words = ["ambitab", ...process.argv.slice(2), ...(resume ? [] : ["--resume"])];
  return words.map(quoted).join(" ");
}

async function prepareSteps(
  path: string,
  options: DiagnoseOptions,
  campaign: string,
): Promise<CampaignStep[]> {
  const datasets = options.dataset ?? openSuite(path).datasets.map(({ dataset }) => dataset);
  const randomizable = isRandomizable(options.asker);
  const steps: CampaignStep[] = [];
  for (const name of datasets) {
    const dataset = name as Dataset;
    for (const planned of planRuns(
      options.asker,
      choiceOf(options),
      randomizable,
      otherSql(options, dataset),
    )) {
      const own = runOptions(options, dataset, planned);
      const first = await prepareRun("eval", path, { ...own, run: campaign }, onlyAsker());
      const folder = campaignRunFolder(campaign, folderName(name, planned, first.settings));
      steps.push({ dataset, planned, prepared: { ...first, folder, resumeCommand: resumeCommand(options) } });
    }
  }
  return steps;
}

/** What campaign.json says of a step. The key of an oracle is that of its asker's run, also for its hybrid's. */
function campaignRun({ dataset, planned, prepared }: CampaignStep, key: string): CampaignRun {
  const { role, reference } = planned;
  const shared = reference || role === "hybrid" || role === "spec";
  return {
    dataset,
    oracle: reference ? "deterministic" : key,
    sql: shared ? null : (prepared.settings.oracle_sql?.[dataset] ?? null),
    role,
    run: prepared.folder.split(/[/\\]/).at(-1)!,
  };
}

/** Donors are drawn before anything runs: a dataset on one database has none, and that should not be found out late. */
async function checkDonors(steps: readonly CampaignStep[]): Promise<void> {
  for (const { dataset, planned, prepared } of steps) {
    if (planned.role !== "spec" || !planned.reference) continue;
    try {
      await runDonors(prepared.suite, prepared.settings);
    } catch (cause) {
      if (!(cause instanceof UserError)) throw cause;
      throw new UserError(cause.message, {
        remedy: `leave ${dataset} out with --dataset, or take all its records with --whole`,
        cause,
      });
    }
  }
}

/** The steps as a table: what is planned, and what of it is there. */
function planText(steps: readonly CampaignStep[]): string {
  const rows = steps.map(({ dataset, planned, prepared }) => [
    dataset,
    planned.role,
    planned.asker,
    prepared.settings.oracle,
    String(prepared.settings.seeds.length),
    existsSync(join(prepared.folder, "summary.json")) ? "there" : "to run",
  ]);
  return columns(["dataset", "role", "asker", "oracle", "seeds", ""], rows);
}

function claimCampaign(folder: string, resume: boolean): void {
  if (!isCampaign(folder) || resume) return;
  throw new UserError(`there is a campaign in ${folder} already`, {
    remedy: "add --resume to go on with it or to add an oracle to it, or name another folder with --campaign",
  });
}

async function runCampaign(
  steps: readonly CampaignStep[],
  campaign: string,
  options: DiagnoseOptions,
): Promise<void> {
  const say = sayer(options.quiet);
  const [first] = steps;
  if (first === undefined) throw new UserError("there is no dataset to diagnose");
  const lead = steps.find(({ planned }) => planned.role === "asker") ?? first;
  const key = oracleKey(lead.prepared.settings);
  const { suite, solver } = first.prepared.settings;
  for (const [at, step] of steps.entries()) {
    const { folder, settings, suite: opened } = step.prepared;
    say(`run ${at + 1} of ${steps.length}: ${step.dataset}, ${step.planned.asker} under ${settings.oracle}`);
    await runPrepared({ ...step.prepared, suite: opened }, { ...options, run: folder, resume: true });
    // Written as runs finish: what is there can be read while the others run.
    writePlan(campaign, {
      schema_version: "1.0.0",
      suite_hash: suite.hash,
      asker: options.asker,
      solver,
      runs: [campaignRun(step, key)],
    });
  }
}

function isInvalid({ result }: ReadCampaign): boolean {
  return result.datasets.some(({ diagnostics }) =>
    Object.values(diagnostics).some((value) => value !== null && value.invalid.length > 0),
  );
}

async function diagnose(path: string, given: DiagnoseOptions, command: Command): Promise<void> {
  const seeds = command.getOptionValueSource("seeds") === "default" ? SEEDS : given.seeds;
  const options = { ...given, seeds };
  const name = `${options.asker}-${options.solver}`.replaceAll(/[^\w.+-]+/g, "-");
  const campaign = options.campaign ?? join(options.out, "campaigns", name);
  const steps = await prepareSteps(path, options, campaign);
  if (options.dryRun === true) {
    print(planText(steps));
    return;
  }
  claimCampaign(campaign, options.resume);
  await checkDonors(steps);
  await runCampaign(steps, campaign, options);
  const read = await readCampaign(campaign);
  const report = campaignReport([{ label: undefined, campaign: read.result, legs: read.legs }]);
  await writeReport(report, campaign, ["html", "json"]);
  if (options.json) print(JSON.stringify(read.result, null, 2));
  else print(reportText(report));
  if (isInvalid(read)) process.exitCode = EXIT.checkFailed;
}

export function register(program: Command): void {
  withRunOptions(
    program
      .command("diagnose")
      .description("the leakage campaign: the runs that the four diagnostics need, then the diagnostics")
      .option("--campaign <dir>", "the campaign's folder (default: out/campaigns/ and asker and solver)")
      .option("--sql-access", "run the LLM oracle with and without the reference SQL, and compare", false)
      .option(
        "--whole",
        "whole datasets (default: Bird and EW-Bird dev, Ambrosia's local test slice)",
        false,
      ),
    "campaign",
  ).action(diagnose);
}
