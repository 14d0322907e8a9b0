/** Releases and builds in other people's formats. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { ExportManifest } from "../../../schemas/types/export.js";
import { REDISTRIBUTION_TERMS } from "../../../sources/index.js";
import { PACKAGE_VERSION } from "../../package-root.js";
import { canonicalLine } from "../../record/schema-order.js";
import type { Suite } from "../../record/suite.js";
import { releaseFiles } from "../documents/files.js";
import { writeBird } from "./bird.js";
import type { QuestionKind } from "./bird-question.js";
import { type ChosenDataset, chosenDatasets, type ExportChoice } from "./chosen.js";
import { writeJsonl } from "./jsonl.js";
import { writeParquet } from "./parquet.js";
import { wholeFolder } from "./target.js";
import type { Written } from "./written.js";

export const EXPORT_FORMATS = ["bird", "jsonl", "parquet"] as const;
export type ExportFormat = (typeof EXPORT_FORMATS)[number];

export interface ExportOptions extends ExportChoice {
  format: ExportFormat;
  /** The folder to be made. */
  to: string;
  /** Of the format bird. */
  question: QuestionKind;
}

/** An export that was made: its folder and what its `export.json` says. */
export interface Exported {
  folder: string;
  manifest: ExportManifest;
}

function written(work: string, chosen: ChosenDataset, { format, question }: ExportOptions): Promise<Written> {
  if (format === "bird") return writeBird(work, chosen, question);
  return format === "jsonl" ? writeJsonl(work, chosen) : writeParquet(work, chosen);
}

function exportedDataset(
  { zones, source, source_version }: ChosenDataset,
  { records, left_out }: Written,
): ExportManifest["datasets"][string] {
  return {
    zones: [...zones],
    records: [...records.values()].reduce((sum, one) => sum + one, 0),
    left_out: { ...left_out },
    source: source.source,
    source_version,
    licence: source.licence.id,
    attribution: source.licence.attribution,
    redistribution: `${source.redistribution}: ${REDISTRIBUTION_TERMS[source.redistribution]}`,
  };
}

/**
 * Exports a release or builds: a folder a dataset, and `export.json` with what was exported from what, under which terms.
 * The folder is made whole or not at all, and the same release gives the same bytes.
 *
 * @param report is told which dataset is under way
 * @throws UserError when the folder is there, a dataset is not, or the format cannot hold one
 * @throws SourceError when a record is not what the record schema promises
 */
export async function exportSuite(
  suite: Suite,
  options: ExportOptions,
  report: (text: string) => void = () => undefined,
): Promise<Exported> {
  const chosen = chosenDatasets(suite, options);
  let manifest: ExportManifest | undefined;
  const folder = await wholeFolder(options.to, async (work) => {
    const datasets: ExportManifest["datasets"] = {};
    const records = new Map<string, number>();
    for (const one of chosen) {
      report(one.dataset);
      const outcome = await written(work, one, options);
      datasets[one.dataset] = exportedDataset(one, outcome);
      for (const [path, count] of outcome.records) records.set(path, count);
    }
    const files = (await releaseFiles(work)).map(({ path, ...file }) => {
      const count = records.get(path);
      return { path, ...(count === undefined ? {} : { records: count }), ...file };
    });
    manifest = {
      schema_version: "1.0.0",
      made_by: `ambitab ${PACKAGE_VERSION}`,
      format: options.format,
      ...(options.format === "bird" ? { question: options.question } : {}),
      from: { kind: suite.kind, version: suite.kind === "release" ? suite.name : null, sha256: suite.hash },
      datasets,
      files,
    };
    const text = JSON.stringify(JSON.parse(canonicalLine("export", manifest)), null, 2);
    writeFileSync(join(work, "export.json"), `${text}\n`);
  });
  if (manifest === undefined) throw new Error("an export was made without its manifest");
  return { folder, manifest };
}
