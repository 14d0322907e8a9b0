import { mkdirSync } from "node:fs";
import { dirname, join } from "node:path";
import type { BuildLock } from "../../schemas/types/lock.js";
import type { ReleaseManifest } from "../../schemas/types/manifest.js";
import { manifestOf, REDISTRIBUTION_TERMS } from "../../sources/index.js";
import { RecordCounts } from "../audit/counts.js";
import { LineFile } from "../engine/line-file.js";
import { UserError } from "../errors.js";
import { canonicalLine } from "../record/schema-order.js";
import type { DatasetFolder } from "../record/suite.js";
import { splitZones, type Zone } from "../record/zones.js";
import type { ReleaseDatabases } from "./databases.js";
import { holdsWithheld, publishableZones, recipeOf, withheldTexts } from "./ground-truth.js";
import { manifestEntry } from "./manifest.js";
import { writeResponses } from "./responses.js";

/** Which zones of a dataset a release carries, of those that it carries at all. */
export function zonesOf(lock: BuildLock, all: readonly Zone[], publishable: boolean): readonly Zone[] {
  const source = manifestOf(lock.source);
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

/** How one dataset goes into a release. */
export interface DatasetPlan {
  /** The folder of the release in the making. */
  readonly work: string;
  /** The zones of the release. */
  readonly all: readonly Zone[];
  /** Those of this dataset. */
  readonly zones: readonly Zone[];
  readonly lock: BuildLock;
  readonly databases: ReleaseDatabases;
  /** The file in which models' answers are kept. */
  readonly answers: string | undefined;
}

/** The files of one dataset's lines, by zone and split. */
class LineFiles {
  readonly #folder: string;
  readonly #dataset: string;
  readonly #files = new Map<string, LineFile>();

  constructor(folder: string, dataset: string) {
    this.#folder = folder;
    this.#dataset = dataset;
  }

  line(zone: Zone | "recipe", split: string, text: string): void {
    const path = join(this.#folder, zone, this.#dataset, `${split}.jsonl`);
    let file = this.#files.get(path);
    if (file === undefined) {
      mkdirSync(dirname(path), { recursive: true });
      file = new LineFile(path);
      this.#files.set(path, file);
    }
    file.line(text);
  }

  close(): void {
    for (const file of this.#files.values()) file.close();
  }

  /** Closes the files as they stand, where that is not done. */
  abandon(): void {
    for (const file of this.#files.values()) file.abandon();
  }
}

/**
 * Writes one dataset of a release: a file a zone and split, the databases, and the models' answers that it was built with.
 *
 * @returns the dataset's entry of the manifest
 * @throws UserError when a zone that is to be published holds ground truth that is withheld, or answers are gone
 */
export async function writeDataset(
  dataset: DatasetFolder,
  { work, all, zones, lock, databases, answers }: DatasetPlan,
): Promise<ReleaseManifest["datasets"][string]> {
  const { dataset: name, ledger } = dataset;
  const counts = new RecordCounts();
  const files = new LineFiles(work, name);
  const withheld = all.includes("verifier") && !zones.includes("verifier");
  const secrets = new Set<string>();
  try {
    for await (const { record } of dataset.records()) {
      counts.add(record);
      const split = splitZones(record);
      const own = withheld ? withheldTexts(record.verifier) : [];
      for (const text of own) secrets.add(text);
      for (const zone of zones) {
        const line = canonicalLine("record", split[zone]);
        if (holdsWithheld(line, own)) {
          throw new UserError(`${record.record_id} has its ground truth in its ${zone} zone, too`, {
            remedy: "mend the record's source or its responses: the ground truth may not be published",
          });
        }
        files.line(zone, record.split, line);
      }
      if (withheld) files.line("recipe", record.split, canonicalLine("recipe", recipeOf(record)));
    }
    files.close();
  } finally {
    files.abandon();
  }
  for (const [path, file] of Object.entries(lock.databases))
    databases.place(join(dataset.databases, path), join(work, "databases", name, path), file);
  const isWithheld = (line: string): boolean => holdsWithheld(line, secrets);
  const responses = all.includes("provenance")
    ? await writeResponses(work, { dataset: name, ledger, store: answers, isWithheld })
    : undefined;
  return {
    ...manifestEntry(counts.counts(), lock),
    ...(zones.length === all.length ? {} : { zones: [...zones] }),
    ...(responses === undefined ? {} : { responses }),
  };
}
