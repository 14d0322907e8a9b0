import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { parse } from "yaml";
import { cardMetadata, hubLicences } from "../../../pipelines/release/documents/card-metadata.js";
import { grouped } from "../../../pipelines/release/documents/grouped.js";
import { code, escaped } from "../../../pipelines/release/documents/markdown.js";
import { zoneFiles } from "../../../pipelines/release/documents/zone-files.js";
import type { Funnel } from "../../../schemas/types/funnel.js";
import type { ReleaseManifest } from "../../../schemas/types/manifest.js";
import { MANIFESTS } from "../../../sources/index.js";
import { DATASETS } from "../sample.js";
import { PUBLISHABLE, writtenRelease } from "./releases.js";

type Feature = { name: string; dtype?: string; list?: string | Feature[]; struct?: Feature[] };
interface Metadata {
  license: string | string[];
  configs: { config_name: string; default?: boolean; data_files: { split: string; path: string }[] }[];
  dataset_info: { config_name: string; features: Feature[] }[];
  [key: string]: unknown;
}

const releases: Record<string, string> = {};
beforeAll(async () => {
  releases.whole = await writtenRelease();
  releases.public = await writtenRelease({ publicOnly: true });
  releases.publishable = await writtenRelease({ publishable: true }, PUBLISHABLE);
});
const KINDS = ["whole", "public", "publishable"];

const folderOf = (kind: string): string => releases[kind] ?? "";
const cardOf = (kind: string): string => readFileSync(join(folderOf(kind), "README.md"), "utf8");
const manifestOf = (kind: string): ReleaseManifest =>
  JSON.parse(readFileSync(join(folderOf(kind), "manifest.json"), "utf8")) as ReleaseManifest;

/** The YAML between the fences at the head, as the hub takes it. */
function metadataOf(kind: string): Metadata {
  const [, yaml] = /^---\n([\s\S]*?)\n---\n/.exec(cardOf(kind)) ?? [];
  // Duplicate keys and everything that YAML 1.2 does not allow throw here.
  return parse(yaml ?? "", { strict: true }) as Metadata;
}

const linesOf = (path: string): unknown[] =>
  readFileSync(path, "utf8")
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line) as unknown);

/** huggingface/hub-docs, datasetcard.md and docs/hub/datasets-cards.md: the keys that the hub knows. */
const KEYS = new Set(
  "language license license_name license_link tags annotations_creators language_creators pretty_name size_categories source_datasets task_categories task_ids configs dataset_info extra_gated_fields extra_gated_prompt viewer".split(
    " ",
  ),
);
/** hub-docs, docs/hub/repositories-licenses.md: of its list the ones that sources of ours may have. */
const LICENCES = ["apache-2.0", "mit", "cc-by-4.0", "cc-by-sa-4.0", "unknown", "other"];
/** huggingface.js, packages/tasks/src/pipelines.ts: of its list the ones for text and tables. */
const TASKS = ["text-generation", "table-question-answering", "question-answering", "table-to-text"];
/** The hub's buckets, from the size that they begin at. */
const SIZES: Record<string, [number, number]> = {
  "n<1K": [0, 1_000],
  "1K<n<10K": [1_000, 10_000],
  "10K<n<100K": [10_000, 100_000],
};

describe.each(KINDS)("the card of a %s release", (kind) => {
  it("has YAML by the hub's rules", () => {
    const metadata = metadataOf(kind);
    expect(Object.keys(metadata).filter((key) => !KEYS.has(key))).toEqual([]);
    for (const licence of [metadata.license].flat()) expect(LICENCES).toContain(licence);
    for (const task of metadata.task_categories as string[]) expect(TASKS).toContain(task);
    expect(metadata.language).toEqual(["en"]);
    const records = Object.values(manifestOf(kind).datasets).reduce((sum, one) => sum + one.records, 0);
    const [bucket = ""] = metadata.size_categories as string[];
    const [least, below] = SIZES[bucket] ?? [1, 0];
    expect(records >= least && records < below).toBe(true);
  });

  it("has one configuration for each zone that is here and none for another, the first as default", () => {
    const { configs } = metadataOf(kind);
    const named = configs.flatMap(({ data_files }) => data_files.map(({ path }) => path));
    const here = ["public", "oracle", "verifier", "provenance"]
      .filter((zone) => existsSync(join(folderOf(kind), zone)))
      .flatMap((zone) =>
        readdirSync(join(folderOf(kind), zone), { recursive: true, encoding: "utf8" })
          .filter((name) => name.endsWith(".jsonl"))
          .map((name) => `${zone}/${name}`),
      );
    expect([...named].sort()).toEqual(here.sort());
    expect(new Set(configs.map(({ config_name }) => config_name)).size).toBe(configs.length);
    for (const { config_name, data_files } of configs) {
      // datasets, naming.py: what a configuration's name and a split's name may not have.
      expect(config_name).not.toMatch(/[<>:/\\|?*]/);
      for (const { split, path } of data_files) {
        expect(split).toMatch(/^\w+(\.\w+)*$/);
        expect(path).toBe(`${path.split("/").slice(0, 2).join("/")}/${split}.jsonl`);
      }
    }
    expect(configs.filter((one) => one.default === true)).toEqual([configs[0]]);
    expect(configs[0]?.data_files[0]?.path).toMatch(/^public\//);
  });

  /**
   * What the JSON reader of datasets does (packaged_modules/json/json.py, table.py): a column or a struct's member that the
   * features lack is an error, one that the file lacks becomes null, and each value must fit its type.
   */
  it("states features that every line fits", () => {
    const { configs, dataset_info } = metadataOf(kind);
    const fits = (value: unknown, feature: Feature, place: string): string[] => {
      if (value === null) return [];
      if (feature.struct !== undefined) return fitsAll(value as object, feature.struct, place);
      if (feature.list !== undefined) {
        if (!Array.isArray(value)) return [`${place} is no list`];
        const item = typeof feature.list === "string" ? { dtype: feature.list } : { struct: feature.list };
        return value.flatMap((one) => fits(one, { name: "", ...item }, `${place}[]`));
      }
      const types: Record<string, boolean> = {
        string: typeof value === "string",
        bool: typeof value === "boolean",
        int64: Number.isSafeInteger(value),
        json: typeof value === "object",
      };
      return types[feature.dtype ?? ""] === true ? [] : [`${place} is no ${feature.dtype}`];
    };
    const fitsAll = (value: object, features: readonly Feature[], place: string): string[] =>
      Object.entries(value).flatMap(([name, own]) => {
        const feature = features.find((one) => one.name === name);
        return feature === undefined
          ? [`${place}.${name} has no feature`]
          : fits(own, feature, `${place}.${name}`);
      });
    expect(dataset_info.map(({ config_name }) => config_name)).toEqual(
      configs.map(({ config_name }) => config_name),
    );
    const faults = configs.flatMap(({ config_name, data_files }, at) =>
      data_files.flatMap(({ path }) =>
        linesOf(join(folderOf(kind), path)).flatMap((line) =>
          fitsAll(line as object, dataset_info[at]?.features ?? [], config_name),
        ),
      ),
    );
    expect([...new Set(faults)]).toEqual([]);
  });

  it("says the counts of manifest and funnel, the paper's beside them, and each licence", () => {
    const text = cardOf(kind);
    const manifest = manifestOf(kind);
    const funnels = JSON.parse(readFileSync(join(folderOf(kind), "funnel.json"), "utf8")) as Record<
      string,
      Funnel
    >;
    for (const [dataset, entry] of Object.entries(manifest.datasets)) {
      const { published, stages } = funnels[dataset] as Funnel;
      const row = (["records", "databases", "ambiguities"] as const).map((name) => {
        const theirs = published === undefined ? "" : ` (${grouped(published[name])})`;
        return `${grouped(entry[name])}${theirs}`;
      });
      expect(text).toContain(`| ${[dataset, ...row, grouped(entry.avts)].join(" | ")} |`);
      for (const { stage } of stages) expect(text).toContain(`| \`${stage}\` |`);
      const source = Object.values(MANIFESTS).find((one) => one.source === entry.source);
      expect(text).toContain(escaped(source?.licence.attribution ?? "?"));
      for (const licence of hubLicences(entry.licence))
        expect([metadataOf(kind).license].flat()).toContain(licence);
    }
  });
});

describe("the card", () => {
  it("speaks of private files only where they are", () => {
    expect(cardOf("whole")).toContain("`ledger/`");
    expect(cardOf("public")).not.toContain("`ledger/`");
    expect(cardOf("public")).not.toContain("--execute");
    expect(cardOf("public")).toContain("ambitab predict");
    expect(cardOf("publishable")).toContain("`recipe/bird-interact/`");
    expect(cardOf("whole")).not.toContain("recipe/");
  });

  it("asks whoever wants gated data for a promise, and nobody else", async () => {
    expect(metadataOf("whole").extra_gated_prompt).toContain("AMBROSIA");
    const folder = await writtenRelease({}, ["ambiqt"]);
    const text = readFileSync(join(folder, "README.md"), "utf8");
    expect(text).not.toContain("extra_gated");
    expect(text).toContain("license:\n  - cc-by-sa-4.0\n  - mit\n");
  });

  it("names the objects of changing keys that need a newer library, and types them json", () => {
    const info = metadataOf("whole").dataset_info.find(({ config_name }) => config_name === "bird");
    const zone = info?.features.find(({ name }) => name === "public")?.struct;
    expect(zone?.find(({ name }) => name === "column_meanings")?.dtype).toBe("json");
    expect(cardOf("whole")).toMatch(/`bird`.*needs datasets 4\.7\.0/);
  });

  it("is the same for the same build", async () => {
    expect(readFileSync(join(await writtenRelease(), "README.md"), "utf8")).toBe(cardOf("whole"));
  });

  it("keeps hostile names from speaking to the page", async () => {
    const bad = "a|b `c` <script>x</script> [l](http://e) **b**\n# h";
    expect(escaped(bad)).toBe(
      "a\\|b \\`c\\` \\<script\\>x\\</script\\> \\[l\\](http://e) \\*\\*b\\*\\* \\# h",
    );
    expect(code("a`b``c|d\ne")).toBe("```a`b``c\\|d e```");
    const manifest = manifestOf("whole");
    manifest.version = "1.0.0: [x] #\n- 'y\"";
    const metadata = cardMetadata(manifest, await zoneFiles(folderOf("whole"), manifest));
    expect(metadata.pretty_name).toContain(manifest.version);
  });

  it("knows a hub licence for every source", () => {
    const used = Object.values(MANIFESTS).flatMap(({ licence }) => hubLicences(licence.id));
    for (const licence of used) expect(LICENCES).toContain(licence);
    expect(DATASETS).toContain("taco");
    expect([metadataOf("whole").license].flat()).toContain("unknown");
  });
});
