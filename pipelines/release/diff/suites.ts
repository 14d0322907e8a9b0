/** How two releases or builds differ, dataset by dataset. */

import { readdirSync } from "node:fs";
import { join } from "node:path";
import type { DatasetFolder, Suite } from "../../record/suite.js";
import { type JoinedRecord, ZONES, type Zone } from "../../record/zones.js";
import { type DatabasesDiff, diffDatabases } from "./databases.js";
import { diffKeyed, type Keyed, type KeyedDiff } from "./keyed.js";

/** One dataset's differences; a dataset that only one side has is all added or all removed. */
export interface DatasetDiff {
  readonly dataset: string;
  /** The zones that were compared: those that both sides have, or the only side that has the dataset. */
  readonly zones: readonly Zone[];
  readonly records: KeyedDiff;
  readonly databases: DatabasesDiff;
}

export interface SuiteDiff {
  readonly kind: "suites";
  readonly before: { readonly name: string; readonly hash: string };
  readonly after: { readonly name: string; readonly hash: string };
  /** False where a side lacks private zones of a dataset: there only the zones that both have were compared. */
  readonly whole: boolean;
  readonly datasets: readonly DatasetDiff[];
}

async function* keyed(dataset: DatasetFolder | undefined, zones: readonly Zone[]): AsyncGenerator<Keyed> {
  if (dataset === undefined) return;
  const left = ZONES.filter((zone) => !zones.includes(zone));
  const stream = left.length === 3 ? dataset.publicRecords() : dataset.partialRecords();
  for await (const { record, file, line } of stream) {
    const value: Partial<JoinedRecord> = { ...record };
    for (const zone of left) delete value[zone];
    yield { key: record.record_id, value, place: `${file}, line ${line}` };
  }
}

/** Every database file of a dataset, relative to its databases folder, with forward slashes. */
function databasePaths(dataset: DatasetFolder | undefined): string[] {
  if (dataset === undefined) return [];
  const paths: string[] = [];
  const walk = (below: string): void => {
    for (const entry of readdirSync(join(dataset.databases, below), { withFileTypes: true })) {
      const path = below === "" ? entry.name : `${below}/${entry.name}`;
      if (entry.isDirectory()) walk(path);
      else paths.push(path);
    }
  };
  walk("");
  return paths;
}

const order = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

/**
 * Compares datasets by record id and database path. Where a side lacks zones of a dataset, only those that both have are
 * compared.
 *
 * @throws SourceError where a file of either side cannot be read
 */
export async function diffDatasets(
  before: readonly DatasetFolder[],
  after: readonly DatasetFolder[],
): Promise<DatasetDiff[]> {
  const names = new Set([...before, ...after].map(({ dataset }) => dataset));
  const datasets: DatasetDiff[] = [];
  for (const dataset of [...names].sort(order)) {
    const [old, now] = [before, after].map((side) => side.find((one) => one.dataset === dataset));
    const sides = [old, now].filter((one) => one !== undefined);
    const zones = ZONES.filter((zone) => sides.every((side) => side.zones.includes(zone)));
    datasets.push({
      dataset,
      zones,
      records: await diffKeyed(
        () => keyed(old, zones),
        () => keyed(now, zones),
      ),
      databases: await diffDatabases(
        { folder: old?.databases ?? "", paths: databasePaths(old) },
        { folder: now?.databases ?? "", paths: databasePaths(now) },
      ),
    });
  }
  return datasets;
}

/** Compares two releases or builds (`diffDatasets`). */
export async function diffSuites(before: Suite, after: Suite): Promise<SuiteDiff> {
  const whole = [before, after].every((suite) => suite.datasets.every((dataset) => dataset.whole));
  const named = ({ name, hash }: Suite): { name: string; hash: string } => ({ name, hash });
  const datasets = await diffDatasets(before.datasets, after.datasets);
  return { kind: "suites", before: named(before), after: named(after), whole, datasets };
}
