import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Command } from "commander";
import { UserError } from "../pipelines/errors.js";
import { textReport } from "../pipelines/evaluation/report/text.js";
import { readEpisodes } from "../pipelines/evaluation/run/log.js";
import { summariseRun } from "../pipelines/evaluation/run/summary.js";
import { schemaFaults } from "../pipelines/record/check-schema.js";
import type { RunSettings } from "../schemas/types/run.js";
import type { RunSummary } from "../schemas/types/summary.js";
import { type CommonOptions, withCommonOptions } from "./terminal/options.js";
import { columns, print } from "./terminal/say.js";

/** The text report of a run, laid out for a terminal. */
export function reportText(summary: RunSummary, settings: RunSettings): string {
  return textReport(summary, settings, ([header, ...rows]) => columns(header ?? [], rows));
}

/** A run's settings and its summary, computed from its episodes as they are now. */
async function readRun(folder: string): Promise<{ settings: RunSettings; summary: RunSummary }> {
  const path = join(folder, "run.json");
  if (!existsSync(path)) {
    throw new UserError(`${folder} is no run`, { remedy: "name a folder that ambitab eval has written" });
  }
  let settings: RunSettings;
  try {
    settings = JSON.parse(readFileSync(path, "utf8")) as RunSettings;
  } catch (cause) {
    throw new UserError(`${path} cannot be read`, { remedy: "name a run whose files are whole", cause });
  }
  const faults = schemaFaults("run", settings);
  if (faults.length > 0) throw new UserError(`${path} holds no run's settings: ${faults[0]}`);
  const name =
    folder
      .replace(/[/\\]+$/, "")
      .split(/[/\\]/)
      .at(-1) ?? folder;
  return {
    settings,
    summary: await summariseRun(name, settings, readEpisodes(join(folder, "episodes.jsonl"))),
  };
}

export function register(program: Command): void {
  withCommonOptions(
    program
      .command("report")
      .description("metrics of finished or running evaluations, as text")
      .argument("<run...>", "run folders, such as those in out/runs"),
  ).action(async (folders: string[], options: CommonOptions) => {
    const runs = [];
    for (const folder of folders) runs.push(await readRun(folder));
    if (options.json)
      print(
        JSON.stringify(
          runs.map(({ summary }) => summary),
          null,
          2,
        ),
      );
    else print(runs.map(({ summary, settings }) => reportText(summary, settings)).join("\n\n\n"));
  });
}
