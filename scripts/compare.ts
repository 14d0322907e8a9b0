import type { Command } from "commander";
import { UserError } from "../pipelines/errors.js";
import { compareRuns } from "../pipelines/evaluation/comparison/index.js";
import { isCampaign, readCampaign } from "../pipelines/evaluation/diagnostics/campaign.js";
import {
  comparisonReport,
  policyReport,
  type Report,
  type ReportFormat,
  reportText,
  writeReport,
} from "../pipelines/evaluation/report/index.js";
import { readRun } from "../pipelines/evaluation/run/read.js";
import { formatList, labelled } from "./report.js";
import { type CommonOptions, wholeNumber, withCommonOptions } from "./terminal/options.js";
import { print } from "./terminal/say.js";

interface CompareOptions extends CommonOptions {
  format: ReportFormat[];
  to?: string;
  changed: number;
}

/** Two campaigns are compared by their diagnostics: one policy minus the other (paper, Table 17). */
async function compareCampaigns(a: string, b: string): Promise<Report> {
  const [first, second] = [await readCampaign(a), await readCampaign(b)];
  return policyReport(
    { label: labelled(a).label, campaign: first.result, legs: first.legs },
    { label: labelled(b).label, campaign: second.result, legs: second.legs },
  );
}

async function compare(a: string, b: string, options: CompareOptions): Promise<void> {
  if (isCampaign(a) && isCampaign(b)) {
    const report = await compareCampaigns(a, b);
    print(options.json ? JSON.stringify(report, null, 2) : reportText(report));
    return;
  }
  const comparison = compareRuns(await readRun(a), await readRun(b));
  if (comparison.datasets.length === 0) {
    throw new UserError(`${a} and ${b} have no dataset in common`, {
      remedy: "compare two runs on the same dataset",
    });
  }
  if (options.json && options.format.length === 0) {
    print(JSON.stringify(comparison, null, 2));
    return;
  }
  const report = comparisonReport(comparison, options.changed);
  if (options.to === undefined) {
    if (options.format.some((format) => format !== "text")) {
      throw new UserError("files need a place", { remedy: "add --to DIR" });
    }
    print(reportText(report));
    return;
  }
  print((await writeReport(report, options.to, options.format)).join("\n"));
}

export function register(program: Command): void {
  withCommonOptions(
    program
      .command("compare")
      .description("paired differences of two runs, with AVT-cluster intervals, and the records that changed")
      .argument("<a>", "a run's folder, or a campaign's")
      .argument("<b>", "another's; differences are A − B")
      .option("--format <list>", "of text, md, html, json (default: text, printed)", formatList, [])
      .option("--to <dir>", "where files go")
      .option("--changed <n>", "changed records listed per dataset", wholeNumber(0), 20),
  ).action(compare);
}
