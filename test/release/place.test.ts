import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { isDiskFull, UserError } from "../../pipelines/errors.js";
import { clearReleases, holdReleases, partsOf, releaseTarget } from "../../pipelines/release/place.js";
import { buildSample, temporaryFolder, treeOf, writeSample } from "./sample.js";

let out = "";
beforeAll(async () => {
  out = temporaryFolder();
  await buildSample(out, ["taco"]);
});

/** What a person sees in a folder of releases. */
const shown = (releases: string): string[] => readdirSync(releases).filter((name) => name !== ".lock");

describe("what a killed process left", () => {
  const version = "1.2.0-rc.1";
  /** A folder with some parts of a version; each part's name is in it. */
  function left(...parts: (keyof ReturnType<typeof partsOf>)[]): string {
    const releases = temporaryFolder();
    for (const part of parts) {
      const path = partsOf(releases, version)[part];
      if (["archive", "packing", "packed"].includes(part)) writeFileSync(path, part);
      else {
        mkdirSync(path, { recursive: true });
        writeFileSync(join(path, "made-as"), part);
      }
    }
    return releases;
  }
  const madeAs = (releases: string): string => readFileSync(join(releases, version, "made-as"), "utf8");

  it("before the release was in place goes, at whatever step that was", () => {
    for (const parts of [
      ["work"],
      ["work", "packing"],
      ["work", "packed"],
      ["packing"],
      ["packed"],
    ] as const) {
      const releases = left(...parts);
      clearReleases(releases);
      expect(shown(releases), parts.join()).toEqual([]);
    }
  });

  it("after it was in place is brought to its end", () => {
    const releases = left("release", "packed");
    clearReleases(releases);
    expect(shown(releases)).toEqual([version, `${version}.tar.gz`]);
    expect(readFileSync(partsOf(releases, version).archive, "utf8")).toBe("packed");
  });

  it("of a release that another was to replace is the old one or the new one", () => {
    const before = left("work", "old");
    clearReleases(before);
    expect([shown(before), madeAs(before)]).toEqual([[version], "old"]);
    const after = left("release", "old");
    clearReleases(after);
    expect([shown(after), madeAs(after)]).toEqual([[version], "release"]);
  });

  it("is told from what is nobody's business here", () => {
    const releases = left("release");
    for (const name of [".x.partial", ".1.0.partial", "notes.partial", ".1.0.0"])
      writeFileSync(join(releases, name), "");
    clearReleases(releases);
    expect(shown(releases).sort()).toEqual([
      ".1.0.0",
      ".1.0.partial",
      ".x.partial",
      version,
      "notes.partial",
    ]);
    expect(() => clearReleases(join(releases, "nowhere"))).not.toThrow();
  });

  it("is left alone while its process may be at work", () => {
    const releases = left("work");
    const hold = holdReleases(releases);
    expect(() => clearReleases(releases)).toThrow(UserError);
    expect(existsSync(partsOf(releases, version).work)).toBe(true);
    hold.release();
  });
});

describe("a version that is there as an archive alone", () => {
  it("is not made again beside it", () => {
    const releases = temporaryFolder();
    writeFileSync(join(releases, "1.0.0.tar.gz"), "");
    expect(() => releaseTarget({ releases, version: "1.0.0" })).toThrow("never overwritten");
  });
});

describe("a release that is refused or fails", () => {
  it("leaves nothing, neither by its name nor by another", async () => {
    const lock = join(out, "build/taco/lock.json");
    const text = readFileSync(lock, "utf8");
    const [database = ""] = Object.keys((JSON.parse(text) as { databases: object }).databases);
    const path = join(out, "build/taco/databases", database);
    renameSync(path, `${path}.away`);
    await expect(writeSample(out, "1.0.0", { tar: true })).rejects.toThrow("ENOENT");
    expect(shown(join(out, "releases"))).toEqual([]);
    renameSync(`${path}.away`, path);
  });
});

/** A disk of few bytes; undefined where this machine does not let a test mount one. */
function smallDisk(): string | undefined {
  const folder = temporaryFolder();
  const { status } = spawnSync("mount", ["-t", "tmpfs", "-o", "size=64k", "ambitab-test", folder]);
  if (status !== 0) return undefined;
  mounted.push(folder);
  return folder;
}
const mounted: string[] = [];
afterAll(() => {
  for (const folder of mounted) spawnSync("umount", [folder]);
});

describe("on a full disk", () => {
  it("a release leaves nothing but its lock, whenever the disk is full, and is made once there is room", async (test) => {
    const disk = smallDisk();
    if (disk === undefined) return test.skip("needs the right to mount a small file system");
    const whole = await writeSample(out, "1.0.0", { tar: true });
    const releases = join(disk, "releases");
    const size = Number(
      spawnSync("du", ["-sk", join(out, "releases")], { encoding: "utf8" }).stdout.split("\t")[0],
    );
    let full = 0;
    for (const part of [0.1, 0.3, 0.5, 0.7, 0.9, 0.97, 2]) {
      spawnSync("mount", ["-o", `remount,size=${Math.ceil(part * size)}k`, disk]);
      try {
        await writeSample(out, "1.0.0", { tar: true, releases });
        break;
      } catch (error) {
        expect(isDiskFull(error), String(error)).toBe(true);
        full += 1;
        expect(shown(releases)).toEqual([]);
      }
    }
    expect(full).toBeGreaterThan(2);
    expect(treeOf(join(releases, "1.0.0"))).toEqual(treeOf(whole.folder));
    expect(shown(releases)).toEqual(["1.0.0", "1.0.0.tar.gz"]);
  });
});
