import { existsSync } from "node:fs";
import { join } from "node:path";
import type { ReleaseManifest } from "../../schemas/types/manifest.js";
import { ZONES } from "../record/zones.js";
import { error, type Finding } from "./finding.js";

/** Folders and files of private zones in a release that says it has none, or the other way round. */
export function checkZones(path: string, { zones, datasets }: ReleaseManifest): Finding[] {
  const here = (name: string): boolean => existsSync(join(path, name));
  const findings: Finding[] = [];
  for (const zone of ZONES) {
    if (!zones.includes(zone)) {
      if (here(zone)) findings.push(error("zone", zone, `the zone ${zone} is here and not in the manifest`));
      continue;
    }
    for (const [dataset, { splits, zones: own = zones }] of Object.entries(datasets)) {
      for (const split of Object.keys(splits)) {
        const file = `${zone}/${dataset}/${split}.jsonl`;
        if (own.includes(zone) === here(file)) continue;
        const message = own.includes(zone)
          ? `the zone ${zone} of ${dataset} is missing`
          : `the zone ${zone} of ${dataset} is here, and the manifest says that it was left out`;
        findings.push(error("zone", file, message));
      }
    }
  }
  if (!zones.includes("provenance")) {
    for (const name of ["dropped", "ledger", "lock.json", "responses"]) {
      if (here(name))
        findings.push(error("zone", name, `${name} goes with the private zones, which are not here`));
    }
  }
  return findings;
}
