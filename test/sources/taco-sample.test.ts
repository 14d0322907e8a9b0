import { execFileSync } from "node:child_process";
import { mkdirSync, readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import Database from "better-sqlite3";
import { describe, expect, it } from "vitest";
import { sampleFolder } from "../../sources/index.js";
import { locateTacoDatabase, readTaco } from "../../sources/taco/index.js";
import { temporaryFolder } from "./temporary.js";

const sample = sampleFolder("taco");

const made = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !entry.name.endsWith(".mjs"))
    .map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1))
    .sort();

describe("the TACO sample", () => {
  it("is what its script writes, byte for byte", () => {
    const folder = temporaryFolder();
    mkdirSync(folder, { recursive: true });
    execFileSync(process.execPath, [join(sample, "make.mjs"), folder]);
    expect(made(folder)).toEqual(made(sample));
    for (const path of made(sample)) {
      expect(readFileSync(join(folder, path)).equals(readFileSync(join(sample, path))), path).toBe(true);
    }
  });

  it("is small", () => {
    const bytes = made(sample).reduce((sum, path) => sum + statSync(join(sample, path)).size, 0);
    expect(bytes).toBeLessThan(300_000);
  });

  it("has upstream's fields in upstream's order, over databases that open", async () => {
    const files = await readTaco(sample, { allRegions: true });
    const databases = new Set<string>();
    let us = 0;
    for await (const item of files.rows()) {
      if (item.kind === "error") throw item.error;
      us += item.value.region === "us" ? 1 : 0;
      const file = JSON.parse(readFileSync(join(sample, item.source.path), "utf8")) as object;
      expect(Object.keys(file)).toEqual([
        "sql",
        "problem_description",
        "natural_language_query",
        "results",
        "sql skeleton",
        "database",
        "tables",
      ]);
      const { region, database } = item.value;
      const found = await locateTacoDatabase(sample, files.databases.get(region) ?? "", database);
      if (found.kind === "sqlite") databases.add(found.path);
    }
    expect(us).toBeGreaterThanOrEqual(60);
    expect(databases.size).toBe(4);
    for (const path of databases) {
      const db = new Database(join(sample, path), { readonly: true });
      expect(db.pragma("integrity_check", { simple: true }), path).toBe("ok");
      db.close();
    }
  });
});
