import type { BuildLock } from "../../schemas/types/lock.js";
import type { ReleaseManifest } from "../../schemas/types/manifest.js";
import { manifestOf, REDISTRIBUTION_TERMS } from "../../sources/index.js";
import type { Counts } from "../audit/counts.js";
import { PACKAGE_VERSION } from "../package-root.js";
import type { Zone } from "../record/zones.js";

/** A dataset's entry of the manifest: what is counted, and what its source asks for. */
export function manifestEntry(counts: Counts, lock: BuildLock): ReleaseManifest["datasets"][string] {
  const source = manifestOf(lock.source);
  if (source === undefined)
    throw new Error(`the build of ${lock.dataset} names an unknown source ${lock.source}`);
  return {
    ...counts,
    source: lock.source,
    source_version: lock.source_version,
    pipeline_version: lock.pipeline_version,
    licence: source.licence.id,
    attribution: source.licence.attribution,
    redistribution: `${source.redistribution}: ${REDISTRIBUTION_TERMS[source.redistribution]}`,
  };
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
