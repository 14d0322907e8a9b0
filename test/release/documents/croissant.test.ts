import { createHash } from "node:crypto";
import { readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import jsonld from "jsonld";
import { beforeAll, describe, expect, it } from "vitest";
import { filesBelow } from "../../../pipelines/audit/checksums.js";
import { schemaFaults } from "../../../pipelines/record/check-schema.js";
import { croissant } from "../../../pipelines/release/documents/croissant.js";
import type { CroissantField, CroissantMetadata } from "../../../schemas/types/croissant.js";
import type { BuildLock } from "../../../schemas/types/lock.js";
import type { ReleaseManifest } from "../../../schemas/types/manifest.js";
import { PUBLISHABLE, writtenRelease } from "./releases.js";

const BASE = "https://example.org/release/";
const CR = "http://mlcommons.org/croissant/";
const PROV = "http://www.w3.org/ns/prov#";

type Node = { "@id"?: string; "@type"?: string[]; [key: string]: unknown };

const releases: Record<string, string> = {};
beforeAll(async () => {
  releases.whole = await writtenRelease();
  releases.public = await writtenRelease({ publicOnly: true });
  releases.publishable = await writtenRelease({ publishable: true }, PUBLISHABLE);
});

const read = (kind: string): CroissantMetadata =>
  JSON.parse(readFileSync(join(releases[kind] ?? "", "croissant.json"), "utf8")) as CroissantMetadata;

/** As an independent reader of JSON-LD sees it; the context stands in the file, so nothing may be fetched. */
async function expanded(kind: string): Promise<Node> {
  const nodes = await jsonld.expand(read(kind) as object as jsonld.JsonLdDocument, {
    base: BASE,
    documentLoader: (url) => Promise.reject(new Error(`asked the network for ${url}`)),
  });
  expect(nodes).toHaveLength(1);
  return nodes[0] as Node;
}

/** Every object below one that has more than an id (a definition), and every one that has only an id (a reference). */
function idsOf(
  value: unknown,
  defined: string[] = [],
  referred: string[] = [],
): { defined: string[]; referred: string[] } {
  if (Array.isArray(value)) for (const one of value) idsOf(one, defined, referred);
  else if (value !== null && typeof value === "object") {
    const { "@id": id, ...rest } = value as Node;
    if (typeof id === "string") (Object.keys(rest).length > 0 ? defined : referred).push(id);
    for (const [key, one] of Object.entries(rest)) if (key !== "@value") idsOf(one, defined, referred);
  }
  return { defined, referred };
}

/** A little JSONPath of its own: names and `[*]`. */
function extract(line: unknown, path: string): unknown[] {
  expect(path).toMatch(/^\$(\.[a-z0-9_]+(\[\*\])?)+$/);
  return path
    .slice(2)
    .split(".")
    .reduce<unknown[]>(
      (found, step) => {
        const name = step.replace("[*]", "");
        const next = found.flatMap((one) =>
          Object.hasOwn(one as object, name) ? [(one as Node)[name]] : [],
        );
        return step.endsWith("[*]") ? next.flat() : next;
      },
      [line],
    );
}

const leavesOf = (fields: readonly CroissantField[]): CroissantField[] =>
  fields.flatMap((field) => (field.subField === undefined ? [field] : leavesOf(field.subField)));

describe.each(["whole", "public", "publishable"])("croissant.json of a %s release", (kind) => {
  it("obeys its schema and has what Croissant 1.1 requires of a dataset", async () => {
    expect(schemaFaults("croissant", read(kind))).toEqual([]);
    const node = await expanded(kind);
    expect(node["@type"]).toEqual(["http://schema.org/Dataset"]);
    expect(node["http://purl.org/dc/terms/conformsTo"]).toEqual([
      { "@value": "http://mlcommons.org/croissant/1.1", "@language": "en" },
    ]);
    // Its "Required" table but datePublished, which a release made by no clock does not have.
    for (const name of ["name", "description", "license", "url", "creator", "distribution"])
      expect(node, name).toHaveProperty([`http://schema.org/${name}`]);
    expect(node[`${CR}recordSet`]).toBeDefined();
    expect(JSON.stringify(read(kind))).not.toMatch(/"seed"/);
  });

  it("gives each thing an id of its own, and every reference ends at one", async () => {
    const { defined, referred } = idsOf(await expanded(kind));
    expect(defined.length).toBeGreaterThan(50);
    expect(new Set(defined).size).toBe(defined.length);
    const known = new Set(defined);
    const types =
      /^(http:\/\/schema\.org|http:\/\/mlcommons\.org\/croissant|http:\/\/www\.wikidata\.org\/entity)\//;
    expect(referred.filter((id) => !known.has(id) && !types.test(id))).toEqual([]);
    for (const id of defined) expect(id.startsWith(BASE)).toBe(true);
  });

  it("uses terms of Croissant 1.1 and PROV-O only, beside schema.org's", async () => {
    const properties = new Set<string>();
    const walk = (value: unknown): void => {
      if (Array.isArray(value)) for (const one of value) walk(one);
      else if (value !== null && typeof value === "object")
        for (const [key, one] of Object.entries(value)) {
          if (!key.startsWith("@")) properties.add(key);
          if (key !== "@value") walk(one);
        }
    };
    walk(await expanded(kind));
    const own = (prefix: string): string[] =>
      [...properties].filter((key) => key.startsWith(prefix)).map((key) => key.slice(prefix.length));
    const spec =
      "annotation arrayShape citeAs data dataType extract field fileObject isArray isLiveDataset jsonPath key recordSet references sdVersion source subField value";
    expect(own(CR).filter((name) => !spec.split(" ").includes(name))).toEqual([]);
    expect(own(PROV).sort()).toEqual(["used", "wasAssociatedWith", "wasDerivedFrom", "wasGeneratedBy"]);
    const others = [...properties].filter(
      (key) =>
        ![CR, PROV, "http://schema.org/", "http://purl.org/dc/terms/"].some((prefix) =>
          key.startsWith(prefix),
        ),
    );
    expect(others).toEqual([]);
  });

  it("lists every file but itself, the statement and SHA256SUMS, with its true hash and size", () => {
    const folder = releases[kind] ?? "";
    const listed = read(kind).distribution;
    const paths = listed.map(({ contentUrl }) => decodeURIComponent(contentUrl));
    expect(paths).toEqual(
      filesBelow(folder).filter((name) => name !== "croissant.json" && name !== "provenance.intoto.json"),
    );
    for (const { contentUrl, sha256, contentSize } of listed) {
      const path = join(folder, new URL(contentUrl, BASE).pathname.slice("/release/".length));
      expect(createHash("sha256").update(readFileSync(path)).digest("hex")).toBe(sha256);
      expect(contentSize).toBe(`${statSync(path).size} B`);
    }
  });

  it("has a record set for each zone file, whose fields are found in every line, with their types and key", () => {
    const folder = releases[kind] ?? "";
    const manifest = JSON.parse(readFileSync(join(folder, "manifest.json"), "utf8")) as ReleaseManifest;
    const sets = read(kind).recordSet.filter(({ data }) => data === undefined);
    const expected = Object.entries(manifest.datasets).flatMap(
      ([dataset, { splits, zones = manifest.zones }]) =>
        zones.flatMap((zone) => Object.keys(splits).map((split) => `${dataset}/${split}/${zone}`)),
    );
    expect(sets.map((set) => set["@id"]).sort()).toEqual(expected.sort());
    const types: Record<string, (value: unknown) => boolean> = {
      "sc:Text": (value) => typeof value === "string",
      "sc:Boolean": (value) => typeof value === "boolean",
      "sc:Integer": (value) => Number.isSafeInteger(value),
    };
    for (const set of sets) {
      const fields = leavesOf(set.field);
      expect(set.key["@id"]).toBe(`${set["@id"]}/record_id`);
      const [file] = new Set(fields.map(({ source }) => source?.fileObject["@id"] ?? ""));
      const lines = readFileSync(join(folder, file ?? ""), "utf8")
        .trimEnd()
        .split("\n");
      expect(set.annotation?.value).toBe(lines.length);
      const keys = new Set<unknown>();
      const seen = new Set<string>();
      for (const line of lines.map((text) => JSON.parse(text) as Node)) {
        keys.add(line.record_id);
        for (const { "@id": id, dataType, isArray, source } of fields) {
          const found = extract(line, source?.extract.jsonPath ?? "");
          if (found.length > 0) seen.add(id);
          const values = isArray === true ? found.flat(2) : found;
          if (isArray !== true) expect(found.length, id).toBeLessThanOrEqual(1);
          for (const value of values)
            expect(types[String(dataType)]?.(value), `${id} of ${line.record_id}`).toBe(true);
        }
        const items = fields.filter(({ source }) =>
          source?.extract.jsonPath.startsWith("$.oracle.ambiguities[*]"),
        );
        // Sub-fields of a list stand in the items' order, so all have as many values as there are items.
        for (const { "@id": id, source } of items) {
          const { ambiguities } = (line as object as { oracle: { ambiguities: unknown[] } }).oracle;
          expect(extract(line, source?.extract.jsonPath ?? "").length, id).toBe(ambiguities.length);
        }
      }
      expect(keys.size).toBe(lines.length);
      for (const name of set["@id"].endsWith("/public")
        ? ["record_id", "public/request", "public/database/path"]
        : ["record_id"])
        expect(seen).toContain(`${set["@id"]}/${name}`);
    }
  });

  it("tells what each dataset was generated from and by what", () => {
    const metadata = read(kind);
    const activities = new Map((metadata["prov:wasGeneratedBy"] ?? []).map((one) => [one["@id"], one]));
    const sources = new Map((metadata["prov:wasDerivedFrom"] ?? []).map((one) => [one["@id"], one]));
    const manifest = JSON.parse(
      readFileSync(join(releases[kind] ?? "", "manifest.json"), "utf8"),
    ) as ReleaseManifest;
    for (const [dataset, entry] of Object.entries(manifest.datasets)) {
      const file = metadata.distribution.find((one) => one["@id"].startsWith(`public/${dataset}/`));
      const activity = activities.get(file?.["prov:wasGeneratedBy"]?.["@id"] ?? "");
      expect(activity?.version).toBe(entry.pipeline_version);
      const source = sources.get(activity?.["prov:used"]["@id"] ?? "");
      expect(source?.version).toBe(entry.source_version);
      expect(file?.["prov:wasDerivedFrom"]?.["@id"]).toBe(source?.["@id"]);
      // One hash over the source's files; the lock that has it goes with the private zones.
      expect(source?.sha256 === undefined).toBe(kind === "public");
    }
  });
});

describe("a file's name", () => {
  it("is no scheme, query or fragment, whatever stands in it", async () => {
    const folder = releases.whole ?? "";
    const jsonOf = <T>(name: string): T => JSON.parse(readFileSync(join(folder, name), "utf8")) as T;
    const contents = {
      manifest: jsonOf<ReleaseManifest>("manifest.json"),
      funnels: {},
      locks: jsonOf<Record<string, BuildLock>>("lock.json"),
      zones: ["public" as const],
      publicOnly: false,
      publishable: false,
    };
    const names = ["a b#c?d.sqlite", "http:", "%41", "A", "é\u0301 '\"<x>", "..%2f"];
    const files = names.map((name) => ({
      path: `databases/ambiqt/${name}`,
      bytes: 1,
      sha256: "0".repeat(64),
    }));
    const { distribution } = croissant(contents, [], files);
    const urls = distribution.map(({ contentUrl }) => new URL(contentUrl, BASE));
    expect(urls.map(({ pathname }) => decodeURIComponent(pathname))).toEqual(
      names.map((name) => `/release/databases/ambiqt/${name}`),
    );
    for (const { search, hash, host } of urls) expect([search, hash, host]).toEqual(["", "", "example.org"]);
    expect(new Set(distribution.map((one) => one["@id"])).size).toBe(names.length);
    for (const one of distribution) expect(one["prov:wasGeneratedBy"]?.["@id"]).toBe("build/ambiqt");
  });
});
