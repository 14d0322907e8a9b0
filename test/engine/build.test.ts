import { chmodSync, cpSync, existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, afterEach, beforeEach, describe, expect, it } from "vitest";
import { DROP_CODES } from "../../pipelines/engine/drop-codes.js";
import { schemaFaults } from "../../pipelines/record/check-schema.js";
import type { DroppedRow } from "../../schemas/types/dropped.js";
import type { Funnel } from "../../schemas/types/funnel.js";
import type { LedgerEntry } from "../../schemas/types/ledger.js";
import type { BuildLock } from "../../schemas/types/lock.js";
import type { TaskRecord } from "../../schemas/types/record.js";
import { build, jsonLines, SETTINGS, temporary, toyRows, tree, writeToySource } from "./toy.js";

let folder = temporary();
let out = folder.path;
beforeEach(() => {
  folder = temporary();
  out = folder.path;
  writeToySource(join(out, "source"), toyRows(24));
});
afterEach(() => folder.remove());

const built = (name: string): string => join(out, "build", "taco", name);
const readJson = <T>(name: string): T => JSON.parse(readFileSync(built(name), "utf8")) as T;

describe("what a build writes", () => {
  it("accounts for every row in the ledger, in row order, with the stages it passed", async () => {
    await build(out);
    const ledger = jsonLines<LedgerEntry>(built("ledger.jsonl"));
    expect(ledger.map(({ key }) => key)).toEqual(toyRows(24).map(({ n }) => `taco/toy/${n}`));
    for (const entry of ledger) expect(schemaFaults("ledger", entry)).toEqual([]);
    const [zero, , , three, , five] = ledger;
    expect(zero?.steps.map(({ stage, outcome }) => `${stage} ${outcome}`)).toEqual([
      "odd-one-out kept",
      "group-database kept",
      "parts kept",
      "first-of-sum kept",
      "emit kept",
    ]);
    expect(zero?.steps[1]?.evidence).toEqual([{ kind: "database", group: "g0" }]);
    expect(three?.steps).toEqual([
      {
        stage: "odd-one-out",
        version: "1",
        outcome: "dropped",
        reason: "equal_results",
        detail: "3 is odd",
        subject: "n1",
      },
    ]);
    expect(three?.record_ids).toEqual([]);
    // 5 has three parts: one output more is a line of its own in every later stage.
    expect(five?.steps[2]).toMatchObject({ stage: "parts", outputs: 3 });
    expect(five?.steps.slice(3).map(({ item }) => item)).toEqual([
      "taco/toy/5~1",
      "taco/toy/5~2",
      "taco/toy/5~3",
      "taco/toy/5~1",
      "taco/toy/5~2",
      "taco/toy/5~3",
    ]);
  });

  it("gives every item that started exactly one fate: a record or a drop with a code", async () => {
    await build(out);
    const ledger = jsonLines<LedgerEntry>(built("ledger.jsonl"));
    const dropped = jsonLines<DroppedRow>(built("dropped.jsonl"));
    const records = jsonLines<TaskRecord>(built("records.jsonl"));
    for (const one of dropped) {
      expect(schemaFaults("dropped", one)).toEqual([]);
      expect(Object.keys(DROP_CODES)).toContain(one.reason);
    }
    expect(ledger.flatMap(({ record_ids }) => record_ids)).toEqual(records.map(({ record_id }) => record_id));
    const stepDrops = ledger.flatMap(({ steps }) => steps.filter(({ outcome }) => outcome === "dropped"));
    expect(dropped.map(({ stage, detail }) => `${stage} ${detail}`)).toEqual(
      stepDrops.map(({ stage, detail }) => `${stage} ${detail}`),
    );
    // By hand: of 0…23, three are n % 7 = 3 (3, 10, 17); the others have n % 3 + 1 parts.
    const kept = toyRows(24).filter(({ n }) => n % 7 !== 3);
    const items = kept.flatMap(({ n }) => Array.from({ length: (n % 3) + 1 }, (_, part) => n + 10 * part));
    expect(dropped.filter(({ stage }) => stage === "odd-one-out").map(({ row }) => row)).toEqual([3, 10, 17]);
    expect(records.length).toBe(new Set(items).size);
    expect(dropped.length).toBe(3 + items.length - new Set(items).size);
  });

  it("prints a funnel whose numbers add up", async () => {
    const { funnel } = await build(out);
    expect(readJson<Funnel>("funnel.json")).toEqual(funnel);
    expect(schemaFaults("funnel", funnel)).toEqual([]);
    expect(funnel.rows).toBe(24);
    for (const stage of funnel.stages) {
      expect(stage.kept + stage.dropped, stage.stage).toBe(stage.in);
      const reasons = Object.values(stage.reasons).reduce((sum, one) => sum + one, 0);
      expect(reasons, stage.stage).toBe(stage.dropped);
    }
    funnel.stages.slice(1).forEach((stage, index) => {
      expect(stage.in, stage.stage).toBe(funnel.stages[index]?.out);
    });
    expect(funnel.stages.at(-1)?.out).toBe(funnel.records);
    expect(funnel.databases).toBe(4);
  });

  it("locks inputs, parameters, outputs and databases, and the hashes are those of the files", async () => {
    const { lock } = await build(out);
    expect(readJson<BuildLock>("lock.json")).toEqual(lock);
    expect(schemaFaults("lock", lock)).toEqual([]);
    const files = tree(join(out, "build", "taco"));
    for (const [name, sha256] of Object.entries(lock.outputs)) expect(files[name], name).toBe(sha256);
    for (const [path, { sha256 }] of Object.entries(lock.databases)) {
      expect(files[`databases/${path}`], path).toBe(sha256);
    }
    expect(Object.keys(files).length).toBe(4 + Object.keys(lock.databases).length + 1);
    expect(lock.stages.map(({ stage, parameters }) => [stage, parameters])).toEqual([
      ["odd-one-out", {}],
      ["group-database", {}],
      ["parts", { seed: 0 }],
      ["first-of-sum", {}],
      ["emit", {}],
    ]);
    expect(lock.inputs).toEqual({ "rows.jsonl": tree(join(out, "source"))["rows.jsonl"] });
  });

  it("takes only the first rows with limit", async () => {
    const { funnel } = await build(out, {}, { settings: { ...SETTINGS, limit: 5 } });
    expect(funnel.rows).toBe(5);
    expect(jsonLines<LedgerEntry>(built("ledger.jsonl")).length).toBe(5);
  });
});

describe("what does not decide the bytes", () => {
  const others: string[] = [];
  afterAll(() => {
    for (const path of others) rmSync(path, { recursive: true, force: true });
  });

  it("is the number of jobs, nor which call ends first, nor where the folder lies", async () => {
    const trees: Record<string, string>[] = [];
    for (const jobs of [1, 2, 7]) {
      const elsewhere = temporary().path;
      others.push(elsewhere);
      writeToySource(join(elsewhere, "source"), toyRows(24));
      await build(elsewhere, { jitter: 4 }, { jobs });
      trees.push(tree(join(elsewhere, "build")));
    }
    expect(trees[1]).toEqual(trees[0]);
    expect(trees[2]).toEqual(trees[0]);
  });

  it("is what the store already holds: from a warm and from a cold store the trees are one", async () => {
    await build(out, {}, { settings: { ...SETTINGS, limit: 9 } });
    await build(out);
    const warm = tree(join(out, "build"));
    rmSync(join(out, "cache"), { recursive: true });
    rmSync(join(out, "build"), { recursive: true });
    await build(out);
    expect(tree(join(out, "build"))).toEqual(warm);
  });

  it("but the seed does", async () => {
    await build(out);
    const before = tree(join(out, "build", "taco"));
    await build(out, {}, { settings: { ...SETTINGS, seed: 1 } });
    expect(tree(join(out, "build", "taco"))["records.jsonl"]).not.toBe(before["records.jsonl"]);
  });
});

describe("a build folder that is not what its lock says", () => {
  it("is left alone when whole: nothing is computed or rewritten", async () => {
    await build(out);
    const runs = new Map<string, number>();
    const again = await build(out, { runs });
    expect(again).toMatchObject({ upToDate: true, computed: 0 });
    expect([...runs]).toEqual([]);
  });

  const damages: [string, (path: string) => void][] = [
    ["changed", (path) => writeFileSync(path, `${readFileSync(path, "utf8")}\n`)],
    ["emptied", (path) => writeFileSync(path, "")],
    ["removed", (path) => rmSync(path)],
  ];
  for (const [damage, spoil] of damages) {
    for (const name of ["records.jsonl", "dropped.jsonl", "ledger.jsonl", "funnel.json"]) {
      it(`is rebuilt when ${name} is ${damage}`, async () => {
        await build(out);
        const whole = tree(join(out, "build"));
        spoil(built(name));
        expect((await build(out)).upToDate).toBe(false);
        expect(tree(join(out, "build"))).toEqual(whole);
      });
    }
  }

  it("is rebuilt when its lock is cut off or is no lock", async () => {
    await build(out);
    const whole = tree(join(out, "build"));
    for (const text of [readFileSync(built("lock.json"), "utf8").slice(0, 100), "{}", "[]", ""]) {
      writeFileSync(built("lock.json"), text);
      expect((await build(out)).upToDate).toBe(false);
      expect(tree(join(out, "build"))).toEqual(whole);
    }
  });

  it("is rebuilt when a database is changed through its link into the cache, which is made again", async () => {
    await build(out);
    const whole = tree(join(out, "build"));
    const database = built(join("databases", "g1", "g1.sqlite"));
    chmodSync(database, 0o644);
    writeFileSync(database, "no database");
    const runs = new Map<string, number>();
    const again = await build(out, { runs });
    expect(again.upToDate).toBe(false);
    expect(tree(join(out, "build"))).toEqual(whole);
    expect(runs.get("group-database")).toBe(1);
  });

  it("is rebuilt when something was put into it", async () => {
    await build(out);
    const whole = tree(join(out, "build"));
    writeFileSync(built(join("databases", "stray.sqlite")), "not ours");
    writeFileSync(built("notes.txt"), "not ours");
    expect((await build(out)).upToDate).toBe(false);
    expect(tree(join(out, "build"))).toEqual(whole);
  });
});

describe("what a killed build leaves", () => {
  it("is cleared away when it was being made, and put back when it was being replaced", async () => {
    await build(out);
    const whole = tree(join(out, "build"));
    const home = join(out, "build");
    // Killed between the two renames: only the old folder is there.
    const { renameSync, mkdirSync } = await import("node:fs");
    renameSync(join(home, "taco"), join(home, ".taco.old"));
    mkdirSync(join(home, ".taco.partial", "databases"), { recursive: true });
    writeFileSync(join(home, ".taco.partial", "records.jsonl"), '{"half');
    await build(out);
    expect(readdirSync(home)).toEqual(["taco"]);
    expect(tree(home)).toEqual(whole);
  });

  it("is cleared away when its successor was in place already, also where there is nothing to do", async () => {
    await build(out);
    const whole = tree(join(out, "build"));
    cpSync(join(out, "build", "taco"), join(out, "build", ".taco.old"), { recursive: true });
    expect((await build(out)).upToDate).toBe(true);
    expect(tree(join(out, "build"))).toEqual(whole);
  });

  it("never shows as a build: an unfinished folder has a hidden name", async () => {
    const seen: string[][] = [];
    await build(out, {
      onRun: (stage) => {
        if (stage === "emit") seen.push(readdirSync(join(out, "build")));
      },
    });
    expect(seen.length).toBeGreaterThan(0);
    for (const names of seen) expect(names).toEqual([".taco.partial"]);
    expect(existsSync(join(out, "build", ".taco.partial"))).toBe(false);
  });
});
