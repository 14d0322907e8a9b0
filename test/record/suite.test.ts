import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { UserError } from "../../pipelines/errors.js";
import { openSuite } from "../../pipelines/record/suite.js";

let folder = "";
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "ambitab-suite-"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

function dataset(...path: string[]): string {
  const home = join(folder, ...path);
  mkdirSync(home, { recursive: true });
  writeFileSync(join(home, "records.jsonl"), '{"record_id":"a"}\n{"record_id":"b"}\n');
  writeFileSync(join(home, "lock.json"), "{}");
  return home;
}

const openBuilds = (path: string) => openSuite(path).datasets;

describe("openSuite on builds", () => {
  it("finds the datasets under a build, under out, or in one dataset's folder, sorted", () => {
    for (const name of ["taco", "ambiqt", "ew-bird"]) dataset("build", name);
    const names = (path: string): string[] => openBuilds(path).map((one) => one.dataset);
    expect(names(folder)).toEqual(["ambiqt", "ew-bird", "taco"]);
    expect(names(join(folder, "build"))).toEqual(["ambiqt", "ew-bird", "taco"]);
    expect(names(join(folder, "build", "taco"))).toEqual(["taco"]);
    expect(names(`${join(folder, "build", "taco")}/`)).toEqual(["taco"]);
  });

  for (const name of [
    "with space",
    `quo"te's`,
    "Ünïcödé 表",
    "semi;colon & more",
    "per%20cent",
    "new\nline",
  ]) {
    it(`opens ${JSON.stringify(name)}`, async () => {
      const home = dataset(name, "build", "ambiqt");
      const [found] = openBuilds(join(folder, name));
      expect(found).toMatchObject({ dataset: "ambiqt", folder: home, databases: join(home, "databases") });
      const ids: [string, number][] = [];
      for await (const { record, line } of found?.records() ?? []) ids.push([record.record_id, line]);
      expect(ids).toEqual([
        ["a", 1],
        ["b", 2],
      ]);
    });
  }

  it("passes over what is being made and what is no build", () => {
    dataset("build", ".ambiqt.partial");
    dataset("build", ".ambiqt.old");
    dataset("build", "ambiqt");
    mkdirSync(join(folder, "build", "empty"));
    writeFileSync(join(folder, "build", "note.txt"), "x");
    expect(openBuilds(folder).map((one) => one.dataset)).toEqual(["ambiqt"]);
  });

  it("says what to do where there is no folder, no build, or only a file", () => {
    expect(() => openBuilds(join(folder, "nowhere"))).toThrow(UserError);
    expect(() => openBuilds(folder)).toThrow(/holds no build/);
    writeFileSync(join(folder, "file"), "");
    expect(() => openBuilds(join(folder, "file"))).toThrow(/there is no folder/);
  });

  it("says so where a build has no lock, without which it is no build of ours", () => {
    rmSync(join(dataset("build", "ambiqt"), "lock.json"));
    expect(() => openBuilds(folder)).toThrow(UserError);
  });

  it("names a suite by a hash that follows its locks", () => {
    const home = dataset("build", "ambiqt");
    const before = openSuite(folder).hash;
    expect(openSuite(join(folder, "build")).hash).toBe(before);
    writeFileSync(join(home, "lock.json"), '{"other":1}');
    expect(openSuite(folder).hash).not.toBe(before);
  });
});
