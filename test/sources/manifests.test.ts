import { describe, expect, it } from "vitest";
import {
  ensureSource,
  fetchSource,
  MANIFESTS,
  openSource,
  REDISTRIBUTION_TERMS,
  SOURCE_NAMES,
} from "../../sources/index.js";
import { realData, temporaryFolder } from "./temporary.js";

describe("the manifests", () => {
  it.each(Object.entries(MANIFESTS))("%s holds together", (name, manifest) => {
    expect(manifest.source).toBe(name);
    expect(manifest.obtain).toContain("{folder}");
    expect(REDISTRIBUTION_TERMS[manifest.redistribution]).not.toBe("");
    expect(manifest.licence.id === "NOASSERTION" || manifest.licence.url?.startsWith("https://")).toBe(true);
    const paths = manifest.artefacts.map((artefact) => artefact.path);
    expect(new Set(paths).size).toBe(paths.length);
    expect(manifest.artefacts.some((artefact) => artefact.required)).toBe(true);
    for (const artefact of manifest.artefacts) {
      expect(artefact.kind === "archive").toBe(artefact.unpack !== undefined);
      if (artefact.archive !== undefined) expect(paths).toContain(artefact.archive);
      for (const place of [artefact.path, ...(artefact.alternatives ?? [])]) {
        expect(place).not.toMatch(/^\/|\\|(^|\/)\.\.?(\/|$)/);
      }
      for (const { sha256, bytes } of [...(artefact.releases ?? []), ...(artefact.downloads ?? [])]) {
        if (sha256 !== undefined) expect(sha256).toMatch(/^[0-9a-f]{64}$/);
        if (bytes !== undefined) expect(bytes).toBeGreaterThan(0);
      }
      for (const { url } of artefact.downloads ?? []) expect(url).toMatch(/^https:\/\//);
    }
  });

  it("follow the table of licences of spec 2", () => {
    const table = Object.entries(MANIFESTS).map(([name, { licence, redistribution }]) => [
      name,
      licence.id,
      redistribution,
    ]);
    expect(table).toEqual([
      ["ambiqt", "MIT AND CC-BY-SA-4.0", "share-alike"],
      ["ambrosia", "CC-BY-4.0", "gated"],
      ["bird", "CC-BY-SA-4.0", "share-alike"],
      ["bird-interact", "CC-BY-SA-4.0", "withheld-ground-truth"],
      ["taco", "NOASSERTION", "recipe-only"],
    ]);
  });
});

describe.each(SOURCE_NAMES)("the real %s files", (source) => {
  const real = realData(source);
  it.skipIf(real === undefined)("are taken in, recognised, and opened again", async () => {
    const out = temporaryFolder();
    const { root, lock } = await fetchSource({ source, from: real ?? "", out });
    expect(root).toBe(real);
    const releases = Object.fromEntries(
      lock.files.flatMap(({ path, release }) => (release === undefined ? [] : [[path, release]])),
    );
    expect(releases).toEqual(RELEASES[source] ?? {});
    expect(await openSource(source, out)).toEqual({ root, lock });
    expect(await ensureSource({ source, out })).toEqual({ root, lock });
  });
});

const RELEASES: Partial<Record<string, Record<string, string>>> = {
  ambiqt: {
    "benchmark/col-synonyms/validation.regenerated.json": "regenerated-from-ambiqt-2dd908b",
    "spider/dev.json": "ambiqt-2dd908b",
    "spider/tables.json": "ambiqt-2dd908b",
  },
  bird: {
    "dev/dev.json": "dev_20240627",
    "dev/dev_tables.json": "dev_20240627",
    "dev_2023/dev.json": "dev_2023",
    "dev_2023/dev_tables.json": "dev_2023",
    "mini_dev/mini_dev_sqlite.json": "mini_dev_v1",
  },
};
