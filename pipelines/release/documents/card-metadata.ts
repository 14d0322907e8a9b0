/**
 * The YAML at a card's head, by the hub's rules: hub-docs `datasetcard.md` (keys), `repositories-licenses.md` (licence
 * identifiers), `datasets-manual-configuration.md` (configs, data_files, default) and the task list of huggingface.js
 * (`packages/tasks/src/pipelines.ts`).
 */
import { stringify } from "yaml";
import type { ReleaseManifest } from "../../../schemas/types/manifest.js";
import { MANIFESTS, type SourceManifest } from "../../../sources/index.js";
import { featuresOf, type HubFeature } from "./hub-features.js";
import type { ZoneFiles } from "./zone-files.js";

/** The hub's buckets: up to, name. */
const SIZES: readonly [number, string][] = [
  [1_000, "n<1K"],
  [10_000, "1K<n<10K"],
  [100_000, "10K<n<100K"],
  [1_000_000, "100K<n<1M"],
  [Number.POSITIVE_INFINITY, "1M<n<10M"],
];

/** The manifests of the sources that a release's datasets come from, each once. */
export function sourcesOf({ datasets }: ReleaseManifest): SourceManifest[] {
  const names = new Set(Object.values(datasets).map(({ source }) => source));
  return Object.values(MANIFESTS).filter(({ source }) => names.has(source));
}

/** The hub's identifiers of a source's licences: it writes SPDX identifiers in lower case, and knows no expressions. */
export const hubLicences = (spdx: string): string[] =>
  spdx.split(" AND ").map((id) => (id === "NOASSERTION" ? "unknown" : id.toLowerCase()));

/** The name of a zone's configuration: the dataset's own for what everybody may read. */
export const configName = ({ dataset, zone }: Pick<ZoneFiles, "dataset" | "zone">): string =>
  zone === "public" ? dataset : `${dataset}-${zone}`;

/** The keys of the YAML, in the order in which they are written. */
export interface CardMetadata {
  pretty_name: string;
  language: string[];
  license: string | string[];
  size_categories: string[];
  task_categories: string[];
  annotations_creators: string[];
  source_datasets: string[];
  tags: string[];
  extra_gated_prompt?: string;
  extra_gated_fields?: Record<string, string>;
  configs: { config_name: string; data_files: { split: string; path: string }[]; default?: true }[];
  dataset_info: { config_name: string; features: HubFeature[] }[];
}

/** What the card's YAML says; configurations exist for the files that are here and for no others. */
export function cardMetadata(manifest: ReleaseManifest, zones: readonly ZoneFiles[]): CardMetadata {
  const sources = sourcesOf(manifest);
  const records = Object.values(manifest.datasets).reduce((sum, one) => sum + one.records, 0);
  const licences = [...new Set(sources.flatMap(({ licence }) => hubLicences(licence.id)))].sort();
  const [only = "unknown", ...more] = licences;
  const gated = sources.filter(({ redistribution }) => redistribution === "gated");
  // What everybody may read comes first, and the first of these is what a library loads when it is told nothing.
  const ordered = [...zones].sort((a, b) => Number(a.zone !== "public") - Number(b.zone !== "public"));
  return {
    pretty_name: `${manifest.name} ${manifest.version}`,
    language: ["en"],
    license: more.length === 0 ? only : licences,
    size_categories: [SIZES.find(([below]) => records < below)?.[1] ?? "n<1K"],
    task_categories: ["text-generation", "table-question-answering"],
    annotations_creators: ["machine-generated"],
    source_datasets: sources.map(({ source }) => source),
    tags: ["text-to-sql", "ambiguity", "clarifying-questions", "sql", "databases", "benchmark"],
    ...(gated.length === 0
      ? {}
      : {
          extra_gated_prompt: `The authors of ${gated.map(({ title }) => title).join(" and ")} ask to keep the data from crawlers. By asking for access you agree not to put its files on the open web.`,
          extra_gated_fields: { "I will not put the files on the open web": "checkbox" },
        }),
    configs: ordered.map((one, at) => ({
      config_name: configName(one),
      data_files: one.splits.map(({ split, path }) => ({ split, path })),
      ...(at === 0 ? { default: true } : {}),
    })),
    dataset_info: ordered.map((one) => ({
      config_name: configName(one),
      features: featuresOf(one.fields, "", one.found),
    })),
  };
}

/** The metadata as YAML between its fences. Long texts stay in one line, so that no reader folds them anew. */
export const metadataText = (metadata: CardMetadata): string =>
  `---\n${stringify(metadata, { lineWidth: 0 })}---\n`;
