import { basename } from "node:path";
import type {
  CroissantActivity,
  CroissantFileObject,
  CroissantMetadata,
  CroissantSource,
} from "../../../schemas/types/croissant.js";
import type { BuildLock } from "../../../schemas/types/lock.js";
import { manifestOf, type SourceManifest } from "../../../sources/index.js";
import { PACKAGE_VERSION } from "../../package-root.js";
import { sha256 } from "../../record/ids.js";
import { canonicalLine } from "../../record/schema-order.js";
import { sourcesOf } from "./card-metadata.js";
import { BIBTEX } from "./citation.js";
import { CROISSANT_CONTEXT } from "./croissant-context.js";
import { recordSetsOf, splitsRecordSet, urlOf } from "./croissant-fields.js";
import type { ReleaseFile } from "./files.js";
import type { ReleaseContents } from "./index.js";
import type { ZoneFiles } from "./zone-files.js";

export const CROISSANT_FILE = "croissant.json";

/** Version of the description's form; the data's version is the release's. */
const SD_VERSION = "1.0.0";

const FORMATS: readonly [ending: string, format: string][] = [
  [".jsonl.gz", "application/gzip"],
  [".sql.gz", "application/gzip"],
  [".jsonl", "application/jsonlines"],
  [".json", "application/json"],
  [".sqlite", "application/vnd.sqlite3"],
  [".sql", "application/sql"],
  [".md", "text/markdown"],
  [".txt", "text/plain"],
];

const formatOf = (path: string): string =>
  FORMATS.find(([ending]) => path.endsWith(ending))?.[1] ?? "application/octet-stream";

const sourceId = (source: string, version: string): string => `source/${source}/${version}`;
const activityId = (dataset: string): string => `build/${dataset}`;

const licencesOf = ({ licence }: SourceManifest): string[] => {
  const parts = licence.parts?.map(({ url }) => url) ?? [];
  return [...new Set(parts.length > 0 ? parts : [licence.url ?? licence.id])];
};

/** One hash over all that a build read. */
const inputsHash = ({ inputs }: BuildLock): string =>
  sha256(
    Object.entries(inputs)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([path, hash]) => `${hash}  ${path}\n`)
      .join(""),
  );

/** The sources in the versions that were read, each once. Two datasets may have read different files of the same one. */
function sources({ manifest, locks, publicOnly }: ReleaseContents): CroissantSource[] {
  const known = new Map<string, CroissantSource>();
  for (const [dataset, { source: name, source_version }] of Object.entries(manifest.datasets)) {
    const source = manifestOf(name);
    if (source === undefined) throw new Error(`${dataset} names an unknown source ${name}`);
    const lock = publicOnly ? undefined : locks[dataset];
    const read = lock === undefined ? "" : inputsHash(lock);
    const id = sourceId(dataset, source_version);
    known.set(id, {
      "@type": ["prov:Entity", "sc:Dataset"],
      "@id": id,
      name: source.title,
      url: source.homepage,
      version: source_version,
      ...(read === "" ? {} : { sha256: read }),
      license: licencesOf(source),
      citation: source.citation,
      creditText: source.licence.attribution,
    });
  }
  return [...known.values()];
}

function activities({ manifest }: ReleaseContents): CroissantActivity[] {
  return Object.entries(manifest.datasets).map(([dataset, { source_version, pipeline_version }]) => ({
    "@type": "prov:Activity",
    "@id": activityId(dataset),
    name: `Build of ${dataset}`,
    version: pipeline_version,
    "prov:used": { "@id": sourceId(dataset, source_version) },
    "prov:wasAssociatedWith": {
      "@type": ["prov:SoftwareAgent", "sc:SoftwareApplication"],
      name: "ambitab",
      version: PACKAGE_VERSION,
    },
  }));
}

/** The dataset that a file is made of; undefined for what belongs to the whole release. */
function datasetOf({ manifest }: ReleaseContents, path: string): string | undefined {
  const [folder, name = ""] = path.split("/");
  if (folder === "schemas" || folder === undefined) return undefined;
  return Object.keys(manifest.datasets).find((dataset) => name === dataset || name.startsWith(`${dataset}.`));
}

/**
 * Every file as a FileObject, the thousand databases, too. A FileSet would be shorter, but it has no hash and must lie in an
 * archive or another listed file, and here each file lies for itself: so each can be fetched and checked alone.
 */
function distribution(contents: ReleaseContents, files: readonly ReleaseFile[]): CroissantFileObject[] {
  return files.map(({ path, bytes, sha256: hash }) => {
    const dataset = datasetOf(contents, path);
    const version = dataset === undefined ? "" : (contents.manifest.datasets[dataset]?.source_version ?? "");
    return {
      "@type": "cr:FileObject",
      "@id": urlOf(path),
      name: basename(path),
      contentUrl: urlOf(path),
      contentSize: `${bytes} B`,
      encodingFormat: formatOf(path),
      sha256: hash,
      ...(dataset === undefined
        ? {}
        : {
            "prov:wasGeneratedBy": { "@id": activityId(dataset) },
            "prov:wasDerivedFrom": { "@id": sourceId(dataset, version) },
          }),
    };
  });
}

/**
 * A release by Croissant 1.1: its files with hashes, what each line of its records holds, and by PROV-O what it was made
 * from and by which pipeline. Paths are relative, so the description holds wherever the folder is put. It has no
 * `datePublished`, which Croissant wants: a release is made before it is published, and by no clock; whoever publishes it
 * adds the date where it is shown.
 *
 * @param files all files but this one, the statement and SHA256SUMS
 */
export function croissant(
  contents: ReleaseContents,
  zones: readonly ZoneFiles[],
  files: readonly ReleaseFile[],
): CroissantMetadata {
  const { manifest } = contents;
  const licences = [...new Set(sourcesOf(manifest).flatMap(licencesOf))];
  const [licence = "NOASSERTION", ...more] = licences;
  const splits = new Set(Object.values(manifest.datasets).flatMap((one) => Object.keys(one.splits)));
  return {
    "@context": CROISSANT_CONTEXT,
    "@type": "sc:Dataset",
    name: manifest.name,
    conformsTo: "http://mlcommons.org/croissant/1.1",
    description: `Ambiguous text-to-SQL tasks with executable databases (${Object.keys(manifest.datasets).join(", ")}): requests that leave something open, what a simulated user would answer, and how an answer is verified. Zones: ${manifest.zones.join(", ")}.`,
    version: manifest.version,
    license: [licence, ...more],
    url: "README.md",
    creator: { "@type": "sc:Organization", name: "AmbiTab" },
    citeAs: BIBTEX,
    keywords: ["text-to-SQL", "ambiguity", "clarifying questions", "benchmark"],
    inLanguage: "en",
    isLiveDataset: false,
    sdVersion: SD_VERSION,
    "prov:wasDerivedFrom": sources(contents),
    "prov:wasGeneratedBy": activities(contents),
    distribution: distribution(contents, files),
    recordSet: [
      splitsRecordSet([...splits]),
      ...zones.flatMap((one) => recordSetsOf(one, activityId(one.dataset))),
    ],
  };
}

/** The text of `croissant.json`. */
export function croissantText(...given: Parameters<typeof croissant>): string {
  return `${JSON.stringify(JSON.parse(canonicalLine("croissant", croissant(...given))), null, 1)}\n`;
}
