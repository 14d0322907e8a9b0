/** How two releases or builds differ, dataset by dataset. */

import { readdirSync } from "node:fs";
import { join } from "node:path";
import type { DatasetFolder, Suite } from "../../record/suite.js";
import { type DatabasesDiff, diffDatabases } from "./databases.js";
import { diffKeyed, type Keyed, type KeyedDiff } from "./keyed.js";

/** One dataset's differences; a dataset that only one side has is all added or all removed. */
export interface DatasetDiff {
  readonly dataset: string;
  readonly records: KeyedDiff;
  readonly databases: DatabasesDiff;
}

export interface SuiteDiff {
  readonly kind: "suites";
  readonly before: { readonly name: string; readonly hash: string };
  readonly after: { readonly name: string; readonly hash: string };
  /** False where one side has the public zone only: then nothing but that zone was compared. */
  readonly whole: boolean;
  readonly datasets: readonly DatasetDiff[];
}

async function* keyed(dataset: DatasetFolder | undefined, whole: boolean): AsyncGenerator<Keyed> {
  if (dataset === undefined) return;
  for await (const { record, file, line } of whole ? dataset.records() : dataset.publicRecords()) {
    yield { key: record.record_id, value: record, place: `${file}, line ${line}` };
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

/**
 * Compares two suites by record id and database path. Where either side lacks the private zones, only what both have is
 * compared, and `whole` says so.
 */
export async function diffSuites(before: Suite, after: Suite): Promise<SuiteDiff> {
  const whole = [before, after].every((suite) => suite.datasets.every((dataset) => dataset.whole));
  const of = (suite: Suite, name: string): DatasetFolder | undefined =>
    suite.datasets.find(({ dataset }) => dataset === name);
  const names = new Set([...before.datasets, ...after.datasets].map(({ dataset }) => dataset));
  const datasets: DatasetDiff[] = [];
  for (const dataset of [...names].sort()) {
    const [old, now] = [of(before, dataset), of(after, dataset)];
    datasets.push({
      dataset,
      records: await diffKeyed(
        () => keyed(old, whole),
        () => keyed(now, whole),
      ),
      databases: await diffDatabases(
        { folder: old?.databases ?? "", paths: databasePaths(old) },
        { folder: now?.databases ?? "", paths: databasePaths(now) },
      ),
    });
  }
  const named = ({ name, hash }: Suite): { name: string; hash: string } => ({ name, hash });
  return { kind: "suites", before: named(before), after: named(after), whole, datasets };
}
