import { constants, copyFileSync, mkdirSync } from "node:fs";
import { dirname, join } from "node:path";
import type { BuildLock } from "../../schemas/types/lock.js";
import type { ReleaseManifest } from "../../schemas/types/manifest.js";
import { MANIFESTS, REDISTRIBUTION_TERMS } from "../../sources/index.js";
import { RecordCounts } from "../audit/counts.js";
import { LineFile } from "../engine/line-file.js";
import { UserError } from "../errors.js";
import { canonicalLine } from "../record/schema-order.js";
import type { DatasetFolder } from "../record/suite.js";
import { splitZones, type Zone } from "../record/zones.js";
import { publishableZones, recipeOf, withheldIn } from "./ground-truth.js";
import { manifestEntry } from "./manifest.js";

/** Which zones of a dataset a release carries, of those that it carries at all. */
export function zonesOf(lock: BuildLock, all: readonly Zone[], publishable: boolean): readonly Zone[] {
  const source = Object.values(MANIFESTS).find(({ source: name }) => name === lock.source);
  if (!publishable || source === undefined) return all;
  const allowed = publishableZones(source.redistribution);
  if (allowed === null) {
    throw new UserError(
      `${lock.dataset} may not be published: ${REDISTRIBUTION_TERMS[source.redistribution]}`,
      {
        remedy: "name the others with --datasets",
      },
    );
  }
  return all.filter((zone) => allowed.includes(zone));
}

/**
 * Writes one dataset of a release: a file a zone and split, and the databases.
 *
 * @param all the zones of the release; `zones`: those of this dataset
 * @returns the dataset's entry of the manifest
 * @throws UserError when a zone that is to be published holds ground truth that is withheld
 */
export async function writeDataset(
  dataset: DatasetFolder,
  work: string,
  { all, zones }: { all: readonly Zone[]; zones: readonly Zone[] },
  lock: BuildLock,
): Promise<ReleaseManifest["datasets"][string]> {
  const counts = new RecordCounts();
  const files = new Map<string, LineFile>();
  const withheld = all.includes("verifier") && !zones.includes("verifier");
  const lines = (zone: Zone | "recipe", split: string): LineFile => {
    const path = join(work, zone, dataset.dataset, `${split}.jsonl`);
    let file = files.get(path);
    if (file === undefined) {
      mkdirSync(dirname(path), { recursive: true });
      file = new LineFile(path);
      files.set(path, file);
    }
    return file;
  };
  for await (const { record } of dataset.records()) {
    counts.add(record);
    const split = splitZones(record);
    for (const zone of zones) {
      const line = canonicalLine("record", split[zone]);
      if (withheld && withheldIn(line, record.verifier)) {
        throw new UserError(`${record.record_id} has its ground truth in its ${zone} zone, too`, {
          remedy: "mend the record's source or its responses: the ground truth may not be published",
        });
      }
      lines(zone, record.split).line(line);
    }
    if (withheld) lines("recipe", record.split).line(canonicalLine("recipe", recipeOf(record)));
  }
  for (const file of files.values()) file.close();
  for (const path of Object.keys(lock.databases)) {
    // A copy (cheap where the file system can share blocks) and no link: what happens to a build must not reach a release.
    const target = join(work, "databases", dataset.dataset, path);
    mkdirSync(dirname(target), { recursive: true });
    copyFileSync(join(dataset.databases, path), target, constants.COPYFILE_FICLONE);
  }
  const entry = manifestEntry(counts.counts(), lock);
  return zones.length === all.length ? entry : { ...entry, zones: [...zones] };
}
