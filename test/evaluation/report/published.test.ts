import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { PUBLISHED, type PublishedTable } from "../../../pipelines/evaluation/report/published/numbers.js";
import { PACKAGE_ROOT } from "../../../pipelines/package-root.js";

interface Printed {
  mean?: number;
  sd?: number | null;
  estimate?: number;
  lo?: number;
  hi?: number;
}
type Row = Record<string, string | number | Printed | null>;

const data = process.env.AMBITAB_DATA ?? join(PACKAGE_ROOT, "..", "shared", "data");
const file = join(data, "..", "paper", "published-numbers.json");
const there = existsSync(file);

const tables = (): Record<string, { rows: Row[] }> =>
  (JSON.parse(readFileSync(file, "utf8")) as { tables: Record<string, { rows: Row[] }> }).tables;

/** Holds a table of ours against the transcript: every cell of both. */
function compare(
  ours: PublishedTable,
  rows: readonly Row[],
  keys: readonly string[],
  columns: Record<string, string>,
) {
  expect([...ours.keys()].sort()).toEqual(rows.map((row) => keys.map((key) => row[key]).join(" ")).sort());
  for (const row of rows) {
    const mine = ours.get(keys.map((key) => row[key]).join(" "))!;
    for (const [name, column] of Object.entries(columns)) {
      const printed = (row[column] ?? null) as Printed | null;
      const cell = mine[name];
      const where = `${keys.map((key) => row[key]).join(" ")} ${column}`;
      expect.soft(cell?.mean ?? null, where).toBe(printed?.mean ?? printed?.estimate ?? null);
      expect.soft(cell?.sd ?? null, where).toBe(printed?.sd ?? null);
      expect.soft(cell?.interval?.lo ?? null, where).toBe(printed?.lo ?? null);
      expect.soft(cell?.interval?.hi ?? null, where).toBe(printed?.hi ?? null);
    }
  }
}

describe("the paper's numbers", () => {
  if (!there) console.warn("the transcript of the paper's tables is not here: its comparison is skipped");

  it.skipIf(!there)("are those of the transcript, cell by cell", () => {
    const { table_8, table_10, table_13, table_14, table_15, table_16, table_17 } = tables();
    compare(PUBLISHED.inference, table_8!.rows, ["dataset", "oracle"], {
      none: "no_dis_sr",
      asker: "asker_sr",
      full: "full_sr",
      precision: "precision",
      recall: "recall",
    });
    compare(PUBLISHED.prompts, table_10!.rows, ["dataset", "prompt"], {
      sr: "asker_sr",
      precision: "precision",
      recall: "recall",
    });
    const metrics = { sr: "sr", precision: "precision", recall: "recall" };
    compare(PUBLISHED.policies, table_13!.rows, ["dataset", "policy"], metrics);
    const untrained = table_14!.rows.map((row) => ({ ...row, policy: "untrained" }));
    const trained = table_16!.rows.filter(({ policy }) => policy !== "untrained");
    const four = ["dj_resp", "drec_spec_q", "dj_full", "drec_none"];
    const named = (names: readonly string[]) => Object.fromEntries(names.map((name) => [name, name]));
    compare(PUBLISHED.leakage, [...untrained, ...trained], ["dataset", "oracle", "policy"], named(four));
    compare(
      PUBLISHED.sqlAccess,
      table_15!.rows,
      ["dataset", "oracle"],
      named(["dj_resp", "dj_full", "drec_none"]),
    );
    compare(
      PUBLISHED.policyDifference,
      table_17!.rows,
      ["dataset", "oracle"],
      named(["dj_resp", "drec_spec_q"]),
    );
  });

  it("keep the decimals they are printed with", () => {
    expect(PUBLISHED.inference.get("bird gemma-3-27b")?.asker).toEqual({ mean: 75.3, sd: 1, decimals: 1 });
    expect(PUBLISHED.sqlAccess.get("ambiqt qwen3-14b")?.drec_none).toEqual({
      mean: -0.14,
      interval: { lo: -0.29, hi: -0.02 },
      decimals: 2,
    });
    expect(PUBLISHED.inference.get("bird deterministic")?.none).toBeUndefined();
  });
});
