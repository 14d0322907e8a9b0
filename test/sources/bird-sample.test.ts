import { execFileSync } from "node:child_process";
import { mkdirSync, readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { sampleFolder } from "../../sources/index.js";
import { temporaryFolder } from "./temporary.js";

const sample = sampleFolder("bird");

const made = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !entry.name.endsWith(".mjs"))
    .map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1))
    // The answers for AmbiTab-Bird are made by a script of their own; test/datasets/bird/archive.test.ts holds them to it.
    .filter((path) => !path.startsWith("responses"))
    .sort();

describe("the BIRD sample", () => {
  it("is what its script writes, byte for byte, and small", () => {
    const folder = temporaryFolder();
    mkdirSync(folder, { recursive: true });
    execFileSync(process.execPath, [join(sample, "make.mjs"), folder]);
    expect(made(folder)).toEqual(made(sample));
    for (const path of made(sample)) {
      expect(readFileSync(join(folder, path)).equals(readFileSync(join(sample, path))), path).toBe(true);
    }
    const bytes = made(sample).reduce((sum, path) => sum + statSync(join(sample, path)).size, 0);
    expect(bytes).toBeLessThan(100_000);
  });

  it("has upstream's fields in upstream's order", () => {
    const fields = (path: string): string[] => {
      const rows = JSON.parse(readFileSync(join(sample, path), "utf8")) as object[];
      return [...new Set(rows.map((row) => Object.keys(row).join(" ")))];
    };
    expect(fields("dev/dev.json")).toEqual(["question_id db_id question evidence SQL difficulty"]);
    expect(fields("train/train.json")).toEqual(["db_id question evidence SQL"]);
  });
});
