import { spawnSync } from "node:child_process";
import { cpSync, existsSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { sampleFolder } from "../../sources/index.js";
import {
  ambitabHere,
  buildSample,
  COMMAND,
  type Ended,
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

/** Runs the real command under a umask, which a test's own thread may not set. */
function ambitabMasked(words: readonly string[], umask: number, env: Record<string, string>): Ended {
  const script = `umask ${umask.toString(8).padStart(4, "0")} && exec "$0" "$@"`;
  const { status, stdout, stderr } = spawnSync("sh", ["-c", script, process.execPath, COMMAND, ...words], {
    encoding: "utf8",
    env: { ...process.env, ...env },
  });
  return { status, stdout, stderr };
}

/** Another output folder with the same build in it. */
function another(): string {
  const folder = temporaryFolder();
  cpSync(build, join(folder, "build"), { recursive: true });
  return folder;
}

const releasesIn = (folder: string): string[] =>
  readdirSync(join(folder, "releases")).filter((name) => !name.startsWith("."));

describe("ambitab release", () => {
  it("gives the same tree and archive whatever the folder, jobs, umask, language and time zone", () => {
    const places = [
      { jobs: "1", umask: 0o022, name: "out", env: { LANG: "C", LC_ALL: "C", TZ: "Pacific/Kiritimati" } },
      {
        jobs: "3",
        umask: 0o077,
        name: "ça d'où 数",
        env: { LANG: "tr_TR.UTF-8", LC_ALL: "tr_TR.UTF-8", TZ: "America/St_Johns" },
      },
    ];
    const made = places.map(({ jobs, umask, name, env }) => {
      const folder = join(temporaryFolder(), name);
      const common = ["--out", folder, "--jobs", jobs, "--quiet"];
      const build = ["build", "ambiqt", "--from", `ambiqt=${sampleFolder("ambiqt")}`, ...common];
      for (const words of [build, ["release", "--version", "1.2.3", "--tar", ...common]])
        expect(ambitabMasked(words, umask, env)).toMatchObject({ status: 0, stderr: "" });
      const release = join(folder, "releases/1.2.3");
      const modes = readdirSync(release, { recursive: true, encoding: "utf8" })
        .sort()
        .map((path) => [path, (statSync(join(release, path)).mode & 0o777).toString(8)]);
      return { tree: treeOf(release), modes, archive: treeOf(join(folder, "releases"))["1.2.3.tar.gz"] };
    });
    expect(Object.keys(made[0]!.tree).length).toBeGreaterThan(20);
    expect(made[0]!.archive).toMatch(/^[0-9a-f]{64}$/);
    expect(made[1]).toEqual(made[0]);
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
    expect(told.stdout).toMatch(
      /^refused: the gate is closed: validation \(1 error\), reference run \(1 error\); nothing was written\n/,
    );
    expect(told.stdout).toContain(`error reference_fails: ${records[4]!.record_id}`);
    const json = await ambitabHere([...words, "--json"]);
    expect(json.status).toBe(1);
    const { refused, gates, findings } = JSON.parse(json.stdout);
    expect({ refused, gates }).toEqual({ refused: true, gates: ["validation", "reference run"] });
    expect(findings).toContainEqual(
      expect.objectContaining({ code: "reference_run", place: records[4]!.record_id }),
    );
    expect(existsSync(join(folder, "releases"))).toBe(false);
  });

  it("killed in the middle, leaves nothing under the version's name, and the next run works", async () => {
    const folder = another();
    const words = ["release", "--version", "1.0.0", "--tar", "--out", folder, "--quiet", "--jobs", "1"];
    const { code, operations } = await counted(words.map((word) => (word === folder ? another() : word)));
    expect(code).toBe(0);
    expect(operations).toBeGreaterThan(50);
    for (const part of [0.2, 0.4, 0.6, 0.8, 0.99]) {
      const ended = await killed(words, Math.floor(operations * part));
      expect(ended.signal).toBe("SIGKILL");
      const there = existsSync(join(folder, "releases")) ? releasesIn(folder) : [];
      // A kill in the last instant comes after the rename: then the release is whole, as the audit below says.
      if (there.includes("1.0.0")) break;
      expect(there).toEqual([]);
    }
    // What a kill between two files leaves behind, whatever was met above.
    cpSync(build, join(folder, "releases/.1.0.0.partial/half"), { recursive: true });
    const inPlace = releasesIn(folder).length > 0;
    expect((await ambitabHere(words)).status).toBe(inPlace ? 2 : 0);
    expect(releasesIn(folder)).toEqual(["1.0.0", "1.0.0.tar.gz"]);
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
    expect(findings.map(({ code }: { code: string }) => code).sort()).toEqual([
      "file_changed",
      "not_checked",
      "unreadable",
    ]);
    expect(await ambitabHere(["audit", build, "--quiet"])).toMatchObject({ status: 2, stdout: "" });
  });
});
