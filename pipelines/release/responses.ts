/**
 * A release's response archives (spec 12): the models' answers that a build used, so that `ambitab build --replay-only`
 * makes the same build from the same source without a model. Answers quote private text, so they go with the private zones.
 */
import { existsSync, mkdirSync } from "node:fs";
import { dirname, join } from "node:path";
import type { LedgerEntry } from "../../schemas/types/ledger.js";
import type { ReleaseManifest } from "../../schemas/types/manifest.js";
import { UserError } from "../errors.js";
import { exportArchive } from "../model/archive.js";
import { ResponseStore } from "../model/response-store.js";
import { readJsonl } from "../record/jsonl.js";

type Responses = NonNullable<ReleaseManifest["datasets"][string]["responses"]>;

/** The answers that a build used, by the keys of their requests: the ledger names every call, of dropped rows too. */
async function usedAnswers(ledger: string): Promise<Set<string>> {
  const keys = new Set<string>();
  const where = (text: string): boolean => text.includes('"key":');
  for await (const { value } of readJsonl<LedgerEntry>(ledger, { where })) {
    for (const { evidence = [] } of value.steps) {
      for (const { kind, key } of evidence as readonly { kind: string; key?: unknown }[])
        if (kind === "model" && typeof key === "string") keys.add(key);
    }
  }
  return keys;
}

export interface ResponsesWanted {
  readonly dataset: string;
  /** The build's ledger. */
  readonly ledger: string;
  /** The file in which models' answers are kept (`storePath`). */
  readonly store: string | undefined;
  /** Whether a line holds what may not be published; such answers are left out and counted. */
  readonly isWithheld: (line: string) => boolean;
}

/**
 * Writes `responses/<dataset>.jsonl.gz` into a release, where the build asked models.
 *
 * @returns what the manifest says of it; undefined where no model was asked
 * @throws UserError where answers that the build used are no longer kept
 */
export async function writeResponses(
  work: string,
  { dataset, ledger, store: path, isWithheld }: ResponsesWanted,
): Promise<Responses | undefined> {
  const keys = await usedAnswers(ledger);
  if (keys.size === 0) return undefined;
  const remedy = `build ${dataset} again with its models, or with --replay-only and the archive of their answers`;
  if (path === undefined || !existsSync(path))
    throw new UserError(
      `the answers of models that ${dataset} was built with are not kept any more${path === undefined ? "" : `: there is no ${path}`}`,
      { remedy },
    );
  const store = new ResponseStore(path);
  try {
    const kept = new Set(store.keysAmong(keys));
    if (kept.size < keys.size)
      throw new UserError(
        `${keys.size - kept.size} of the ${keys.size} answers of models that ${dataset} was built with are not in ${path}`,
        { remedy },
      );
    let withheld = 0;
    for (const { key, line } of store.lines()) {
      if (!kept.has(key) || !isWithheld(line)) continue;
      kept.delete(key);
      withheld += 1;
    }
    const target = join(work, "responses", `${dataset}.jsonl.gz`);
    mkdirSync(dirname(target), { recursive: true });
    exportArchive(store, target, kept);
    return { answers: kept.size, ...(withheld > 0 ? { withheld } : {}) };
  } finally {
    store.close();
  }
}
