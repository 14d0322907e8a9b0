import { existsSync } from "node:fs";
import { basename, join, resolve } from "node:path";
import { type Command, InvalidArgumentError } from "commander";
import { UserError } from "../pipelines/errors.js";
import { isCampaign, readCampaign } from "../pipelines/evaluation/diagnostics/campaign.js";
import {
  buildReport,
  reportText as documentText,
  type LabelledCampaign,
  type LabelledRun,
  REPORT_FORMATS,
  type ReportFormat,
  writeReport,
} from "../pipelines/evaluation/report/index.js";
import { textReport } from "../pipelines/evaluation/report/text.js";
import { readRun } from "../pipelines/evaluation/run/read.js";
import { openSuite, type Suite } from "../pipelines/record/suite.js";
import type { RunSettings } from "../schemas/types/run.js";
import type { RunSummary } from "../schemas/types/summary.js";
import { type CommonOptions, wholeNumber, withCommonOptions } from "./terminal/options.js";
import { columns, print } from "./terminal/say.js";

interface ReportOptions extends CommonOptions {
  format: ReportFormat[];
  to?: string;
  suite?: string;
  worst: number;
}

/** The text report of a run, laid out for a terminal. */
export function reportText(summary: RunSummary, settings: RunSettings): string {
  return textReport(summary, settings, ([header, ...rows]) => columns(header ?? [], rows));
}

/** `text,html,png` → formats. */
export function formatList(text: string): ReportFormat[] {
  return text.split(",").map((part) => {
    const format = REPORT_FORMATS.find((one) => one === part.trim());
    if (format === undefined)
      throw new InvalidArgumentError(
        `there is no format "${part}"; choose from ${REPORT_FORMATS.join(", ")}`,
      );
    return format;
  });
}

/** `base=out/runs/x` is a folder with what the person calls it; a folder that is there as typed has no label. */
export function labelled(argument: string): { label: string | undefined; folder: string } {
  const at = argument.indexOf("=");
  if (existsSync(argument) || at < 1) return { label: undefined, folder: argument };
  return { label: argument.slice(0, at), folder: argument.slice(at + 1) };
}

/**
 * The build or release that the runs were made on: the named one, else the one that run.json names where it is still
 * there and still the same. Without it a report has fewer slices.
 */
function suiteOf(runs: readonly LabelledRun[], named: string | undefined, out: string): Suite | undefined {
  const hashes = new Set(runs.map(({ run }) => run.settings.suite.hash));
  if (named !== undefined) {
    const suite = openSuite(named);
    if (hashes.size > 0 && !hashes.has(suite.hash)) {
      throw new UserError(`${named} is not what the runs were made on: its hash is another`, {
        remedy: "name the build or release that the runs' run.json names under suite",
      });
    }
    return suite;
  }
  const places = runs
    .map(({ run }) => run.settings.suite)
    .map(({ kind, name }) => (kind === "release" ? join(out, "releases", name) : name));
  for (const place of new Set(places)) {
    if (!existsSync(place)) continue;
    const suite = openSuite(place);
    if (hashes.has(suite.hash) && suite.datasets.every(({ whole }) => whole)) return suite;
  }
  return undefined;
}

async function readAll(
  folders: readonly string[],
): Promise<{ runs: LabelledRun[]; campaigns: LabelledCampaign[] }> {
  const runs: LabelledRun[] = [];
  const campaigns: LabelledCampaign[] = [];
  for (const argument of folders) {
    const { label, folder } = labelled(argument);
    if (isCampaign(folder)) {
      const { result, legs } = await readCampaign(folder);
      campaigns.push({ label, campaign: result, legs });
    } else runs.push({ label, run: await readRun(folder) });
  }
  return { runs, campaigns };
}

/** Where a report of these folders lies unless the person says otherwise. */
function reportFolder(out: string, [first = "report", ...others]: readonly string[]): string {
  const name = basename(resolve(labelled(first).folder));
  return join(out, "reports", others.length === 0 ? name : `${name}-and-${others.length}-more`);
}

async function report(folders: string[], options: ReportOptions): Promise<void> {
  const { runs, campaigns } = await readAll(folders);
  if (options.json && options.format.length === 0) {
    const summaries = runs.map(({ run }) => run.summary);
    print(JSON.stringify(summaries, null, 2));
    return;
  }
  const suite = suiteOf(runs, options.suite, options.out);
  const made = await buildReport({
    runs,
    campaigns,
    worst: options.worst,
    ...(suite === undefined ? {} : { suite }),
  });
  const formats = options.format.length === 0 ? (["text"] as const) : options.format;
  const [only] = formats;
  if (formats.length === 1 && only === "text" && options.to === undefined) {
    print(documentText(made));
    return;
  }
  const files = await writeReport(made, options.to ?? reportFolder(options.out, folders), formats);
  print(options.json ? JSON.stringify({ files }, null, 2) : files.join("\n"));
}

export function register(program: Command): void {
  withCommonOptions(
    program
      .command("report")
      .description(
        "tables, figures and transcripts of finished or running evaluations, ours beside the paper's",
      )
      .argument(
        "<run...>",
        "folders that eval or diagnose wrote; LABEL=FOLDER names a policy, the first is the base",
      )
      .option("--format <list>", `of ${REPORT_FORMATS.join(", ")} (default: text, printed)`, formatList, [])
      .option("--to <dir>", "where files go (default: out/reports/ and the first run's name)")
      .option("--suite <path>", "the build or release of the runs, for slices (default: found by run.json)")
      .option("--worst <n>", "records per run and dataset whose dialogues are shown", wholeNumber(0), 3),
  ).action(report);
}
