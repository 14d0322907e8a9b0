/** What the sources' authors ask: licences, attribution, and what may be published. */
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { ReleaseManifest } from "../../schemas/types/manifest.js";
import type { Recipe } from "../../schemas/types/recipe.js";
import { manifestOf, REDISTRIBUTION_TERMS, type SourceManifest } from "../../sources/index.js";
import { bared } from "../record/bared.js";
import { readJsonl } from "../record/jsonl.js";
import type { Checks } from "./checks.js";
import { error, type Finding } from "./finding.js";
import { obeys, orUnreadable } from "./unreadable.js";

type Entry = ReleaseManifest["datasets"][string];

const sourceOf = ({ source }: Entry): SourceManifest | undefined => manifestOf(source);

/** What a source asks for must stand in the manifest as it is. */
export function checkLicence(name: string, entry: Entry): Finding[] {
  const source = sourceOf(entry);
  if (source === undefined) return [error("licence", name, `names an unknown source ${entry.source}`)];
  const { licence, redistribution } = source;
  const terms = `${redistribution}: ${REDISTRIBUTION_TERMS[redistribution]}`;
  const asked = { licence: licence.id, attribution: licence.attribution, redistribution: terms };
  return (["licence", "attribution", "redistribution"] as const)
    .filter((field) => entry[field] !== asked[field])
    .map((field) =>
      error("licence", `manifest.json, ${name}`, `the manifest's ${field} is not that of ${entry.source}`),
    );
}

/** Where licences and attribution stand. */
const LICENCES = "LICENSES.md";

/** Every source is credited, with its licence, and the licences' texts that are named are here. */
export function checkAttribution(
  path: string,
  { datasets }: ReleaseManifest,
  present: readonly string[],
  checks: Checks,
): Finding[] {
  if (!present.includes(LICENCES))
    return [error("attribution", LICENCES, "is not here, so nobody is credited and no licence is stated")];
  const written = readFileSync(join(path, LICENCES), "utf8");
  const text = bared(written.replaceAll("\\", ""));
  const findings: Finding[] = [];
  for (const [name, entry] of Object.entries(datasets)) {
    const source = sourceOf(entry);
    if (source === undefined) continue;
    checks.add("licences, attributions and redistribution terms");
    const { licence } = source;
    if (!text.includes(bared(licence.attribution)))
      findings.push(error("attribution", LICENCES, `does not credit ${source.source} (${name}) as it asks`));
    const ids = licence.id === "NOASSERTION" ? [] : licence.id.split(/\s+(?:AND|OR|WITH)\s+|[()]/);
    for (const id of ids.filter((one) => one !== "" && !text.includes(bared(one))))
      findings.push(error("attribution", LICENCES, `does not name ${id}, the licence of ${source.source}`));
  }
  for (const [, linked, quoted] of written.matchAll(/\]\((licences\/[^)\s]+)\)|`(licences\/[^`\s]+)`/g)) {
    const file = linked ?? quoted ?? "";
    if (!present.includes(file))
      findings.push(error("attribution", LICENCES, `names ${file}, which is not here`));
  }
  return findings;
}

/** The recipes of a dataset whose ground truth was left out: one a record, in the records' order. */
async function checkRecipes(path: string, name: string, { splits }: Entry): Promise<Finding[]> {
  const findings: Finding[] = [];
  for (const split of Object.keys(splits)) {
    const file = `recipe/${name}/${split}.jsonl`;
    if (!existsSync(join(path, file))) {
      findings.push(
        error("recipe", file, "is not here, so no ground truth could be merged into its records"),
      );
      continue;
    }
    await orUnreadable(findings, file, async () => {
      const records = readJsonl<{ record_id: string }>(join(path, "public", name, `${split}.jsonl`));
      for await (const { value, line } of readJsonl<Recipe>(join(path, file), { name: file })) {
        const place = `${file}, line ${line}`;
        findings.push(...obeys("recipe", value, "recipe", place));
        const next = await records.next();
        const record = next.done === true ? undefined : next.value.value.record_id;
        if (record !== value.record_id)
          findings.push(error("recipe", place, `is of ${value.record_id}, the record there is ${record}`));
      }
      if ((await records.next()).done !== true)
        findings.push(error("recipe", file, "has fewer recipes than there are records"));
    });
  }
  return findings;
}

/**
 * What may be published. A release that leaves zones of a dataset out (`release --publishable`) must hold nothing that any
 * of its sources' authors keep from publication, and the recipe by which a person merges his own copy.
 */
export async function checkRedistribution(path: string, manifest: ReleaseManifest): Promise<Finding[]> {
  const findings: Finding[] = [];
  const entries = Object.entries(manifest.datasets);
  const publishable = entries.some(([, { zones }]) => zones !== undefined);
  for (const [name, entry] of entries) {
    const policy = sourceOf(entry)?.redistribution;
    const withheld = policy === "withheld-ground-truth";
    const has = (zone: string): boolean => existsSync(join(path, zone, name));
    if (publishable && policy === "recipe-only") {
      const message = `is in a publishable release, and its source allows ${REDISTRIBUTION_TERMS[policy]}`;
      findings.push(error("redistribution", name, message));
    }
    if (publishable && withheld && has("verifier"))
      findings.push(error("redistribution", `verifier/${name}`, "its ground truth may not be published"));
    if (withheld && entry.zones !== undefined && !entry.zones.includes("verifier"))
      findings.push(...(await checkRecipes(path, name, entry)));
  }
  if (!manifest.zones.includes("oracle") && existsSync(join(path, "responses"))) {
    const message = "response archives go with the private zones, which are not here";
    findings.push(error("responses", "responses", message));
  }
  return findings;
}
