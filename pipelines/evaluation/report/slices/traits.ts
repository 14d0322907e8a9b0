/** What records are like, for slices: read by a person's report, never by an agent. */
import type { TaskRecord } from "../../../../schemas/types/record.js";
import type { Suite } from "../../../record/suite.js";
import { sqlFeatures } from "./sql-features.js";

export interface Traits {
  readonly request: string;
  readonly database: string;
  readonly kinds: readonly string[];
  readonly features: readonly string[];
}

export function traitsOf(record: TaskRecord): Traits {
  const counted = record.oracle.ambiguities.filter(({ counts }) => counts);
  return {
    request: record.public.request,
    database: record.public.database.database_id,
    kinds: [...new Set(counted.map(({ kind }) => kind))].sort(),
    features: sqlFeatures(record.verifier.reference_sql.join(";\n")),
  };
}

/** The traits of every record of some datasets, by record id. */
export async function readTraits(suite: Suite, datasets: ReadonlySet<string>): Promise<Map<string, Traits>> {
  const traits = new Map<string, Traits>();
  for (const dataset of suite.datasets) {
    if (!datasets.has(dataset.dataset)) continue;
    for await (const { record } of dataset.records()) traits.set(record.record_id, traitsOf(record));
  }
  return traits;
}
