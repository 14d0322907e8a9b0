import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { asyncBufferFromFile, parquetMetadataAsync, parquetReadObjects } from "hyparquet";
import { beforeAll, describe, expect, it } from "vitest";
import { SourceError } from "../../../pipelines/errors.js";
import type { Exported } from "../../../pipelines/release/export/index.js";
import type { TaskRecord } from "../../../schemas/types/record.js";
import { treeOf } from "../sample.js";
import { builds, buildWith, exported, linesOf, refusal } from "./exports.js";

let build = "";
let whole: Exported;
beforeAll(async () => {
  build = await builds();
  whole = await exported(build, { format: "parquet" });
});

const filesOf = ({ manifest }: Exported): string[] =>
  manifest.files.filter(({ records }) => records !== undefined).map(({ path }) => path);

/** As a record looks in Parquet: absent is null, changing keys are entries, a follow-up is text. */
function asRow(record: object): object {
  const { public: zone, verifier, ...rest } = structuredClone(record) as TaskRecord;
  const { column_meanings, ...open } = zone;
  const entries = Object.entries(column_meanings ?? {}).sort(([a], [b]) => (a < b ? -1 : 1));
  const meanings = entries.map(([key, value]) => ({ key, value }));
  const { follow_up } = verifier ?? {};
  return bare({
    ...rest,
    public: column_meanings === undefined ? open : { ...open, column_meanings: meanings },
    ...(verifier === undefined
      ? {}
      : {
          verifier: { ...verifier, follow_up: follow_up == null ? null : JSON.stringify(follow_up) },
        }),
  }) as object;
}

/** Without what is null, numbers as numbers. */
function bare(value: unknown): unknown {
  if (typeof value === "bigint") return Number(value);
  if (Array.isArray(value)) return value.map(bare);
  if (value === null || typeof value !== "object") return value;
  const kept = Object.entries(value).filter(([, one]) => one !== null && one !== undefined);
  return Object.fromEntries(kept.map(([key, one]) => [key, bare(one)]));
}

/** hyparquet is by the writer's author: it finds slips of ours, and not what both of them would misread. */
async function rowsOf(path: string): Promise<object[]> {
  return parquetReadObjects({ file: await asyncBufferFromFile(path) });
}

const schemaOf = async (path: string): Promise<string> =>
  JSON.stringify((await parquetMetadataAsync(await asyncBufferFromFile(path))).schema);

const recordsOf = (dataset: string): TaskRecord[] =>
  linesOf(join(build, dataset, "records.jsonl")) as TaskRecord[];

describe("a Parquet export", () => {
  it("holds every record of every dataset and split, field by field", async () => {
    expect(filesOf(whole).length).toBeGreaterThan(6);
    for (const path of filesOf(whole)) {
      const [dataset = "", name = ""] = path.split("/");
      const records = recordsOf(dataset).filter(({ split }) => `${split}.parquet` === name);
      expect(records.length).toBeGreaterThan(0);
      expect((await rowsOf(join(whole.folder, path))).map(bare)).toEqual(records.map(asRow));
    }
  });

  it("has the same columns and types for every dataset and split, with values or without", async () => {
    const schemas = new Set<string>();
    for (const path of filesOf(whole)) schemas.add(await schemaOf(join(whole.folder, path)));
    expect(schemas.size).toBe(1);
    const [schema = ""] = schemas;
    // Some datasets have column meanings, follow-ups and withheld evidence and others none; the types stand all the same.
    for (const name of ["column_meanings", "follow_up", "withheld_evidence"])
      expect(schema).toContain(`"${name}"`);
  });

  it("is the same bytes each time", async () => {
    const again = await exported(build, { format: "parquet" });
    expect(treeOf(again.folder)).toEqual(treeOf(whole.folder));
  });

  it("has the public columns alone where it is public-only", async () => {
    const open = await exported(build, { format: "parquet", publicOnly: true });
    for (const path of filesOf(open)) {
      const [first] = await rowsOf(join(open.folder, path));
      expect(Object.keys(first ?? {})).toEqual(
        "schema_version record_id avt_id dataset split slices public".split(" "),
      );
    }
  });

  it("brings back hostile text, long lists, empty ones and large numbers, over several row groups", async () => {
    const texts = [
      "",
      "\u0000",
      "é\u0301 \u{1f9d1}\u200d\u{1f680} \u202e",
      "'\"\\`\n\t\r",
      "null",
      "x".repeat(100_000),
    ];
    const hostile = await buildWith(([first, ...rest]) => {
      const records: TaskRecord[] = [];
      for (let at = 0; at < 1_203; at += 1) {
        const record = structuredClone(first as TaskRecord);
        record.record_id = `${record.record_id}-${at}`;
        record.public.request = `${at} ${texts[at % 5]}`;
        record.provenance.row = Number.MAX_SAFE_INTEGER - at;
        records.push(record);
      }
      const [a, b] = records;
      if (a === undefined || b === undefined) throw new Error("no records");
      const meanings: [string, string][] = [
        ["__proto__", "own"],
        ["", "empty"],
        ["a.b", texts[5] ?? ""],
        ["constructor", "é"],
      ];
      a.public.column_meanings = Object.fromEntries(meanings);
      a.verifier.follow_up = { "any key": [1, null, { deep: "é" }] };
      a.verifier.alternative_sql = [];
      a.provenance.notes = [...texts];
      b.verifier.follow_up = null;
      b.oracle.ambiguities = [];
      return [...records, ...rest];
    });
    const { folder } = await exported(hostile, { format: "parquet" });
    const path = join(folder, "ambiqt/all.parquet");
    const records = linesOf(join(hostile, "ambiqt/records.jsonl")) as TaskRecord[];
    expect(records[0]?.provenance.row).toBe(Number.MAX_SAFE_INTEGER);
    expect((await rowsOf(path)).map(bare)).toEqual(records.map(asRow));
    const { row_groups, num_rows } = await parquetMetadataAsync(await asyncBufferFromFile(path));
    expect(Number(num_rows)).toBe(records.length);
    expect(row_groups.length).toBeGreaterThan(2);
  });

  it.each<[string, (record: TaskRecord) => void, string]>([
    ["a number past 2^53", (record) => (record.provenance.row = 2 ** 53), "provenance.row"],
    ["a field of no schema", (record) => Object.assign(record.oracle, { hint: "x" }), "oracle.hint"],
    ["a missing field", (record) => Reflect.deleteProperty(record.verifier, "success"), "verifier.success"],
    ["a number for a text", (record) => Object.assign(record.public, { request: 7 }), "public.request"],
    ["a text for a list", (record) => Object.assign(record, { slices: "x" }), "slices"],
    ["half a character", (record) => (record.public.request = "a\ud800b"), "public.request"],
  ])("is refused for %s, with file, line and field", async (_what, spoil, field) => {
    const bad = await buildWith((records) => {
      const third = records[2];
      if (third !== undefined) spoil(third);
      return records;
    });
    const error = await refusal(bad, { format: "parquet" });
    expect(error).toBeInstanceOf(SourceError);
    expect((error as SourceError).place).toEqual({ file: join(bad, "ambiqt/records.jsonl"), line: 3, field });
  });
});

const pyarrow = spawnSync("python3", ["-c", "import pyarrow.parquet"]).status === 0;
if (!pyarrow) console.warn("skipped: no python3 with pyarrow, so only hyparquet reads the Parquet files");

describe.skipIf(!pyarrow)("a Parquet export, read by pyarrow", () => {
  it("holds the same rows", () => {
    const script =
      "import json, sys, pyarrow.parquet as p; print(json.dumps(p.read_table(sys.argv[1]).to_pylist()))";
    const path = join(whole.folder, "ambiqt/all.parquet");
    const { stdout } = spawnSync("python3", ["-c", script, path], { encoding: "utf8", maxBuffer: 1 << 28 });
    expect((JSON.parse(stdout) as object[]).map(bare)).toEqual(recordsOf("ambiqt").map(asRow));
    expect(readFileSync(path).subarray(0, 4).toString()).toBe("PAR1");
  });
});
