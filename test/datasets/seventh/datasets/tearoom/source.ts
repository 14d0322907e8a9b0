import { join } from "node:path";
import { hashFile } from "../../../../../pipelines/engine/files.js";
import type { SourceStream } from "../../../../../pipelines/engine/pipeline.js";
import type { BuildSettings } from "../../../../../pipelines/engine/stage.js";
import { QUESTIONS, readTearoom, SCRIPT } from "../../sources/tearoom/rows.js";
import type { Question } from "./items.js";

/** Rows become items: a stable key, where the row stands, and the hash of every file that the outcome depends on. */
export async function openTearoom(
  root: string,
  _settings: BuildSettings,
  version: string,
): Promise<SourceStream<Question>> {
  const { sha256: file_sha256 } = await hashFile(join(root, QUESTIONS));
  const { sha256: script_sha256 } = await hashFile(join(root, SCRIPT));
  return {
    root,
    version,
    inputs: { [QUESTIONS]: file_sha256, [SCRIPT]: script_sha256 },
    async *items() {
      for (const item of readTearoom(root)) {
        const { row } = item;
        const key = `tearoom/all/${row}`;
        if (item.kind === "error") yield { bad: item.error, key, row };
        else {
          const origin = { file: QUESTIONS, file_sha256, row, row_sha256: item.row_sha256 };
          yield { key, origin, value: { ...item.value, source_version: version, script_sha256 } };
        }
      }
    },
  };
}
