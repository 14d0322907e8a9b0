import type { ReleaseManifest } from "../../../schemas/types/manifest.js";
import { manifestOf, REDISTRIBUTION_TERMS } from "../../../sources/index.js";
import type { Redistribution } from "../../../sources/manifest.js";
import { UserError } from "../../errors.js";
import type { Zone } from "../../record/zones.js";
import { publishableZones } from "../ground-truth.js";

/** What a source's authors ask of whoever passes it on. */
function policyOf(name: string, source: string): Redistribution {
  const manifest = manifestOf(source);
  if (manifest === undefined) {
    throw new UserError(`${name} names a source "${source}" whose terms are not known`, {
      remedy: "publish with the ambitab that made the release",
    });
  }
  return manifest.redistribution;
}

/**
 * Refuses a release that holds what a source's authors forbid to publish (spec 2, the table of licences), wherever it is
 * to go.
 *
 * @param zones the zones that would be published
 * @throws UserError that names the dataset, the reason and the way out
 */
export function refuseForbidden({ datasets, zones: all }: ReleaseManifest, zones: readonly Zone[]): void {
  for (const [name, { source, zones: own = all }] of Object.entries(datasets)) {
    const policy = policyOf(name, source);
    const allowed = publishableZones(policy);
    if (allowed === null) {
      const others = Object.keys(datasets).filter((other) => other !== name);
      throw new UserError(`${name} may not be published: ${REDISTRIBUTION_TERMS[policy]}`, {
        remedy: `make a release without it: ambitab release --publishable --datasets ${others.join(" ") || "…"}`,
      });
    }
    const forbidden = own.filter((zone) => zones.includes(zone) && !allowed.includes(zone));
    if (forbidden.length === 0) continue;
    throw new UserError(
      `the zone ${forbidden.join(", ")} of ${name} may not be published: ${REDISTRIBUTION_TERMS[policy]}`,
      {
        remedy:
          "make the release with ambitab release --publishable, or publish the public part with --public-only",
      },
    );
  }
}

/** Datasets whose authors ask to keep them from crawlers. */
export function gatedDatasets({ datasets }: ReleaseManifest): string[] {
  return Object.entries(datasets)
    .filter(([name, { source }]) => policyOf(name, source) === "gated")
    .map(([name]) => name);
}
