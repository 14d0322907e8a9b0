import { execFileSync } from "node:child_process";
import { mkdirSync, readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { readBirdInteract } from "../../sources/bird-interact/index.js";
import { sampleFolder } from "../../sources/index.js";
import { temporaryFolder } from "./temporary.js";

const sample = sampleFolder("bird-interact");

const made = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !entry.name.endsWith(".mjs"))
    .map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1))
    .sort();

describe("the BIRD-Interact sample", () => {
  it("is what its script writes, byte for byte", () => {
    const folder = temporaryFolder();
    mkdirSync(folder, { recursive: true });
    execFileSync(process.execPath, [join(sample, "make.mjs"), folder]);
    expect(made(folder)).toEqual(made(sample));
    for (const path of made(sample)) {
      expect(readFileSync(join(folder, path)).equals(readFileSync(join(sample, path))), path).toBe(true);
    }
  });

  it("is small, and lies as upstream's packages do", () => {
    const files = made(sample);
    expect(files.reduce((sum, path) => sum + statSync(join(sample, path)).size, 0)).toBeLessThan(60_000);
    expect(files).toContain("bird-interact-full/bird_interact_data.jsonl");
    expect(files).toContain("bird-interact-full/harbour/harbour_kb.jsonl");
    expect(files).toContain("postgre_table_dumps/harbour_template/portcalls.sql");
  });

  it("has what upstream's tasks have: each kind of gap, and both categories", async () => {
    const source = await readBirdInteract(sample);
    const tasks = [...source.tasks()].map((item) => {
      if (item.kind === "error") throw item.error;
      return item;
    });
    expect(tasks).toHaveLength(13);
    const named = (which: (task: (typeof tasks)[number]) => boolean): string[] =>
      tasks.filter(which).map(({ value }) => value.instance_id);
    expect(named(({ value }) => value.category === "management")).toHaveLength(4);
    expect(named(({ value }) => !value.ground_truth.here)).toEqual(["harbour_5"]);
    expect(named(({ database }) => !database.dump.here)).toEqual(["lighthouse_1"]);
    expect(named(({ value }) => value.critical.some(({ sql_snippet }) => sql_snippet === ""))).toEqual([
      "harbour_3",
    ]);
    expect(named(({ value }) => value.knowledge.length + value.critical.length === 0)).toEqual(["harbour_4"]);
    const harbour = tasks[0]?.database.knowledge;
    const entries = harbour?.here === true ? harbour.entries : [];
    // A gap among the ids and one name twice, as upstream has.
    expect(entries.map(({ id }) => id)).toEqual([0, 1, 2, 4, 5, 6, 7, 8, 9]);
    expect(entries.filter(({ name }) => name === "Heavy Call")).toHaveLength(2);
    expect(tasks[0]?.database.meanings["Ships.Engines"]).toBe(
      [
        "JSONB column. The ship's machinery.",
        "main.kind: Fuel of the main engine: gas or diesel.",
        "main.power_kw: Power of the main engine in kW.",
        "auxiliary.count: How many auxiliary engines there are.",
      ].join("\n"),
    );
  });
});
