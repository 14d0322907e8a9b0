/**
 * LICENSES.md and the folder `licences/`: for each dataset whose work it is, under which licence each part stands, what
 * that asks, and the licences' own texts. A release has no one licence: each dataset keeps its source's.
 */
import { copyFileSync, existsSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { manifestOf, REDISTRIBUTION_TERMS } from "../../../sources/index.js";
import type { SourceManifest } from "../../../sources/manifest.js";
import { PACKAGE_ROOT } from "../../package-root.js";
import type { ReleaseContents } from "./contents.js";
import { derivedLicence, licenceIds, licenceTerms } from "./licence-terms.js";

export const LICENCES_FILE = "LICENSES.md";

const TEXTS = join(PACKAGE_ROOT, "sources", "licences");

interface LicenceText {
  /** In `licences/` of a release. */
  readonly name: string;
  readonly path: string;
}

/**
 * A licence's text. One whose text holds the authors' copyright notice (MIT) stands there once a source, as upstream has
 * it: `MIT.<source>.txt`.
 */
function licenceText(id: string, source: string): LicenceText | undefined {
  if (id === "Apache-2.0") return { name: "Apache-2.0.txt", path: join(PACKAGE_ROOT, "LICENSE") };
  const names = [`${id}.${source}.txt`, `${id}.txt`];
  const name = names.find((one) => existsSync(join(TEXTS, one)));
  return name === undefined ? undefined : { name, path: join(TEXTS, name) };
}

const textLine = (text: LicenceText | undefined, url: string): string =>
  text === undefined ? `text: ${url} (it is not in this release)` : `text: \`licences/${text.name}\`, ${url}`;

function partLines({ source, licence }: SourceManifest): string[] {
  const { id, parts = [] } = licence;
  const all =
    parts.length > 0 ? parts : licenceIds(id).map((one) => ({ covers: "all of it", id: one, url: "" }));
  return all.map((part) => {
    const { name, url } = licenceTerms(part.id);
    const own = part.url === "" ? url : part.url;
    return `- ${part.covers}: ${name} (\`${part.id}\`); ${textLine(licenceText(part.id, source), own)}`;
  });
}

function dutyLines(ids: readonly string[]): string[] {
  const duties = new Set(ids.flatMap((id) => licenceTerms(id).duties));
  return [...duties].map((duty) => `- ${duty}`);
}

function derivedLines({ licence }: SourceManifest): string[] {
  const derived = derivedLicence(licence.id);
  if (derived === undefined)
    return [
      "The authors state no licence. Without one nothing of theirs may be passed on: use this dataset where you have the",
      "source by right, and hand out the recipe and hashes in its place.",
    ];
  return [
    `The dataset as it stands here, with what AmbiTab changed and added, is under \`${derived}\`. What that asks:`,
    "",
    ...dutyLines(licenceIds(licence.id)),
  ];
}

function datasetLines(dataset: string, manifest: SourceManifest): string[] {
  const { title, homepage, citation, licence, redistribution } = manifest;
  const parts = partLines(manifest);
  return [
    `## ${dataset}`,
    "",
    `Made from ${title}, ${homepage}`,
    "",
    `- credit: ${licence.attribution}`,
    `- to cite: ${citation}`,
    ...(parts.length === 0 ? ["- licence: none stated (`NOASSERTION`)"] : parts),
    `- what a published release may carry: ${REDISTRIBUTION_TERMS[redistribution]} (\`${redistribution}\`)`,
    "",
    ...derivedLines(manifest),
  ];
}

const HEAD = `# Licences

Each dataset of this release keeps the licence of the source that it was made from, and no licence covers the release as a
whole. The duties named here are a summary in plain words; the licences' own texts decide.

The schemas in \`schemas/\` and the documents of this release are AmbiTab's own, under \`Apache-2.0\` (\`licences/Apache-2.0.txt\`).
`;

/** Writes LICENSES.md and the texts of the licences that it names. */
export function writeLicences(work: string, { manifest }: ReleaseContents): void {
  const sections: string[] = [];
  const texts = new Map<string, string>();
  const take = (text: LicenceText | undefined): void => {
    if (text !== undefined) texts.set(text.name, text.path);
  };
  take(licenceText("Apache-2.0", ""));
  for (const [dataset, { source: name }] of Object.entries(manifest.datasets)) {
    const source = manifestOf(name);
    if (source === undefined) throw new Error(`${dataset} names an unknown source ${name}`);
    sections.push(`\n${datasetLines(dataset, source).join("\n")}\n`);
    for (const id of licenceIds(source.licence.id)) take(licenceText(id, name));
  }
  mkdirSync(join(work, "licences"), { recursive: true });
  for (const [name, path] of texts) copyFileSync(path, join(work, "licences", name));
  writeFileSync(join(work, LICENCES_FILE), `${HEAD}${sections.join("")}`);
}
