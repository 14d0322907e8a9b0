import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { Interrupted } from "../../../pipelines/errors.js";
import { filesOfRelease, type PublishedFile } from "../../../pipelines/release/publish/files.js";
import { publishToFolder } from "../../../pipelines/release/publish/folder.js";
import { temporaryFolder, treeOf } from "../sample.js";
import { publishInto, releaseOf } from "./releases.js";

let release = "";
let files: PublishedFile[] = [];
let tree: Record<string, string> = {};
beforeAll(async () => {
  release = await releaseOf(["ambiqt"]);
  files = await filesOfRelease(release);
  tree = treeOf(release);
});

/** A copy of the release to be tampered with. */
function copyOfRelease(): string {
  const copy = join(temporaryFolder(), "1.0.0");
  cpSync(release, copy, { recursive: true });
  return copy;
}

describe("a release in a folder", () => {
  it.each([
    ["plain"],
    ["with blanks and 'quotes\""],
    ["Übung 数据 🙂"],
    ["deep/er/still"],
    ["-rf"],
    ["$HOME"],
  ])("named %j is the same release, of its own bytes", async (name) => {
    const above = temporaryFolder();
    const target = join(above, name);
    const { place, wasThere } = await publishInto(target, release);
    expect([place, wasThere]).toEqual([target, false]);
    expect(treeOf(target)).toEqual(tree);
    for (const path of Object.keys(tree))
      expect(statSync(join(target, path)).ino).not.toBe(statSync(join(release, path)).ino);
    const beside = readdirSync(join(target, ".."));
    expect(beside).toEqual([name.split("/").at(-1)]);
  });

  it("is there already: it is said, and nothing is touched", async () => {
    const target = join(temporaryFolder(), "out");
    const first = await publishInto(target, release);
    expect([first.place, first.wasThere]).toEqual([target, false]);
    const before = statSync(join(target, "manifest.json")).mtimeMs;
    const again = await publishInto(target, release);
    expect(again.wasThere).toBe(true);
    expect(again.files.every(({ action }) => action === "keep")).toBe(true);
    expect(statSync(join(target, "manifest.json")).mtimeMs).toBe(before);
  });

  it("takes an empty folder, and no other one", async () => {
    const empty = temporaryFolder();
    await publishInto(empty, release);
    expect(treeOf(empty)).toEqual(tree);
    for (const spoil of [
      (folder: string) => writeFileSync(join(folder, "notes.txt"), "mine"),
      (folder: string) => rmSync(join(folder, "manifest.json")),
      (folder: string) => {
        chmodSync(join(folder, "funnel.json"), 0o644);
        writeFileSync(join(folder, "funnel.json"), "{}");
      },
    ]) {
      const other = join(temporaryFolder(), "other");
      cpSync(release, other, { recursive: true });
      spoil(other);
      const before = treeOf(other);
      await expect(publishInto(other, release)).rejects.toThrow("is not empty");
      expect(treeOf(other)).toEqual(before);
    }
    const foreign = temporaryFolder();
    writeFileSync(join(foreign, "thesis.tex"), "mine");
    await expect(publishInto(foreign, release)).rejects.toThrow("thesis.tex");
    expect(readdirSync(foreign)).toEqual(["thesis.tex"]);
    const linked = temporaryFolder();
    symlinkSync("/etc", join(linked, "public"));
    await expect(publishInto(linked, release)).rejects.toThrow("is not empty");
  });

  it("does not go into itself, above itself, through a link, or onto a file", async () => {
    const copy = copyOfRelease();
    const away = temporaryFolder();
    symlinkSync(copy, join(away, "link"));
    writeFileSync(join(away, "file"), "");
    symlinkSync(join(away, "nowhere"), join(away, "dangling"));
    for (const [path, message] of [
      [copy, "one in the other"],
      [join(copy, "public"), "one in the other"],
      [join(copy, "new/er"), "one in the other"],
      [join(copy, ".."), "one in the other"],
      [join(away, "link"), "one in the other"],
      [join(away, "link/new"), "one in the other"],
      [join(away, "file"), "is no folder"],
      [join(away, "dangling"), "is no folder"],
      [join(away, "file/below"), "cannot be written (ENOTDIR)"],
      [join(away, "n".repeat(300)), "cannot be written (ENAMETOOLONG)"],
    ] as const)
      await expect(publishInto(path, copy), path).rejects.toThrow(message);
    expect(treeOf(copy)).toEqual(tree);
  });

  it("--dry-run lists and makes nothing", async () => {
    const above = temporaryFolder();
    const dry = await publishInto(join(above, "out"), release, { dryRun: true });
    expect(dry.files.map(({ path }) => path)).toEqual(Object.keys(tree));
    expect(readdirSync(above)).toEqual([]);
  });

  it("that was stopped looks like nothing, and goes on where it was", async () => {
    const target = join(temporaryFolder(), "out");
    const stop = (at: number) => (done: number) => {
      if (done >= at) throw new Interrupted();
    };
    await expect(publishToFolder(files, target, stop(9))).rejects.toThrow("interrupted");
    expect(existsSync(target)).toBe(false);
    const work = join(target, "../.out.partial");
    const copied = Object.keys(treeOf(work));
    expect(copied.length).toBe(9);
    const first = join(work, copied[0] ?? "");
    // A copy that was cut off under its own name, one of another release, and a file in a folder's place.
    const second = join(work, copied[1] ?? "");
    chmodSync(second, 0o644);
    writeFileSync(second, readFileSync(second).subarray(0, 10));
    mkdirSync(join(work, "public/gone"), { recursive: true });
    writeFileSync(join(work, "public/gone/all.jsonl"), "{}\n");
    writeFileSync(join(work, "schemas"), "a file");
    mkdirSync(join(work, "manifest.json/in its place"), { recursive: true });
    const { ino } = statSync(first);
    const steps: number[] = [];
    await publishToFolder(files, target, (done) => steps.push(done));
    expect(steps[0]).toBe(8);
    expect(treeOf(target)).toEqual(tree);
    expect(statSync(join(target, copied[0] ?? "")).ino).toBe(ino);
    expect(readdirSync(join(target, "public"))).toEqual(["ambiqt"]);
    expect(readdirSync(join(target, ".."))).toEqual(["out"]);
  });

  it("is refused where a file changes after the audit", async () => {
    const copy = copyOfRelease();
    const own = await filesOfRelease(copy);
    chmodSync(join(copy, "funnel.json"), 0o644);
    writeFileSync(
      join(copy, "funnel.json"),
      readFileSync(join(copy, "funnel.json"), "utf8").replace("1", "2"),
    );
    const target = join(temporaryFolder(), "out");
    await expect(publishToFolder(own, target, () => undefined)).rejects.toThrow("funnel.json changed");
    expect(existsSync(target)).toBe(false);
  });
});

describe("what may not leave", () => {
  it.each<[string, (copy: string) => void, string]>([
    ["a changed byte", (copy) => writeFileSync(join(copy, "funnel.json"), "{}"), "does not pass its audit"],
    ["a file too many", (copy) => writeFileSync(join(copy, "notes.txt"), "x"), "does not pass its audit"],
    ["a missing file", (copy) => rmSync(join(copy, "ledger/ambiqt.jsonl")), "does not pass its audit"],
    ["no list of sums", (copy) => rmSync(join(copy, "SHA256SUMS")), "does not pass its audit"],
    ["no manifest", (copy) => rmSync(join(copy, "manifest.json")), "no manifest.json"],
    [
      "a manifest of another kind",
      (copy) => writeFileSync(join(copy, "manifest.json"), "[]"),
      "manifest.json",
    ],
    ["a manifest that is no JSON", (copy) => writeFileSync(join(copy, "manifest.json"), "{"), "is no JSON"],
    ["a link to a file", (copy) => symlinkSync("/etc/hostname", join(copy, "public/host")), "symbolic link"],
    ["a link to a folder", (copy) => symlinkSync("/etc", join(copy, "databases/etc")), "symbolic link"],
    [
      "a link in place of a file of the release",
      (copy) => {
        renameSync(join(copy, "lock.json"), `${copy}.lock.json`);
        symlinkSync(`${copy}.lock.json`, join(copy, "lock.json"));
      },
      "symbolic link",
    ],
  ])("is a release with %s", async (_, spoil, message) => {
    const copy = copyOfRelease();
    for (const path of ["funnel.json", "manifest.json"]) chmodSync(join(copy, path), 0o644);
    spoil(copy);
    const target = join(temporaryFolder(), "out");
    await expect(publishInto(target, copy)).rejects.toThrow(message);
    expect(existsSync(target)).toBe(false);
  });

  it("is a build, or nothing", async () => {
    const target = join(temporaryFolder(), "out");
    await expect(publishInto(target, join(release, "../../build"))).rejects.toThrow("is no release");
    await expect(publishInto(target, join(release, "nowhere"))).rejects.toThrow("there is no folder");
  });
});
