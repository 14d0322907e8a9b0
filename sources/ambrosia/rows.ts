import { existsSync } from "node:fs";
import { join } from "node:path";
import { SourceError } from "../../pipelines/errors.js";
import { digestFile, type FileDigest } from "../fetch/hash.js";
import { CSV_FILE, readCsvQuestions } from "./csv.js";
import { examplesFile, listDatabaseFolders, readFolderQuestions } from "./folders.js";
import type { AmbrosiaQuestions } from "./questions.js";

/**
 * The ambiguous questions of an AMBROSIA folder with their readings (spec 2, "ambrosia"): from the official CSV where it
 * is there, else from the examples.json beside each database. Bad rows do not stop the reading: they come out as errors.
 *
 * @throws SourceError when there are questions in neither layout
 */
export async function readAmbrosia(root: string): Promise<AmbrosiaQuestions> {
  const files = new Map<string, FileDigest>();
  if (existsSync(join(root, CSV_FILE))) {
    files.set(CSV_FILE, await digestFile(join(root, CSV_FILE)));
    return { layout: "csv", files, questions: () => readCsvQuestions(root) };
  }
  const folders = existsSync(join(root, "data")) ? listDatabaseFolders(root) : [];
  if (folders.length === 0) {
    throw new SourceError(
      { file: CSV_FILE },
      "expected the questions here or in data/<type>/<Domain>/<name>/examples.json",
    );
  }
  for (const folder of folders) {
    const file = examplesFile(folder);
    files.set(file, await digestFile(join(root, file)));
  }
  return { layout: "folders", files, questions: () => readFolderQuestions(root) };
}
