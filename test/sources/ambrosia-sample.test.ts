import { execFileSync } from "node:child_process";
import { mkdirSync, readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import Database from "better-sqlite3";
import { describe, expect, it } from "vitest";
import { type AmbrosiaQuestion, readAmbrosia } from "../../sources/ambrosia/index.js";
import { sampleFolder } from "../../sources/index.js";
import { realData, temporaryFolder } from "./temporary.js";

const sample = sampleFolder("ambrosia");
const made = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !entry.name.endsWith(".mjs"))
    .map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1))
    .sort();

async function questions(): Promise<AmbrosiaQuestion[]> {
  const all: AmbrosiaQuestion[] = [];
  for await (const item of (await readAmbrosia(sample)).questions()) {
    if (item.kind === "error") throw item.error;
    all.push(item.value);
  }
  return all;
}

describe("the AMBROSIA sample", () => {
  it("is what its script writes, byte for byte, and small", () => {
    const folder = temporaryFolder();
    mkdirSync(folder, { recursive: true });
    execFileSync(process.execPath, [join(sample, "make.mjs"), folder]);
    expect(made(folder)).toEqual(made(sample));
    for (const path of made(sample)) {
      expect(readFileSync(join(folder, path)).equals(readFileSync(join(sample, path))), path).toBe(true);
    }
    expect(made(sample).reduce((sum, path) => sum + statSync(join(sample, path)).size, 0)).toBeLessThan(
      200_000,
    );
  });

  it("has all three types over at least four databases, sound ones", async () => {
    const all = await questions();
    expect(new Set(all.map(({ type }) => type)).size).toBe(3);
    const databases = made(sample).filter((path) => path.endsWith(".sqlite"));
    expect(databases.length).toBeGreaterThanOrEqual(4);
    for (const path of databases) {
      const db = new Database(join(sample, path), { readonly: true });
      expect(db.pragma("integrity_check", { simple: true })).toBe("ok");
      expect(db.pragma("foreign_key_check")).toEqual([]);
      db.close();
    }
  });

  it("has what upstream's files have: few-shot rows, CRLF, double quotes, slips, equal readings, a missing database", async () => {
    const all = await questions();
    const sql = all.flatMap(({ readings }) => readings.map((one) => one.sql));
    expect(all.filter(({ split }) => split === "few_shot_examples").length).toBeGreaterThan(0);
    expect(sql.some((text) => text.includes("\r\n"))).toBe(true);
    expect(sql.some((text) => /= "[A-Z]/.test(text))).toBe(true);
    expect(all.some(({ question }) => /\b(chior|creaters)\b/.test(question))).toBe(true);
    expect(all.some(({ readings }) => new Set(readings.map((one) => one.sql)).size < readings.length)).toBe(
      true,
    );
    expect(all.some(({ db_file }) => !made(sample).includes(db_file))).toBe(true);
  });

  const real = realData("ambrosia");
  it.skipIf(real === undefined)(
    "has the columns and fields of upstream's files, no more and no fewer",
    () => {
      const header = (root: string): string =>
        readFileSync(join(root, "data/ambrosia.csv"), "utf8").split("\r\n")[0] ?? "";
      expect(header(sample)).toBe(header(real ?? ""));
      const names = (root: string, file: string): Record<string, string[]> => {
        const found = new Map<string, Set<string>>();
        for (const path of made(root).filter((one) => one.endsWith(`/${file}`))) {
          const value: unknown = JSON.parse(readFileSync(join(root, path), "utf8"));
          const type = path.split("/")[1] ?? "";
          const own = found.get(type) ?? new Set<string>();
          for (const one of Array.isArray(value) ? value : [value])
            own.add(
              Object.keys(one as object)
                .sort()
                .join(),
            );
          found.set(type, own);
        }
        return Object.fromEntries([...found].map(([type, all]) => [type, [...all].sort()]));
      };
      const upstream = {
        examples: names(real ?? "", "examples.json"),
        concepts: names(real ?? "", "concepts.json"),
      };
      for (const [type, shapes] of Object.entries(names(sample, "concepts.json")))
        for (const shape of shapes) expect(upstream.concepts[type]).toContain(shape);
      // Upstream's vague examples also have a general query, which runs on databases that are not part of the benchmark.
      for (const [type, shapes] of Object.entries(names(sample, "examples.json"))) {
        const kept = (upstream.examples[type] ?? []).map((shape) => shape.replace(",sql_query_general", ""));
        for (const shape of shapes) expect(kept).toContain(shape);
      }
    },
  );
});
