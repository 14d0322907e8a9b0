import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { Funnel } from "../../../schemas/types/funnel.js";
import type { BuildLock } from "../../../schemas/types/lock.js";
import type { ReleaseManifest } from "../../../schemas/types/manifest.js";
import { manifestOf } from "../../../sources/index.js";
import { checksums, SUMS_FILE } from "../../audit/checksums.js";
import { linkOrCopy } from "../../engine/files.js";
import { UserError } from "../../errors.js";
import { canonicalLine } from "../../record/schema-order.js";
import type { DatasetFolder, Suite } from "../../record/suite.js";
import { writeDocuments } from "../documents/index.js";
import { withheldIn } from "../ground-truth.js";
import type { PublishedFile } from "./files.js";

/** The only files that go over as they are. Whatever else a release may come to hold stays until it is named here. */
const AS_THEY_ARE = /^(?:(?:public|databases|schemas)\/.+|funnel\.json|CHANGELOG\.md)$/;

/** The manifest that the release would have, had it been made with `--public-only`. */
function publicManifest(manifest: ReleaseManifest): ReleaseManifest {
  const datasets = Object.entries(manifest.datasets).map(([name, entry]) => {
    const { zones: _z, merged_ground_truth: _m, responses: _r, ...open } = entry;
    return [name, open] as const;
  });
  return { ...manifest, zones: ["public"], datasets: Object.fromEntries(datasets) };
}

/** Whoever holds the ground truth can look whether the public zone tells it. */
async function refuseToldGroundTruth(dataset: DatasetFolder, manifest: ReleaseManifest): Promise<void> {
  const source = manifestOf(manifest.datasets[dataset.dataset]?.source ?? "");
  if (!dataset.whole || source?.redistribution !== "withheld-ground-truth") return;
  for await (const { record } of dataset.records()) {
    const { oracle: _o, verifier, provenance: _p, ...open } = record;
    if (!withheldIn(JSON.stringify(open), verifier)) continue;
    throw new UserError(`${record.record_id} has its ground truth in its public zone, too`, {
      remedy: "mend the record's source: the ground truth may not be published",
    });
  }
}

/**
 * Makes the public part of a whole release: byte for byte what `ambitab release --public-only` makes of the same builds.
 * Only named files go over; the manifest, the documents and SHA256SUMS are written anew, so that no hash of a private file
 * is told. Files are linked where the file system can, for the part is read and thrown away.
 *
 * @param work a folder of its own; what is there goes
 */
export async function writePublicPart(
  suite: Suite,
  manifest: ReleaseManifest,
  files: readonly PublishedFile[],
  work: string,
): Promise<void> {
  const jsonOf = <T>(name: string): T => JSON.parse(readFileSync(join(suite.path, name), "utf8")) as T;
  for (const dataset of suite.datasets) await refuseToldGroundTruth(dataset, manifest);
  rmSync(work, { recursive: true, force: true });
  mkdirSync(work, { recursive: true });
  for (const { path, from } of files) {
    if (!AS_THEY_ARE.test(path)) continue;
    mkdirSync(dirname(join(work, path)), { recursive: true });
    linkOrCopy(from, join(work, path));
  }
  const own = publicManifest(manifest);
  const text = JSON.stringify(JSON.parse(canonicalLine("manifest", own)), null, 2);
  writeFileSync(join(work, "manifest.json"), `${text}\n`);
  await writeDocuments(work, {
    manifest: own,
    funnels: jsonOf<Record<string, Funnel>>("funnel.json"),
    locks: jsonOf<Record<string, BuildLock>>("lock.json"),
    zones: own.zones,
    publicOnly: true,
    publishable: false,
  });
  writeFileSync(join(work, SUMS_FILE), await checksums(work));
}
