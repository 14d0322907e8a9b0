import { existsSync } from "node:fs";
import { join } from "node:path";
import type { LedgerEntry } from "../../schemas/types/ledger.js";
import type { ModelResponse } from "../../schemas/types/model-response.js";
import { storedAnswers } from "../model/stored-answers.js";
import { type Needle, searchJsonl, stringFrom } from "../record/line-search.js";
import type { DatasetFolder } from "../record/suite.js";

/** The model calls that a row's stages made, by the keys of their requests. */
export function callsOf({ steps }: LedgerEntry): string[] {
  return steps
    .flatMap(({ evidence = [] }) => evidence)
    .flatMap((one) => ("key" in one && one.kind === "model" && typeof one.key === "string" ? [one.key] : []));
}

/**
 * What models answered to the calls of some rows: from the release's own response archive, else from the store beside the
 * build. What neither has is left out.
 *
 * @param store the store of model answers of the output folder; it need not be there
 * @returns key → answer
 */
export async function answersOf(
  { kind, folder, dataset }: Pick<DatasetFolder, "kind" | "folder" | "dataset">,
  entries: readonly LedgerEntry[],
  store: string,
): Promise<Map<string, ModelResponse>> {
  const keys = new Set(entries.flatMap(callsOf));
  const found = new Map<string, ModelResponse>();
  if (keys.size === 0) return found;
  const archive = join(folder, "responses", `${dataset}.jsonl.gz`);
  if (kind === "release" && existsSync(archive)) {
    const asked: Needle = {
      text: '{"key":"',
      accepts: (bytes, after) => keys.has(stringFrom(bytes, after) ?? ""),
    };
    for await (const one of searchJsonl<ModelResponse>(archive, asked)) {
      found.set(one.key, one);
      if (found.size === keys.size) break;
    }
  }
  const missing = [...keys].filter((key) => !found.has(key));
  for (const one of storedAnswers(store, missing)) found.set(one.key, one);
  return found;
}
