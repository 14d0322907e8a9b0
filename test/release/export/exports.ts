import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { openSuite } from "../../../pipelines/record/suite.js";
import { type Exported, type ExportOptions, exportSuite } from "../../../pipelines/release/export/index.js";
import type { TaskRecord } from "../../../schemas/types/record.js";
import { buildSample, DATASETS, temporaryFolder, writeRecords } from "../sample.js";

export type SomeOptions = Partial<ExportOptions> & Pick<ExportOptions, "format">;

/** Exports what a folder holds to a folder that is not there yet. */
export function exported(path: string, options: SomeOptions): Promise<Exported> {
  const to = join(temporaryFolder(), "to é");
  return exportSuite(openSuite(path), {
    to,
    publicOnly: false,
    publishable: false,
    question: "request",
    ...options,
  });
}

/** Builds of every sample. */
export const builds = (): Promise<string> => buildSample(temporaryFolder(), DATASETS);

/** A build of AmbiQT's sample whose records are other ones; gives the folder of builds. */
export async function buildWith(change: (records: TaskRecord[]) => TaskRecord[]): Promise<string> {
  const build = await buildSample(temporaryFolder(), ["ambiqt"]);
  const lines = linesOf(join(build, "ambiqt/records.jsonl")) as TaskRecord[];
  writeRecords(build, change(lines));
  return build;
}

/** The values of a JSONL file. */
export const linesOf = (path: string): unknown[] =>
  readFileSync(path, "utf8")
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line) as unknown);

/** The error of an export that is refused, which must have left nothing. */
export async function refusal(path: string, options: SomeOptions): Promise<Error> {
  const to = join(temporaryFolder(), "refused");
  try {
    await exported(path, { ...options, to });
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    if (existsSync(to) || existsSync(join(to, "..", `.refused.${process.pid}.partial`)))
      throw new Error("a refused export left something", { cause: error });
    return error;
  }
  throw new Error("the export was made");
}
