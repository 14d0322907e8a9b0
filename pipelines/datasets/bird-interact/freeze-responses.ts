import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { LedgerEntry } from "../../../schemas/types/ledger.js";
import type { TaskRecord } from "../../../schemas/types/record.js";
import { type CatalogueEntry, readCatalogue } from "../../../sources/bird-interact/index.js";
import { readJsonl } from "../../record/jsonl.js";
import { annotationSha256 } from "./catalogue.js";

const keyOf = ({ instance_id, ambiguity_id }: CatalogueEntry): string => `${instance_id} ${ambiguity_id}`;

/** Which model wrote each response of a build: record id and ambiguity → model. */
async function authorsOf(build: string): Promise<Map<string, string>> {
  const authors = new Map<string, string>();
  for await (const { value } of readJsonl<LedgerEntry>(join(build, "ledger.jsonl"))) {
    for (const { evidence = [] } of value.steps) {
      for (const one of evidence) {
        const { kind, ambiguity, model }: Record<string, unknown> = { ...one };
        if (kind !== "model" || typeof ambiguity !== "string" || typeof model !== "string") continue;
        for (const id of value.record_ids) authors.set(`${id} ${ambiguity}`, model);
      }
    }
  }
  return authors;
}

/**
 * Puts the responses that a build's author model wrote into the user's catalogue, which later builds use as it stands: a
 * person may correct one there and set its status, and the change is a diff of one line. Entries that are there stay,
 * unless what they were written for has changed.
 *
 * @param build the dataset's build folder
 * @param catalogue the user's catalogue; made where it is not there
 * @returns how many entries are new
 */
export async function freezeResponses(build: string, catalogue: string): Promise<number> {
  const known = existsSync(catalogue) ? readCatalogue(readFileSync(catalogue, "utf8"), catalogue) : [];
  const entries = new Map(known.map((entry) => [keyOf(entry), entry]));
  const authors = await authorsOf(build);
  let added = 0;
  for await (const { value: record } of readJsonl<TaskRecord>(join(build, "records.jsonl"))) {
    const instance_id = record.avt_id.split("/").at(-1) ?? "";
    for (const ambiguity of record.oracle.ambiguities) {
      const { ambiguity_id, term, response, response_status: status } = ambiguity;
      const author = authors.get(`${record.record_id} ${ambiguity_id}`);
      if (author === undefined || (status !== "audited" && status !== "needs_review")) continue;
      const annotation_sha256 = annotationSha256(record.public.request, ambiguity);
      const entry = { instance_id, ambiguity_id, term, annotation_sha256, response, status, author };
      if (entries.get(keyOf(entry))?.annotation_sha256 === annotation_sha256) continue;
      entries.set(keyOf(entry), entry);
      added += 1;
    }
  }
  if (added === 0) return 0;
  const lines = [...entries]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([, entry]) => `${JSON.stringify(entry)}\n`);
  mkdirSync(dirname(catalogue), { recursive: true });
  writeFileSync(`${catalogue}.partial`, lines.join(""));
  renameSync(`${catalogue}.partial`, catalogue);
  return added;
}
