import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import {
  type Cell,
  cleanForBirdInteract,
  compareExecutions,
  type Execution,
  encodeCell,
  removeComments,
  removeDistinct,
  removeRound,
} from "../../pipelines/sql/index.js";

/** A value as the fixture writes it: one key, which names the driver's type. */
type Typed = Record<string, unknown>;

interface Verdicts {
  cleaning: {
    input: string;
    remove_comments: string;
    remove_distinct: string;
    remove_round: string;
    all: string;
  }[];
  comparison: {
    prediction: Typed[][] | null;
    reference: Typed[][] | null;
    ordered: boolean;
    verdict: 0 | 1 | { error: string };
    note: string;
  }[];
}

const fixture = new URL("./fixtures/bird-interact-official-verdicts.json", import.meta.url);
const official = JSON.parse(readFileSync(fixture, "utf8")) as Verdicts;

function realOf(text: string): number {
  return text === "inf" ? Infinity : text === "nan" ? NaN : Number(text);
}

function cellOf(typed: Typed): Cell {
  const [type, value] = Object.entries(typed)[0] as [string, unknown];
  switch (type) {
    case "null":
      return null;
    case "int":
      return encodeCell({ kind: "integer", value: BigInt(String(value)) });
    case "float":
      return encodeCell({ kind: "real", value: realOf(String(value)) });
    case "bool":
      return encodeCell({ kind: "boolean", value: value === true });
    case "numeric":
    case "text":
    case "date":
    case "timestamp":
    case "timestamptz":
      return encodeCell({ kind: type, value: String(value) });
    case "interval_seconds":
      return encodeCell({ kind: "interval", value: `${value} seconds` });
    case "bytea":
      return encodeCell({ kind: "blob", value: Buffer.from(String(value), "hex") });
    case "array":
      return encodeCell({ kind: "array", value: (value as Typed[]).map(cellOf) });
    case "json":
      return encodeCell({ kind: "json", value: JSON.stringify(value) });
    default:
      throw new Error(`the fixture has a type that is not known here: ${type}`);
  }
}

/** A statement without a result set gives Python's None; here it is a result without columns and rows. */
function executionOf(result: Typed[][] | null): Execution {
  const rows = (result ?? []).map((row) => row.map(cellOf));
  const columns = (rows[0] ?? []).map((_, at) => `c${at}`);
  return { outcome: "rows", columns, rows, row_count: rows.length, duration_ms: 0, rewrites: [] };
}

describe("the official evaluator's SQL cleaning", () => {
  test("the fixture is whole", () => expect(official.cleaning).toHaveLength(41));

  test.each(official.cleaning)("$input", ({ input, remove_comments, remove_distinct, remove_round, all }) => {
    expect(removeComments(input)).toBe(remove_comments);
    expect(removeDistinct(input)).toBe(remove_distinct);
    expect(removeRound(input)).toBe(remove_round);
    expect(cleanForBirdInteract(input)).toBe(all);
  });
});

describe("the official evaluator's comparison", () => {
  test("the fixture is whole", () => expect(official.comparison).toHaveLength(130));

  test.each(official.comparison)(
    "$note, ordered: $ordered",
    ({ prediction, reference, ordered, verdict }) => {
      const result = compareExecutions(
        "bird_interact",
        ordered,
        executionOf(prediction),
        executionOf(reference),
      );
      expect(result.verdict).toBe(verdict === 1 ? "match" : "mismatch");
    },
  );
});
