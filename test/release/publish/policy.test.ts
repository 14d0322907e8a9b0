import { createHash } from "node:crypto";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { hashFile } from "../../../pipelines/engine/files.js";
import { openSuite } from "../../../pipelines/record/suite.js";
import { refuseForbidden } from "../../../pipelines/release/publish/policy.js";
import { writeRelease } from "../../../pipelines/release/write.js";
import type { BuildLock } from "../../../schemas/types/lock.js";
import type { ReleaseManifest } from "../../../schemas/types/manifest.js";
import { buildSample, recordsOf, temporaryFolder, treeOf, writeRecords } from "../sample.js";
import { hubServer } from "./hub-server.js";
import { manifestOf, publishInto, publishTo, releaseOf } from "./releases.js";

const REPO = "lab/ambitab";

describe("--public-only", () => {
  const datasets = ["ambiqt", "ambrosia"];
  const canaries: string[] = [];
  let out = "";
  let whole = "";

  const canary = (place: string): string => {
    // Numbers in a row would tell the readings' order, which the audit finds out.
    const text = `canary-${place}-${createHash("sha256").update(`${place} ${canaries.length}`).digest("hex").slice(0, 16)}`;
    canaries.push(text);
    return text;
  };

  beforeAll(async () => {
    out = temporaryFolder();
    const build = await buildSample(out, datasets);
    // A token in every private field of every record, and in what goes with the private zones.
    for (const dataset of datasets) {
      const records = await recordsOf(join(build, dataset));
      for (const { oracle, verifier, provenance } of records) {
        for (const ambiguity of oracle.ambiguities) {
          ambiguity.response = canary("response");
          ambiguity.resolution = canary("resolution");
        }
        oracle.clear_request = canary("clear");
        verifier.reference_sql = [`SELECT '${canary("reference")}'`];
        verifier.alternative_sql = [`SELECT '${canary("alternative")}'`];
        provenance.source_version = canary("version");
      }
      writeRecords(build, records, dataset);
      const lockFile = join(build, dataset, "lock.json");
      const lock = JSON.parse(readFileSync(lockFile, "utf8")) as BuildLock;
      const file = await hashFile(join(build, dataset, "records.jsonl"));
      lock.outputs["records.jsonl"] = file.sha256;
      writeFileSync(lockFile, JSON.stringify(lock));
    }
    const place = { releases: join(out, "releases"), publicOnly: false };
    const { folder } = await writeRelease(
      openSuite(build).datasets,
      { ...place, version: "1.0.0" },
      async () => undefined,
    );
    whole = folder;
  });

  it("is byte for byte the release that release --public-only makes", async () => {
    const place = { releases: join(out, "public releases"), version: "1.0.0", publicOnly: true };
    const { folder: made } = await writeRelease(
      openSuite(join(out, "build")).datasets,
      place,
      async () => undefined,
    );
    const target = join(temporaryFolder(), "out");
    const { zones } = await publishInto(target, whole, { publicOnly: true });
    expect(zones).toEqual(["public"]);
    expect(treeOf(target)).toEqual(treeOf(made));
    // A public-only release is its own public part.
    const again = join(temporaryFolder(), "out");
    await publishInto(again, made, { publicOnly: true });
    expect(treeOf(again)).toEqual(treeOf(made));
  });

  it("sends no private word in any request, and what arrives passes its audit", async () => {
    const hub = await hubServer();
    hub.add(REPO, { private: true });
    const result = await publishTo(hub, REPO, whole, { publicOnly: true, files: 40 });
    const received = hub.received();
    expect(canaries.length).toBeGreaterThan(100);
    expect(canaries.filter((text) => received.includes(text))).toEqual([]);
    // The search itself can find: requests of the records are there, and the whole release has the canaries.
    const [first] = await recordsOf(whole);
    expect(received.includes(JSON.stringify(first?.public.request))).toBe(true);
    const private_ = hub.seen.length;
    await publishTo(hub, "lab/whole", whole, { files: 40, isPrivate: true });
    expect(private_).toBeLessThan(hub.seen.length);
    const all = hub.received();
    expect(canaries.filter((text) => !all.includes(text))).toEqual([]);
    expect(result.files.every(({ zone }) => zone === "public" || zone === "release")).toBe(true);
    // No hash of a private file is told either: of a short text it is as good as the text.
    const secret = Object.entries(treeOf(whole)).filter(([path]) =>
      /^(oracle|verifier|provenance|ledger|lock)/.test(path),
    );
    expect(secret.length).toBeGreaterThan(6);
    expect(secret.filter(([, hash]) => received.includes(hash))).toEqual([]);
  });

  it("of a repository whose answers are hidden: the answers are not put there by a slip", async () => {
    const hub = await hubServer();
    hub.add(REPO, { private: true });
    await publishTo(hub, REPO, whole, { publicOnly: true, files: 40 });
    hub.repositories.get(REPO)?.tags.clear();
    await expect(publishTo(hub, REPO, whole, { files: 40 })).rejects.toThrow("answers are hidden");
  });
});

describe("a source whose authors ask to keep it from crawlers", () => {
  let release = "";
  beforeAll(async () => {
    release = await releaseOf(["ambrosia"]);
  });

  it.each<[string, Parameters<Awaited<ReturnType<typeof hubServer>>["add"]>[1], boolean]>([
    ["open to everybody", {}, false],
    ["private", { private: true }, true],
    ["gated by a click", { gated: "auto" }, true],
    ["gated by hand", { gated: "manual" }, true],
  ])("in a repository that is %s", async (_, settings, goes) => {
    for (const dryRun of goes ? [true] : [true, false]) {
      const hub = await hubServer();
      hub.add(REPO, settings);
      const done = publishTo(hub, REPO, release, { dryRun, files: 40 });
      if (goes) await expect(done).resolves.toMatchObject({ wasThere: false });
      else {
        await expect(done).rejects.toThrow("ambrosia may be put only where visitors are let in");
        expect(hub.seen.filter(({ method }) => method !== "GET")).toEqual([]);
      }
    }
  });

  it("makes a new repository private, asked or not; a folder gets a note", async () => {
    const hub = await hubServer();
    const { hub: made } = await publishTo(hub, REPO, release, { files: 40 });
    expect(made).toMatchObject({ isNew: true, isPrivate: true });
    expect(hub.repositories.get(REPO)?.private).toBe(true);
    const { notes } = await publishInto(join(temporaryFolder(), "out"), release);
    expect(notes.join()).toContain("ambrosia ask to keep it from crawlers");
  });
});

describe("--private", () => {
  it("makes a new repository private, and refuses one that is not", async () => {
    const release = await releaseOf(["ambiqt"]);
    const hub = await hubServer();
    await publishTo(hub, REPO, release, { isPrivate: true, files: 40 });
    expect(hub.repositories.get(REPO)?.private).toBe(true);
    hub.add("lab/open");
    await expect(publishTo(hub, "lab/open", release, { isPrivate: true })).rejects.toThrow("is not private");
  });
});

describe("what the authors forbid", () => {
  function entry(source: string, zones?: ReleaseManifest["zones"]): ReleaseManifest["datasets"][string] {
    return {
      records: 1,
      avts: 1,
      ambiguities: 1,
      databases: 1,
      splits: { all: 1 },
      source,
      source_version: "",
      pipeline_version: "",
      licence: "",
      attribution: "",
      redistribution: "",
      ...(zones === undefined ? {} : { zones }),
    };
  }
  const ALL: ReleaseManifest["zones"] = ["public", "oracle", "verifier", "provenance"];
  const manifest = (datasets: ReleaseManifest["datasets"]): ReleaseManifest => ({
    schema_version: "1.0.0",
    name: "AmbiTab",
    version: "1.0.0",
    made_by: "",
    zones: ALL,
    datasets,
  });

  it("is a dataset of which nothing may be published, in any part", () => {
    const both = manifest({ ambiqt: entry("ambiqt"), taco: entry("taco") });
    for (const zones of [ALL, ["public"] as const])
      expect(() => refuseForbidden(both, zones)).toThrow("taco may not be published: nothing of its text");
    expect(() => refuseForbidden(manifest({ x: entry("nobody") }), ALL)).toThrow("terms are not known");
  });

  it("is ground truth in the clear, and not what --publishable or --public-only leave", () => {
    const withheld = manifest({ "bird-interact": entry("bird-interact") });
    expect(() => refuseForbidden(withheld, ALL)).toThrow(
      "the zone verifier of bird-interact may not be published",
    );
    expect(() => refuseForbidden(withheld, ["public"])).not.toThrow();
    const open = manifest({ "bird-interact": entry("bird-interact", ["public", "oracle", "provenance"]) });
    expect(() => refuseForbidden(open, ALL)).not.toThrow();
  });

  it("does not leave by the command either, and the way out is named", async () => {
    const release = await releaseOf(["taco", "ambiqt"]);
    const target = join(temporaryFolder(), "out");
    for (const publicOnly of [true, false]) {
      const error = await publishInto(target, release, { publicOnly }).catch((one: unknown) => one);
      expect(error).toMatchObject({
        name: "UserError",
        remedy: expect.stringContaining("--publishable --datasets ambiqt"),
      });
    }
    expect(Object.keys(manifestOf(release).datasets)).toEqual(["ambiqt", "taco"]);
  });
});
