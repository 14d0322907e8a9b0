/** Which records an export holds, and how much of each. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { BuildLock } from "../../../schemas/types/lock.js";
import type { ReleaseManifest } from "../../../schemas/types/manifest.js";
import { manifestOf, REDISTRIBUTION_TERMS, type SourceManifest } from "../../../sources/index.js";
import { UserError } from "../../errors.js";
import { canonicalLine } from "../../record/schema-order.js";
import type { DatasetFolder, Placed, Suite } from "../../record/suite.js";
import { type JoinedRecord, ZONES, type Zone } from "../../record/zones.js";
import { publishableZones, withheldIn } from "../ground-truth.js";

export interface ExportChoice {
  /** All when left out. */
  datasets?: readonly string[] | undefined;
  /** Only what everybody may read. */
  publicOnly: boolean;
  /** Only what the sources' terms let a publication carry, as `release --publishable` has it. */
  publishable: boolean;
}

/** One dataset of an export. */
export interface ChosenDataset {
  folder: DatasetFolder;
  dataset: string;
  /** The zones that the export holds. */
  zones: readonly Zone[];
  source: SourceManifest;
  source_version: string;
  /** The records with those zones alone, in the order of the files. */
  records(): AsyncGenerator<Placed<JoinedRecord>>;
}

/** Where a dataset comes from: a release's manifest says it, or a build's lock. */
function originOf({ kind, folder, dataset }: DatasetFolder): { source: string; source_version: string } {
  if (kind === "build") return JSON.parse(readFileSync(join(folder, "lock.json"), "utf8")) as BuildLock;
  const { datasets } = JSON.parse(readFileSync(join(folder, "manifest.json"), "utf8")) as ReleaseManifest;
  const entry = datasets[dataset];
  if (entry !== undefined) return entry;
  throw new UserError(`the manifest of ${folder} does not have ${dataset}`, {
    remedy: `say ambitab audit ${folder}`,
  });
}

function zonesOf(
  folder: DatasetFolder,
  { redistribution }: SourceManifest,
  { publicOnly, publishable }: ExportChoice,
): readonly Zone[] {
  const allowed = publishable ? publishableZones(redistribution) : ZONES;
  if (allowed === null) {
    throw new UserError(`${folder.dataset} may not be published: ${REDISTRIBUTION_TERMS[redistribution]}`, {
      remedy: "name the others with --datasets",
    });
  }
  return folder.zones.filter((zone) => allowed.includes(zone) && (zone === "public" || !publicOnly));
}

/** A record with some of its zones. */
function cut(record: JoinedRecord, zones: readonly Zone[]): JoinedRecord {
  const kept = Object.entries(record).filter(
    ([name]) => !(ZONES as readonly string[]).includes(name) || zones.some((zone) => zone === name),
  );
  return Object.fromEntries(kept) as JoinedRecord;
}

async function* cutRecords(
  folder: DatasetFolder,
  zones: readonly Zone[],
): AsyncGenerator<Placed<JoinedRecord>> {
  const withheld = folder.zones.includes("verifier") && !zones.includes("verifier");
  for await (const placed of folder.partialRecords()) {
    const record = cut(placed.record, zones);
    const { verifier } = placed.record;
    if (withheld && verifier !== undefined && withheldIn(canonicalLine("record", record), verifier)) {
      throw new UserError(`${record.record_id} has its ground truth in its other zones, too`, {
        remedy: "mend the record's source or its responses: the ground truth may not be published",
      });
    }
    yield { ...placed, record };
  }
}

/**
 * The datasets that an export holds.
 *
 * @throws UserError when one is named that is not there, or that may not be published
 */
export function chosenDatasets(suite: Suite, choice: ExportChoice): ChosenDataset[] {
  const names = suite.datasets.map(({ dataset }) => dataset);
  for (const name of choice.datasets ?? []) {
    if (!names.includes(name))
      throw new UserError(`${suite.path} does not hold "${name}"`, {
        remedy: `it holds ${names.join(", ")}`,
      });
  }
  return suite.datasets
    .filter(({ dataset }) => choice.datasets?.includes(dataset) ?? true)
    .map((folder) => {
      const origin = originOf(folder);
      const source = manifestOf(origin.source);
      if (source === undefined)
        throw new UserError(`${folder.dataset} names an unknown source ${origin.source}`, {
          remedy: "use the version of ambitab that made it",
        });
      const zones = zonesOf(folder, source, choice);
      // The check for ground truth is for what is to be published; other exports are for the holder.
      const records = choice.publishable ? () => cutRecords(folder, zones) : () => plainly(folder, zones);
      const { dataset } = folder;
      return { folder, dataset, zones, source, source_version: origin.source_version, records };
    });
}

async function* plainly(folder: DatasetFolder, zones: readonly Zone[]): AsyncGenerator<Placed<JoinedRecord>> {
  // The public zone alone is read where it is all that is wanted: the private files are not even opened.
  if (zones.length === 1) yield* folder.publicRecords();
  else
    for await (const placed of folder.partialRecords())
      yield { ...placed, record: cut(placed.record, zones) };
}
