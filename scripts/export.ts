import { type Command, Option } from "commander";
import { UserError } from "../pipelines/errors.js";
import { openSuite } from "../pipelines/record/suite.js";
import type { QuestionKind } from "../pipelines/release/export/bird-question.js";
import {
  EXPORT_FORMATS,
  type Exported,
  type ExportFormat,
  exportSuite,
} from "../pipelines/release/export/index.js";
import { type CommonOptions, withCommonOptions } from "./terminal/options.js";
import { withProgress } from "./terminal/progress.js";
import { columns, print } from "./terminal/say.js";

interface ExportCommandOptions extends CommonOptions {
  format: ExportFormat;
  to: string;
  datasets?: string[];
  publicOnly: boolean;
  publishable: boolean;
  question?: QuestionKind;
}

function exportText({ folder, manifest }: Exported): string {
  const rows = Object.entries(manifest.datasets).map(
    ([dataset, { records, zones, left_out, redistribution }]) => {
      const missing = Object.entries(left_out).map(([why, count]) => `${count} ${why}`);
      return [
        dataset,
        String(records),
        zones.join(", "),
        missing.join(", ") || "-",
        redistribution.split(":")[0] ?? "",
      ];
    },
  );
  return [folder, columns(["dataset", "records", "zones", "left out", "terms"], rows, [1])].join("\n");
}

export function register(program: Command): void {
  withCommonOptions(
    program
      .command("export")
      .description(
        "write a release or builds in another format: BIRD's, Parquet, or whole records as JSON lines",
      )
      .argument("<path>", "a release, or a build folder such as out/build")
      .addOption(
        new Option(
          "--format <format>",
          "bird: questions, gold SQL and SQLite databases as BIRD's tools read them; parquet: one file a split; jsonl: one whole record a line",
        )
          .choices(EXPORT_FORMATS)
          .makeOptionMandatory(),
      )
      .requiredOption("--to <dir>", "the folder to be made; nothing is overwritten")
      .option("--datasets <name...>", "only these datasets (default: all that are there)")
      .option("--public-only", "only what everybody may read; in BIRD's format questions without SQL", false)
      .option("--publishable", "leave out what a source's authors keep from publication", false)
      .addOption(
        new Option(
          "--question <kind>",
          "of the format bird: request asks what the request asks, open as it is; clear adds what was left open (default: request)",
        ).choices(["request", "clear"]),
      ),
  ).action(async (path: string, options: ExportCommandOptions) => {
    const { format, question } = options;
    if (question !== undefined && format !== "bird")
      throw new UserError("--question belongs to --format bird", { remedy: "leave one of them out" });
    const exported = await withProgress(
      `export ${format}`,
      options.quiet,
      (report) => exportSuite(openSuite(path), { ...options, question: question ?? "request" }, report),
      ({ folder }) => folder,
    );
    print(options.json ? JSON.stringify(exported, null, 2) : exportText(exported));
  });
}
