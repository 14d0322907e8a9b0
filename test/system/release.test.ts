import { cpSync, existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { sampleFolder } from "../../sources/index.js";
import {
  ambitab,
  ambitabHere,
  buildSample,
  recordsOf,
  releaseSample,
  temporaryFolder,
  treeOf,
  writeRecords,
} from "../release/sample.js";
import { counted, killed } from "./killed.js";

let out = "";
let build = "";
beforeAll(async () => {
  out = temporaryFolder();
  build = await buildSample(out);
});

/** Another output folder with the same build in it. */
function another(): string {
  const folder = temporaryFolder();
  cpSync(build, join(folder, "build"), { recursive: true });
  return folder;
}

const releasesIn = (folder: string): string[] =>
  readdirSync(join(folder, "releases")).filter((name) => !name.startsWith("."));

describe("ambitab release", () => {
  it("gives the same bytes whatever the folder, the number of jobs, the language and the time zone", () => {
    const places = [
      { jobs: "1", env: { LANG: "C", LC_ALL: "C", TZ: "Pacific/Kiritimati" } },
      { jobs: "3", env: { LANG: "tr_TR.UTF-8", LC_ALL: "tr_TR.UTF-8", TZ: "America/St_Johns" } },
    ];
    const trees = places.map(({ jobs, env }) => {
      const folder = temporaryFolder();
      const common = ["--out", folder, "--jobs", jobs, "--quiet"];
      const built = ambitab(
        ["build", "ambiqt", "--from", `ambiqt=${sampleFolder("ambiqt")}`, ...common],
        env,
      );
      expect(built).toMatchObject({ status: 0, stderr: "" });
      expect(ambitab(["release", "--version", "1.2.3", ...common], env)).toMatchObject({
        status: 0,
        stderr: "",
      });
      return treeOf(join(folder, "releases/1.2.3"));
    });
    expect(Object.keys(trees[0]!).length).toBeGreaterThan(20);
    expect(trees[1]).toEqual(trees[0]);
  });

  it("takes a person's mistakes with exit code 2 and one line", async () => {
    const version = await ambitabHere(["release", "--version", "1.0", "--out", out, "--quiet"]);
    expect(version).toMatchObject({ status: 2, stdout: "" });
    expect(version.stderr).toContain("X.Y.Z");
    const unknown = await ambitabHere([
      "release",
      "--version",
      "1.0.0",
      "--datasets",
      "taco",
      "--out",
      out,
      "--quiet",
    ]);
    expect(unknown).toMatchObject({ status: 2, stdout: "" });
    expect(unknown.stderr).toMatch(/no build of "taco"\n.*ambiqt/);
    const none = await ambitabHere(["release", "--version", "1.0.0", "--out", temporaryFolder(), "--quiet"]);
    expect(none).toMatchObject({ status: 2, stdout: "" });
    expect(existsSync(join(out, "releases"))).toBe(false);
  });

  it("closes its gate with exit code 1, in words and as JSON, and leaves nothing", async () => {
    const folder = another();
    const records = await recordsOf(join(folder, "build"));
    records[4]!.verifier.reference_sql = ["SELECT 1 FROM no_such_table"];
    writeRecords(join(folder, "build"), records);
    const words = ["release", "--version", "1.0.0", "--out", folder, "--quiet"];
    const told = await ambitabHere(words);
    expect(told.status).toBe(1);
    expect(told.stdout).toMatch(/^refused: .*nothing was written/);
    expect(told.stdout).toContain(`error reference_fails: ${records[4]!.record_id}`);
    const json = await ambitabHere([...words, "--json"]);
    expect(json.status).toBe(1);
    const { refused, findings } = JSON.parse(json.stdout);
    expect(refused).toBe(true);
    expect(findings).toContainEqual(
      expect.objectContaining({ code: "reference_run", place: records[4]!.record_id }),
    );
    expect(existsSync(join(folder, "releases"))).toBe(false);
  });

  it("killed in the middle, leaves nothing under the version's name, and the next run works", async () => {
    const folder = another();
    const words = ["release", "--version", "1.0.0", "--out", folder, "--quiet", "--jobs", "1"];
    const { code, operations } = await counted(words.map((word) => (word === folder ? another() : word)));
    expect(code).toBe(0);
    expect(operations).toBeGreaterThan(50);
    for (const part of [0.2, 0.4, 0.6, 0.8, 0.99]) {
      const ended = await killed(words, Math.floor(operations * part));
      expect(ended.signal).toBe("SIGKILL");
      if (existsSync(join(folder, "releases"))) expect(releasesIn(folder)).toEqual([]);
    }
    // What a kill between two files leaves behind, whatever was met above.
    cpSync(build, join(folder, "releases/.1.0.0.partial/half"), { recursive: true });
    if (releasesIn(folder).length === 0)
      expect(await ambitabHere(words)).toMatchObject({ status: 0, stderr: "" });
    expect(releasesIn(folder)).toEqual(["1.0.0"]);
    const sums = readFileSync(join(folder, "releases/1.0.0/SHA256SUMS"), "utf8");
    expect(sums).not.toContain("half");
    expect(await ambitabHere(["audit", join(folder, "releases/1.0.0"), "--quiet"])).toMatchObject({
      status: 0,
    });
  });
});

describe("a release that is there", () => {
  it("is not overwritten, and is audited with the exit codes 0, 1 and 2", async () => {
    const release = await releaseSample(out);
    const before = treeOf(join(out, "releases"));
    const again = await ambitabHere(["release", "--version", "1.0.0", "--out", out, "--quiet"]);
    expect(again).toMatchObject({ status: 2, stdout: "" });
    expect(again.stderr).toMatch(/is there already.*\n.*next version/s);
    expect(treeOf(join(out, "releases"))).toEqual(before);

    const good = await ambitabHere(["audit", release, "--json", "--execute", "--quiet"]);
    expect(good.status).toBe(0);
    expect(JSON.parse(good.stdout)).toMatchObject({ passed: true, release: "1.0.0" });
    writeFileSync(join(release, "manifest.json"), "{");
    const bad = await ambitabHere(["audit", release, "--json", "--execute", "--quiet"]);
    expect(bad).toMatchObject({ status: 1, stderr: "" });
    const { passed, findings } = JSON.parse(bad.stdout);
    expect(passed).toBe(false);
    expect(findings.map(({ code }: { code: string }) => code)).toEqual([
      "unreadable",
      "file_changed",
      "not_checked",
    ]);
    expect(await ambitabHere(["audit", build, "--quiet"])).toMatchObject({ status: 2, stdout: "" });
  });
});
