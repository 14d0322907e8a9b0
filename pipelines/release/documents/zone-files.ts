import { existsSync } from "node:fs";
import { join } from "node:path";
import type { ReleaseManifest } from "../../../schemas/types/manifest.js";
import { readJsonl } from "../../record/jsonl.js";
import { ZONES, type Zone } from "../../record/zones.js";
import { recordFields, type ShapeField } from "../record-shape.js";
import { noteOccurrences, type Occurrence, type Occurrences } from "./hub-features.js";

/** One zone of one dataset: the files that hold it, a split each. */
export interface ZoneFiles {
  dataset: string;
  zone: Zone;
  /** In the order of the manifest's splits. */
  splits: { split: string; path: string; records: number }[];
  fields: ShapeField[];
  found: Occurrences;
}

/** Every zone of every dataset that is here: datasets by name, zones in the record's order. */
export async function zoneFiles(work: string, { datasets, zones }: ReleaseManifest): Promise<ZoneFiles[]> {
  const all: ZoneFiles[] = [];
  for (const [dataset, entry] of Object.entries(datasets)) {
    for (const zone of ZONES) {
      const splits = Object.entries(entry.splits)
        .map(([split, records]) => ({ split, path: `${zone}/${dataset}/${split}.jsonl`, records }))
        .filter(({ path }) => zones.includes(zone) && existsSync(join(work, path)));
      if (splits.length === 0) continue;
      const fields = recordFields([zone]);
      const found = new Map<string, Occurrence>();
      for (const { path } of splits) {
        for await (const { value } of readJsonl<object>(join(work, path)))
          noteOccurrences(value, fields, found);
      }
      all.push({ dataset, zone, splits, fields, found });
    }
  }
  return all;
}
