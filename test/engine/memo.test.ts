import { readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import Database from "better-sqlite3";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { UserError } from "../../pipelines/errors.js";
import { build, SETTINGS, temporary, toyRows, tree, writeToySource } from "./toy.js";

let folder = temporary();
let out = folder.path;
beforeEach(() => {
  folder = temporary();
  out = folder.path;
  writeToySource(join(out, "source"), toyRows(24));
});
afterEach(() => folder.remove());

/** Builds anew although the folder is up to date, and gives how often each stage ran. */
async function runsOf(versions: Record<string, string> = {}, seed = 0): Promise<Record<string, number>> {
  rmSync(join(out, "build"), { recursive: true, force: true });
  const runs = new Map<string, number>();
  await build(out, { versions, runs }, { settings: { ...SETTINGS, seed } });
  return Object.fromEntries(runs);
}

const ROWS = 24;
const KEPT = 21; // three of 24 are n % 7 = 3
const GROUPS = 4;

describe("the stage store", () => {
  it("runs every stage once for every distinct input, however many items share it", async () => {
    const runs = await runsOf();
    expect(runs).toMatchObject({
      "odd-one-out": ROWS,
      "group-database": GROUPS,
      parts: KEPT,
      "first-of-sum": 1,
    });
  });

  it("shares a run that is still under way", async () => {
    const runs = new Map<string, number>();
    await build(out, { runs, jitter: 20 }, { jobs: 8 });
    expect(runs.get("group-database")).toBe(GROUPS);
  });

  it("computes nothing the second time", async () => {
    await runsOf();
    expect(await runsOf()).toEqual({});
  });

  it("redoes a stage whose version changed and nothing whose input stayed the same", async () => {
    await runsOf();
    expect(await runsOf({ "odd-one-out": "2" })).toEqual({ "odd-one-out": ROWS });
    // The databases come out with the same bytes, so what reads them is not redone.
    expect(await runsOf({ "group-database": "2" })).toEqual({ "group-database": GROUPS });
    expect(await runsOf({ "first-of-sum": "2" })).toEqual({ "first-of-sum": 1 });
    const emitted = (await runsOf({ emit: "2" })).emit;
    expect(await runsOf({ emit: "3" })).toEqual({ emit: emitted });
  });

  it("redoes what depends on a changed outcome: other draws, other parts, other records", async () => {
    const first = await runsOf();
    const second = await runsOf({}, 1);
    // The set stage sees only n and part, which the seed does not touch.
    expect(second).toEqual({ parts: KEPT, emit: first.emit });
    expect(await runsOf({}, 0)).toEqual({});
  });

  it("redoes only the rows that changed", async () => {
    await runsOf();
    const rows = toyRows(24);
    rows[8] = { n: 100, group: "g0" };
    writeToySource(join(out, "source"), rows);
    expect(await runsOf()).toMatchObject({ "odd-one-out": 1, parts: 1, "first-of-sum": 1 });
  });

  it("makes a file again that is gone from the cache or damaged there", async () => {
    await runsOf();
    const whole = tree(join(out, "build"));
    const cached = (): string[] =>
      readdirSync(join(out, "cache", "files"), { recursive: true, withFileTypes: true })
        .filter((entry) => entry.isFile())
        .map((entry) => join(entry.parentPath, entry.name));
    expect(cached().length).toBe(GROUPS);
    const [first, second, third] = cached() as [string, string, string];
    rmSync(first);
    rmSync(second);
    writeFileSync(second, Buffer.alloc(8192, 7)); // the right size, the wrong bytes
    rmSync(third);
    writeFileSync(third, "short");
    expect(await runsOf()).toEqual({ "group-database": 3 });
    expect(tree(join(out, "build"))).toEqual(whole);
    expect(cached().length).toBe(GROUPS);
  });

  it("starts anew when its database is damaged or cut off", async () => {
    await runsOf();
    const whole = tree(join(out, "build"));
    const store = join(out, "cache", "stages.sqlite");
    for (const spoiled of [
      Buffer.from("not a database at all, but long enough to be looked at".repeat(40)),
      Buffer.alloc(0),
    ]) {
      for (const suffix of ["-wal", "-shm"]) rmSync(store + suffix, { force: true });
      writeFileSync(store, spoiled);
      expect((await runsOf())["odd-one-out"]).toBe(ROWS);
      expect(tree(join(out, "build"))).toEqual(whole);
    }
  });

  it("says so when its database is damaged inside, where it cannot be replaced", async () => {
    await runsOf();
    const store = join(out, "cache", "stages.sqlite");
    const bytes = readFileSync(store);
    // Every page but the first: the schema can still be read.
    writeFileSync(store, Buffer.concat([bytes.subarray(0, 4096), Buffer.alloc(bytes.length - 4096, 0xab)]));
    await expect(runsOf()).rejects.toThrow(UserError);
    expect(readdirSync(join(out, "build"))).toEqual([]);
  });

  it("takes an outcome that is no outcome for none", async () => {
    await runsOf();
    const whole = tree(join(out, "build"));
    const db = new Database(join(out, "cache", "stages.sqlite"));
    db.prepare("UPDATE outcomes SET value = substr(value, 1, length(value) / 2) WHERE stage = 'parts'").run();
    db.close();
    expect(await runsOf()).toEqual({ parts: KEPT });
    expect(tree(join(out, "build"))).toEqual(whole);
  });

  it("keeps no scratch files", async () => {
    await runsOf();
    expect(readdirSync(join(out, "cache", "files", "tmp"))).toEqual([]);
    expect(statSync(join(out, "cache", "stages.sqlite")).size).toBeGreaterThan(0);
  });
});
