import type { BuildLock } from "../../schemas/types/lock.js";
import type { ReleaseManifest } from "../../schemas/types/manifest.js";
import type { TaskRecord } from "../../schemas/types/record.js";
import { MANIFESTS, REDISTRIBUTION_TERMS } from "../../sources/index.js";
import { PACKAGE_VERSION } from "../package-root.js";
import type { Zone } from "../record/zones.js";

/** Counts one dataset's records for the manifest while they are written. */
export class DatasetCounts {
  readonly #avts = new Set<string>();
  readonly #databases = new Set<string>();
  readonly #splits = new Map<string, number>();
  #records = 0;
  #ambiguities = 0;

  add(record: TaskRecord): void {
    this.#records += 1;
    this.#ambiguities += record.oracle.ambiguities.filter(({ counts }) => counts).length;
    this.#avts.add(record.avt_id);
    this.#databases.add(record.public.database.database_id);
    this.#splits.set(record.split, (this.#splits.get(record.split) ?? 0) + 1);
  }

  /** The dataset's entry of the manifest: what is counted, and what its source asks for. */
  entry(lock: BuildLock): ReleaseManifest["datasets"][string] {
    const source = Object.values(MANIFESTS).find(({ source: name }) => name === lock.source);
    if (source === undefined)
      throw new Error(`the build of ${lock.dataset} names an unknown source ${lock.source}`);
    return {
      records: this.#records,
      avts: this.#avts.size,
      ambiguities: this.#ambiguities,
      databases: this.#databases.size,
      splits: Object.fromEntries([...this.#splits].sort(([a], [b]) => (a < b ? -1 : 1))),
      source: lock.source,
      source_version: lock.source_version,
      pipeline_version: lock.pipeline_version,
      licence: source.licence.id,
      attribution: source.licence.attribution,
      redistribution: `${source.redistribution}: ${REDISTRIBUTION_TERMS[source.redistribution]}`,
    };
  }
}

/** The manifest of a release. */
export function releaseManifest(
  version: string,
  zones: readonly Zone[],
  datasets: ReleaseManifest["datasets"],
): ReleaseManifest {
  return {
    schema_version: "1.0.0",
    name: "AmbiTab",
    version,
    made_by: `ambitab ${PACKAGE_VERSION}`,
    zones: [...zones],
    datasets,
  };
}
