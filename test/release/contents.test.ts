import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { gunzipSync } from "node:zlib";
import { extract, list, type ReadEntry } from "tar";
import { beforeAll, describe, expect, it } from "vitest";
import { checksums } from "../../pipelines/audit/checksums.js";
import { UserError } from "../../pipelines/errors.js";
import { storePath } from "../../pipelines/model/client.js";
import { ResponseStore } from "../../pipelines/model/response-store.js";
import { PACKAGE_ROOT } from "../../pipelines/package-root.js";
import { sha256 } from "../../pipelines/record/ids.js";
import { derivedLicence, licenceIds, licenceTerms } from "../../pipelines/release/documents/licence-terms.js";
import { writeResponses } from "../../pipelines/release/responses.js";
import { packRelease } from "../../pipelines/release/tar.js";
import { entriesOf } from "../../pipelines/release/tree.js";
import type { ReleaseManifest } from "../../schemas/types/manifest.js";
import type { ModelResponse } from "../../schemas/types/model-response.js";
import { sampleResponses } from "../../scripts/terminal/build-options.js";
import { MANIFESTS } from "../../sources/index.js";
import { buildSample, temporaryFolder, treeOf, writeSample } from "./sample.js";

let out = "";
let release = "";
let archive = "";
const sampleLines = gunzipSync(readFileSync(sampleResponses())).toString();

/** An answer that no build has asked for. */
const foreign: ModelResponse = {
  ...(JSON.parse(sampleLines.split("\n")[0] ?? "") as ModelResponse),
  key: "0".repeat(64),
};

beforeAll(async () => {
  out = temporaryFolder();
  await buildSample(out, ["bird", "ew-bird", "ambrosia"]);
  const store = new ResponseStore(storePath(out));
  await store.put(foreign);
  store.close();
  const written = await writeSample(out, "1.0.0", { tar: true });
  release = written.folder;
  archive = written.archive?.path ?? "";
});

const manifestOf = (folder: string): ReleaseManifest =>
  JSON.parse(readFileSync(join(folder, "manifest.json"), "utf8")) as ReleaseManifest;

describe("a release's licences", () => {
  it("are told dataset by dataset, with credit, duties and the texts", () => {
    const text = readFileSync(join(release, "LICENSES.md"), "utf8");
    const sections = new Map(
      text
        .split("\n## ")
        .slice(1)
        .map((part) => [part.slice(0, part.indexOf("\n")), part]),
    );
    expect([...sections.keys()]).toEqual(["ambrosia", "bird", "ew-bird"]);
    for (const [dataset, { source }] of Object.entries(manifestOf(release).datasets)) {
      const manifest = Object.values(MANIFESTS).find((one) => one.source === source);
      expect(sections.get(dataset)).toContain(`- credit: ${manifest?.licence.attribution}\n`);
      expect(sections.get(dataset)).toContain(manifest?.citation);
    }
    expect(sections.get("bird")).toContain("is under `CC-BY-SA-4.0`");
    expect(sections.get("ambrosia")).toContain("is under `CC-BY-4.0`");
    for (const [, name = ""] of text.matchAll(/`licences\/([^`]+)`/g))
      expect(readFileSync(join(release, "licences", name), "utf8").length).toBeGreaterThan(1000);
  });

  it("have terms and a text for every source that states one", () => {
    for (const { licence, source } of Object.values(MANIFESTS)) {
      for (const id of licenceIds(licence.id)) {
        expect(licenceTerms(id).duties.length, id).toBeGreaterThan(0);
        const texts = [`${id}.${source}.txt`, `${id}.txt`].map((name) =>
          join(PACKAGE_ROOT, "sources/licences", name),
        );
        expect(
          texts.some((path) => existsSync(path)),
          `${source}: ${id}`,
        ).toBe(true);
      }
    }
    expect(derivedLicence("MIT AND CC-BY-SA-4.0")).toBe("CC-BY-SA-4.0");
    expect(derivedLicence("NOASSERTION")).toBeUndefined();
    expect(() => licenceTerms("constructor")).toThrow("not written down");
  });

  it("are quoted as they are published, to the byte", () => {
    const sums = {
      "CC-BY-4.0.txt": "fd3a263fe19ed8faa9068b43abaebafc02c77897b0c6fc09abc04bb592e5f16e",
      "CC-BY-SA-4.0.txt": "23ee78c8bae49cf08ea2f0c84945c66b987ebe4520881fb51b3dad4fb43d07c2",
      "MIT.ambiqt.txt": "8a2f7b8cb36ee0c5d7620a2384d646f0513604ed1bfff79a048ded34bc5b73c4",
    };
    for (const [name, sum] of Object.entries(sums))
      expect(sha256(readFileSync(join(PACKAGE_ROOT, "sources/licences", name))), name).toBe(sum);
  });
});

describe("a release's response archive", () => {
  it("holds the answers that the build used and no other, where models were asked", () => {
    const bytes = readFileSync(join(release, "responses/bird.jsonl.gz"));
    // The sample is built from exactly these, with nothing else at hand: so it is built again from this archive.
    expect(gunzipSync(bytes).toString()).toBe(sampleLines);
    // The header's flags, time and system.
    expect([...bytes.subarray(3, 10)]).toEqual([0, 0, 0, 0, 0, 2, 255]);
    const { datasets } = manifestOf(release);
    expect(datasets.bird?.responses).toEqual({ answers: sampleLines.split("\n").length - 1 });
    expect(datasets["ew-bird"]?.responses).toBeUndefined();
    expect(existsSync(join(release, "responses/ew-bird.jsonl.gz"))).toBe(false);
  });

  it("stays with the private zones", async () => {
    const { folder } = await writeSample(out, "1.0.0-public", { publicOnly: true });
    expect(existsSync(join(folder, "responses"))).toBe(false);
    expect(manifestOf(folder).datasets.bird?.responses).toBeUndefined();
  });

  it("leaves out what may not be published, and the manifest counts it", async () => {
    const work = temporaryFolder();
    const wanted = { dataset: "bird", ledger: join(out, "build/bird/ledger.jsonl"), store: storePath(out) };
    const first = sampleLines.split("\n")[0] ?? "";
    const told = await writeResponses(work, { ...wanted, isWithheld: (line) => line === first });
    expect(told).toEqual({ answers: sampleLines.split("\n").length - 2, withheld: 1 });
    const kept = gunzipSync(readFileSync(join(work, "responses/bird.jsonl.gz"))).toString();
    expect(`${first}\n${kept}`).toBe(sampleLines);
  });

  it("is not made of a part: answers that are gone stop the release with the way out", async () => {
    const store = join(temporaryFolder(), "half.sqlite");
    const half = new ResponseStore(store);
    for (const line of sampleLines.split("\n").slice(3, -1))
      await half.put(JSON.parse(line) as ModelResponse);
    half.close();
    for (const [answers, what] of [
      [store, /3 of the 44 answers of models that bird was built with are not in/],
      [join(temporaryFolder(), "nothing.sqlite"), /are not kept any more: there is no/],
    ] as const) {
      const refused = writeSample(out, "1.0.1", { answers });
      await expect(refused).rejects.toThrow(UserError);
      await expect(refused).rejects.toThrow(what);
      expect(existsSync(join(out, "releases/1.0.1"))).toBe(false);
    }
  });
});

describe("a release's databases", () => {
  it("stand once on the disk where datasets share them, under each name in the list", () => {
    const names = [...entriesOf(join(release, "databases/bird"))].filter(({ isFolder }) => !isFolder);
    expect(names.length).toBe(3);
    for (const { path } of names) {
      const [one, two] = ["bird", "ew-bird"].map((dataset) =>
        statSync(join(release, "databases", dataset, path)),
      );
      expect(one?.ino).toBe(two?.ino);
      const lines = readFileSync(join(release, "SHA256SUMS"), "utf8").split("\n");
      const sums = lines.filter((line) => line.endsWith(`bird/${path}`)).map((line) => line.slice(0, 64));
      expect([sums.length, new Set(sums).size]).toEqual([2, 1]);
    }
  });
});

describe("a release as one file", () => {
  /** Every entry of an archive, in order. */
  async function entries(file: string): Promise<ReadEntry[]> {
    const all: ReadEntry[] = [];
    await list({ file, onReadEntry: (entry) => all.push(entry) });
    return all;
  }

  it("unpacks to the release, shared databases as links, with fixed modes, owner and time", async () => {
    const cwd = temporaryFolder();
    await extract({ file: archive, cwd });
    expect(treeOf(join(cwd, "ambitab-1.0.0"))).toEqual(treeOf(release));
    const all = await entries(archive);
    expect(all.map(({ path }) => path).filter((path) => !path.startsWith("ambitab-1.0.0/"))).toEqual([]);
    const links = all.filter(({ type }) => type === "Link");
    expect(links.map(({ path, linkpath }) => [path, linkpath])).toEqual(
      links.map(({ path }) => [path, path.replace("/ew-bird/", "/bird/")]),
    );
    expect(links.length).toBe(3);
    for (const { path, type, mode, uid, gid, mtime } of all) {
      const right = type === "Directory" ? 0o755 : path.includes("/databases/") ? 0o444 : 0o644;
      expect([path, mode, uid, gid, mtime?.toISOString()]).toEqual([
        path,
        right,
        0,
        0,
        "1980-01-01T00:00:00.000Z",
      ]);
    }
  });

  it("has the same bytes of a copy on a disk without links, in another folder and with other modes", async () => {
    const other = join(temporaryFolder(), "ein anderer Ort");
    for (const { path, isFolder } of entriesOf(release)) {
      if (isFolder) mkdirSync(join(other, path), { recursive: true });
      else {
        copyFileSync(join(release, path), join(other, path));
        chmodSync(join(other, path), 0o600);
      }
    }
    const packed = await packRelease(other, "ambitab-1.0.0", join(dirname(other), "again.tar.gz"));
    expect(packed.sha256).toBe(sha256(readFileSync(archive)));
    expect(packed.bytes).toBe(statSync(archive).size);
  });

  it("keeps names that are long, or have blanks, quotes and other scripts, and files of every size", async () => {
    const home = temporaryFolder();
    const folder = join(home, "release");
    const names = ["ß ö 'q' \"p\" 数据", "x".repeat(200), `${"deep/".repeat(40)}end`, "empty"];
    for (const [index, name] of names.entries()) {
      const path = join(folder, "databases", name);
      mkdirSync(dirname(path), { recursive: true });
      writeFileSync(path, Buffer.alloc(name === "empty" ? 0 : 511 + index, index));
      copyFileSync(path, `${path}2`);
    }
    writeFileSync(join(folder, "SHA256SUMS"), await checksums(folder));
    const target = join(home, "long.tar.gz");
    await packRelease(folder, "ambitab-1.0.0", target);
    const cwd = mkdtempSync(join(home, "unpacked-"));
    await extract({ file: target, cwd });
    expect(treeOf(join(cwd, "ambitab-1.0.0"))).toEqual(treeOf(folder));
    expect((await entries(target)).filter(({ type }) => type === "Link").length).toBe(4);
    await expect(packRelease(folder, "ambitab-1.0.0", target), "it is there").rejects.toThrow("EEXIST");
    rmSync(home, { recursive: true });
  });
});
