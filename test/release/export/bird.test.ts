import { existsSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import Database from "better-sqlite3";
import fc from "fast-check";
import { beforeAll, describe, expect, it } from "vitest";
import { SourceError, UserError } from "../../../pipelines/errors.js";
import { schemaFaults } from "../../../pipelines/record/check-schema.js";
import type { Exported } from "../../../pipelines/release/export/index.js";
import { oneLine } from "../../../pipelines/release/export/one-line.js";
import { isSignificant, tokens } from "../../../pipelines/sql/index.js";
import type { BirdKey } from "../../../schemas/types/bird-key.js";
import type { TaskRecord } from "../../../schemas/types/record.js";
import { readQuestions } from "../../../sources/bird/index.js";
import { treeOf } from "../sample.js";
import { builds, buildWith, exported, linesOf, refusal } from "./exports.js";

const SQLITE = ["ambiqt", "ambrosia", "bird", "ew-bird", "taco"];

let build = "";
let whole: Exported;
beforeAll(async () => {
  build = await builds();
  whole = await exported(build, { format: "bird", datasets: SQLITE });
});

interface Row {
  question_id: number;
  db_id: string;
  question: string;
  evidence: string;
  SQL?: string;
  difficulty: string;
}

const splitsOf = (folder: string): [folder: string, split: string][] =>
  readdirSync(folder)
    .filter((name) => existsSync(join(folder, name, "")) && name !== "export.json")
    .flatMap((dataset) =>
      readdirSync(join(folder, dataset))
        .filter((name) => name.endsWith(".json"))
        .map((name): [string, string] => [join(folder, dataset), name.slice(0, -".json".length)]),
    );
const rowsOf = (folder: string, split: string): Row[] =>
  JSON.parse(readFileSync(join(folder, `${split}.json`), "utf8")) as Row[];
const recordsOf = (dataset: string): Map<string, TaskRecord> =>
  new Map(
    (linesOf(join(build, dataset, "records.jsonl")) as TaskRecord[]).map((record) => [
      record.record_id,
      record,
    ]),
  );

/** What `package_sqls` of BIRD's evaluation.py makes of gold SQL: lines, stripped, cut at the one tab. */
function packageSqls(folder: string, split: string): { sql: string; path: string }[] {
  const lines = readFileSync(join(folder, `${split}_gold.sql`), "utf8").split(/\r\n|\r|\n/);
  if (lines.at(-1) === "") lines.pop();
  return lines.map((line) => {
    const parts = line.trim().split("\t");
    expect(parts, line).toHaveLength(2);
    const [sql = "", id = ""] = parts;
    return { sql, path: `${folder}/${split}_databases/${id}/${id}.sqlite` };
  });
}

function resultOf(path: string, sql: string): unknown[] {
  const db = new Database(path, { readonly: true });
  try {
    return db.prepare(sql).raw().all();
  } finally {
    db.close();
  }
}

describe("an export in BIRD's format", () => {
  it("has BIRD's fields, and the key names the record of each question", () => {
    const splits = splitsOf(whole.folder);
    expect(splits.map(([, split]) => split)).toEqual(["all", "all", "dev", "train", "dev", "train", "all"]);
    for (const [folder, split] of splits) {
      const rows = rowsOf(folder, split);
      const key = linesOf(join(folder, `${split}_records.jsonl`)) as BirdKey[];
      expect(rows.length).toBeGreaterThan(0);
      expect(key.map(({ question_id }) => question_id)).toEqual(rows.map((_, at) => at));
      const records = recordsOf(folder.split("/").at(-1) ?? "");
      rows.forEach((row, at) => {
        expect(Object.keys(row)).toEqual([
          "question_id",
          "db_id",
          "question",
          "evidence",
          "SQL",
          "difficulty",
        ]);
        expect(schemaFaults("bird-key", key[at])).toEqual([]);
        const record = records.get(key[at]?.record_id ?? "");
        expect(row).toMatchObject({
          question_id: at,
          db_id: record?.public.database.database_id,
          question: record?.public.request,
          SQL: record?.verifier.reference_sql[0],
        });
      });
    }
  });

  it("is read by our own reader of BIRD without a fault", async () => {
    for (const [folder, split] of splitsOf(whole.folder)) {
      const rows = rowsOf(folder, split);
      const seen = [];
      for await (const item of readQuestions(folder, `${split}.json`, "dev")) seen.push(item);
      expect(seen.filter(({ kind }) => kind === "error")).toEqual([]);
      expect(seen.map((item) => (item.kind === "row" ? [item.value.question, item.value.sql] : []))).toEqual(
        rows.map(({ question, SQL }) => [question, SQL]),
      );
    }
  });

  it("has gold SQL that upstream's evaluator takes apart into what the questions say", () => {
    for (const [folder, split] of splitsOf(whole.folder)) {
      const rows = rowsOf(folder, split);
      const gold = packageSqls(folder, split);
      expect(gold).toHaveLength(rows.length);
      gold.forEach(({ sql, path }, at) => {
        expect(resultOf(path, sql)).toEqual(resultOf(path, rows[at]?.SQL ?? ""));
      });
    }
  });

  it("is the same bytes each time", async () => {
    const again = await exported(build, { format: "bird", datasets: SQLITE });
    expect(treeOf(again.folder)).toEqual(treeOf(whole.folder));
  });

  it("has no SQL and no gold where it is public-only", async () => {
    const open = await exported(build, { format: "bird", datasets: ["ambiqt"], publicOnly: true });
    expect(readdirSync(join(open.folder, "ambiqt")).sort()).toEqual([
      "all.json",
      "all_databases",
      "all_records.jsonl",
    ]);
    for (const row of rowsOf(join(open.folder, "ambiqt"), "all")) expect(row.SQL).toBeUndefined();
  });

  it("makes questions clear by what the records say", async () => {
    const clear = await exported(build, { format: "bird", datasets: SQLITE, question: "clear" });
    let [own, evidence, answers] = [0, 0, 0];
    for (const [folder, split] of splitsOf(clear.folder)) {
      const records = recordsOf(folder.split("/").at(-1) ?? "");
      const key = linesOf(join(folder, `${split}_records.jsonl`)) as BirdKey[];
      rowsOf(folder, split).forEach((row, at) => {
        const { oracle, public: zone } = records.get(key[at]?.record_id ?? "") as TaskRecord;
        if (oracle.clear_request !== undefined) {
          expect(row.question).toBe(oracle.clear_request);
          own += 1;
        } else if (oracle.withheld_evidence !== undefined) {
          expect([row.question, row.evidence]).toEqual([zone.request, oracle.withheld_evidence]);
          evidence += 1;
        } else {
          expect(row.question.startsWith(zone.request)).toBe(true);
          for (const { counts, response } of oracle.ambiguities)
            if (counts) expect(row.question).toContain(response);
          answers += 1;
        }
      });
    }
    expect([own > 0, evidence > 0, answers > 0]).toEqual([true, true, true]);
    const error = await refusal(build, { format: "bird", question: "clear", publicOnly: true });
    expect(error).toBeInstanceOf(UserError);
    expect(error.message).toContain("without it");
  });

  it("refuses a dataset on PostgreSQL and says why", async () => {
    const error = await refusal(build, { format: "bird" });
    expect(error).toBeInstanceOf(UserError);
    expect(error.message).toBe("bird-interact is on postgres, and BIRD's format has SQLite files");
  });

  it("leaves out and names what the format cannot hold", async () => {
    const spoils: [BirdKey["left_out"], (record: TaskRecord) => void][] = [
      ["no_reference_sql", ({ verifier }) => (verifier.reference_sql = [])],
      ["several_statements", ({ verifier }) => verifier.reference_sql.push("select 1")],
      ["no_single_line", ({ verifier }) => (verifier.reference_sql = ["select 'a\nb'"])],
      ["database_name", ({ public: zone }) => (zone.database.database_id = "../../x")],
      ["database_name", ({ public: zone }) => (zone.database.database_id = "a\tb")],
      ["database_name", ({ public: zone }) => (zone.database.database_id = "..")],
    ];
    const bad = await buildWith((records) => {
      for (const [at, [, spoil]] of spoils.entries()) spoil(records[2 * at] as TaskRecord);
      return records;
    });
    const { folder, manifest } = await exported(bad, { format: "bird" });
    const key = linesOf(join(folder, "ambiqt/all_records.jsonl")) as BirdKey[];
    expect(spoils.map((_, at) => key[2 * at]?.left_out)).toEqual(spoils.map(([why]) => why));
    expect(spoils.map((_, at) => key[2 * at]?.question_id)).toEqual(spoils.map(() => null));
    const asked = key.flatMap(({ question_id }) => (question_id === null ? [] : [question_id]));
    expect(asked).toEqual(rowsOf(join(folder, "ambiqt"), "all").map((_, at) => at));
    expect(packageSqls(join(folder, "ambiqt"), "all")).toHaveLength(asked.length);
    expect(manifest.datasets.ambiqt).toMatchObject({
      records: asked.length,
      left_out: { database_name: 3, no_reference_sql: 1, no_single_line: 1, several_statements: 1 },
    });
  });

  it("says which record's database is not there, or takes another's place", async () => {
    const lost = await buildWith((records) => records);
    const [first, , third] = linesOf(join(lost, "ambiqt/records.jsonl")) as TaskRecord[];
    rmSync(join(lost, "ambiqt/databases", third?.public.database.path ?? ""));
    const missing = await refusal(lost, { format: "bird" });
    expect(missing).toBeInstanceOf(SourceError);
    expect(missing.message).toContain('field "public.database.path"');
    const same = await buildWith((records) => {
      const other = records[2];
      if (other !== undefined)
        other.public.database.database_id = (first?.public.database.database_id ?? "").toUpperCase();
      return records;
    });
    expect((await refusal(same, { format: "bird" })).message).toContain("is the folder of");
  });
});

describe("a statement in one line", () => {
  it.each([
    ["select 1 -- one\n, 2", "select 1   , 2"],
    ["select 1 /* a\nb */ + 2", "select 1   + 2"],
    ["select a\r\nfrom t\twhere x = 'a  b'", "select a from t where x = 'a  b'"],
    ["select '--no comment' -- yes", "select '--no comment'"],
    ["\n select 1;\n", "select 1;"],
    ["select 'a\nb'", undefined],
    ["select 'a\tb'", undefined],
    ['select "a\rb" from t', undefined],
    ["select 'open", undefined],
  ])("%j → %j", (sql, line) => expect(oneLine(sql)).toBe(line));

  it("is what SQLite saw before, whatever stands in it", () => {
    const part = fc.constantFrom(
      "select",
      " ",
      "\n",
      "\t",
      "\r\n",
      "--c",
      "/*",
      "*/",
      "'",
      '"',
      "`",
      "[",
      "]",
      "a",
      "1",
      "-",
      "x'",
      ";",
      "é",
      "\u2028",
      "\f",
    );
    const significant = (sql: string): string[] =>
      tokens(sql)
        .filter(isSignificant)
        .map(({ text }) => text);
    fc.assert(
      fc.property(fc.array(part, { maxLength: 12 }), (parts) => {
        const sql = parts.join("");
        const line = oneLine(sql);
        if (line === undefined) return;
        expect(line).not.toMatch(/[\t\n\r]/);
        expect(significant(line)).toEqual(significant(sql));
      }),
      { numRuns: 500 },
    );
  });
});
