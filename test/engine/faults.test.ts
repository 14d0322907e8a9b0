import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { Interrupted, SourceErrors, UserError } from "../../pipelines/errors.js";
import type { DroppedRow } from "../../schemas/types/dropped.js";
import type { LedgerEntry } from "../../schemas/types/ledger.js";
import { build, jsonLines, SETTINGS, temporary, toyRows, tree, writeToySource } from "./toy.js";

let folder = temporary();
let out = folder.path;
beforeEach(() => {
  folder = temporary();
  out = folder.path;
  writeToySource(join(out, "source"), toyRows(24));
});
afterEach(() => folder.remove());

const rejection = async (work: Promise<unknown>): Promise<unknown> => {
  try {
    await work;
  } catch (error) {
    return error;
  }
  throw new Error("expected a failure");
};

describe("bad rows", () => {
  const rows = [...toyRows(4), "{broken", ...toyRows(6).slice(4), "also broken", '{"n": 6, "group": "g2"}'];

  it("are all reported at once, and nothing is written", async () => {
    writeToySource(join(out, "source"), rows);
    const error = await rejection(build(out));
    expect(error).toBeInstanceOf(SourceErrors);
    const { message, errors } = error as SourceErrors;
    expect(errors.map(({ place }) => place)).toEqual([
      { file: "rows.jsonl", row: 4, field: "n" },
      { file: "rows.jsonl", row: 7, field: "n" },
    ]);
    expect(message).toContain("2 bad rows in source taco");
    expect(message).toContain('rows.jsonl, row 7, field "n"');
    expect(readdirSync(join(out, "build"))).toEqual([]);
  });

  it("leave the build that was there as it was", async () => {
    await build(out);
    const before = tree(join(out, "build"));
    writeToySource(join(out, "source"), rows);
    await rejection(build(out));
    expect(tree(join(out, "build"))).toEqual(before);
  });

  it("stand in the drops and the ledger with keep_going, and the rest is built", async () => {
    writeToySource(join(out, "source"), rows);
    const { funnel } = await build(out, {}, { settings: { ...SETTINGS, keep_going: true } });
    const dropped = jsonLines<DroppedRow>(join(out, "build", "taco", "dropped.jsonl"));
    const bad = dropped.filter(({ reason }) => reason === "bad_row");
    expect(bad.map(({ row, stage, key }) => [row, stage, key])).toEqual([
      [4, "read", "taco/toy/4"],
      [7, "read", "taco/toy/7"],
    ]);
    expect(bad[0]?.detail).toContain("expected JSON");
    const ledger = jsonLines<LedgerEntry>(join(out, "build", "taco", "ledger.jsonl"));
    expect(ledger.map(({ origin }) => origin.row)).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8]);
    expect(ledger[4]?.steps).toMatchObject([{ stage: "read", outcome: "dropped", reason: "bad_row" }]);
    expect(funnel.rows).toBe(9);
    expect(funnel.stages[0]).toMatchObject({ stage: "read", in: 9, kept: 7, reasons: { bad_row: 2 } });
    expect(funnel.records).toBeGreaterThan(0);
  });
});

describe("an interruption", () => {
  it("leaves the old build whole, keeps what was computed and names the command that goes on", async () => {
    await build(out, {}, { settings: { ...SETTINGS, limit: 4 } });
    const before = tree(join(out, "build"));
    const controller = new AbortController();
    const first = new Map<string, number>();
    const error = await rejection(
      build(
        out,
        { runs: first, onRun: (stage, runs) => void (stage === "parts" && runs === 6 && controller.abort()) },
        { signal: controller.signal, resume: "ambitab build taco", jobs: 1 },
      ),
    );
    expect(error).toBeInstanceOf(Interrupted);
    expect((error as Interrupted).resume).toBe("ambitab build taco");
    expect(tree(join(out, "build"))).toEqual(before);

    const second = new Map<string, number>();
    await build(out, { runs: second });
    // The first four rows are the earlier build's.
    expect((first.get("odd-one-out") ?? 0) + (second.get("odd-one-out") ?? 0)).toBe(20);
    expect(first.get("odd-one-out")).toBeGreaterThan(0);
    expect(second.get("odd-one-out")).toBeGreaterThan(0);

    const undisturbed = temporary();
    writeToySource(join(undisturbed.path, "source"), toyRows(24));
    await build(undisturbed.path);
    expect(tree(join(out, "build"))).toEqual(tree(join(undisturbed.path, "build")));
    undisturbed.remove();
  });

  it("before the first row stops at once", async () => {
    const runs = new Map<string, number>();
    const error = await rejection(build(out, { runs }, { signal: AbortSignal.abort() }));
    expect(error).toBeInstanceOf(Interrupted);
    expect([...runs]).toEqual([]);
    expect(readdirSync(join(out, "build"))).toEqual([]);
  });
});

describe("two builds of one dataset into one folder", () => {
  it("are told apart: the second is refused, and works once the first has ended", async () => {
    let release = (): void => undefined;
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    let entered = (): void => undefined;
    const started = new Promise<void>((resolve) => {
      entered = resolve;
    });
    const first = build(out, {
      onRun: async (stage, runs) => {
        if (stage !== "odd-one-out" || runs !== 1) return;
        entered();
        await held;
      },
    });
    await started;
    const error = await rejection(build(out));
    expect(error).toBeInstanceOf(UserError);
    expect((error as UserError).message).toBe("the build of taco is being written by another process");
    expect((error as UserError).remedy).toContain("another folder");
    release();
    await first;
    expect((await build(out)).upToDate).toBe(true);
  });
});

describe("a stage that fails", () => {
  it("leaves nothing half-made, and the next build goes on from what was done", async () => {
    const runs = new Map<string, number>();
    const error = await rejection(
      build(
        out,
        {
          runs,
          onRun: (stage, times) => {
            if (stage === "emit" && times === 5) throw new RangeError("a bug of ours");
          },
        },
        { jobs: 1 },
      ),
    );
    expect(error).toBeInstanceOf(RangeError);
    expect(readdirSync(join(out, "build"))).toEqual([]);
    const again = new Map<string, number>();
    await build(out, { runs: again });
    expect(again.get("odd-one-out")).toBeUndefined();
    expect(existsSync(join(out, "build", "taco", "records.jsonl"))).toBe(true);
  });

  it("shows its own error also when the folder was nearly finished", async () => {
    // A setting that no lock can hold fails only when every file has been closed.
    const error = await rejection(build(out, {}, { settings: { ...SETTINGS, seed: Number.NaN } }));
    expect(String(error)).toContain("NaN");
    expect(readdirSync(join(out, "build"))).toEqual([]);
  });

  it("releases the folder for the next build", async () => {
    const failing = build(out, {
      onRun: (stage) => {
        if (stage === "first-of-sum") throw new RangeError("a bug of ours");
      },
    });
    expect(await rejection(failing)).toBeInstanceOf(RangeError);
    await expect(build(out)).resolves.toMatchObject({ upToDate: false });
  });
});
