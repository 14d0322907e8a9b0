import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { holdsPhrase, namedWords } from "../../../pipelines/datasets/taco/verbaliser/index.js";
import { checkGuarantees, intentMatcher, intentResponder } from "../../../pipelines/oracle/index.js";
import { oracleView } from "../../../pipelines/record/views.js";
import { compareExecutions, openSqliteSandbox, type SqliteSandbox } from "../../../pipelines/sql/index.js";
import type { TaskRecord } from "../../../schemas/types/record.js";
import { sampleFolder } from "../../../sources/index.js";
import { type Built, buildTaco, reasons, trace } from "./building.js";
import { CREDITED, NOTHING } from "./near-misses.js";

let built: Built;
let sandbox: SqliteSandbox;
beforeAll(() => {
  built = buildTaco(sampleFolder("taco"), "--all-regions");
  sandbox = openSqliteSandbox({ children: 2 });
});
afterAll(async () => {
  built.remove();
  await sandbox.close();
});

const byFile = (name: string): TaskRecord => {
  const found = built.records.find(({ provenance }) => provenance.file.endsWith(`/${name}.json`));
  if (found === undefined) throw new Error(`no record of ${name}`);
  return found;
};
const of = (record: TaskRecord, kind: string) => record.oracle.ambiguities.find((one) => one.kind === kind);
const tableOf = (record: TaskRecord): string =>
  JSON.parse(of(record, "table_choice")?.sql_snippet ?? "") as string;

describe("the sample's build", () => {
  it("keeps and drops each file for the reason it was made for", () => {
    expect(reasons(built.funnel)).toEqual({
      compound_select: 1,
      empty_result: 2,
      markdown: 1,
      names_table: 5,
      no_distinct_table: 6,
      no_sentence: 1,
      no_table: 1,
      not_a_select: 1,
      placeholder: 4,
      quoted_qualified_name: 2,
      several_statements: 1,
      several_tables: 2,
      source_missing: 2,
      statement_fails: 1,
      subquery: 1,
      unparsable: 1,
      unsteady_result: 1,
    });
    const { records, avts, databases, ambiguities, rows, findings, missing } = built.funnel;
    expect({ records, avts, databases, ambiguities, rows }).toEqual({
      records: 42,
      avts: 37,
      databases: 4,
      ambiguities: 52,
      rows: 75,
    });
    expect(findings).toEqual({ same_reading: 1, value_choice: ambiguities - records, year_in_request: 1 });
    expect(missing).toEqual({ "us/Office of Harbor Records - 2": 2 });
    for (const { detail } of built.dropped) expect(detail.length).toBeGreaterThan(5);
  });

  it("withholds the table and the value from every request, and answers with them", () => {
    for (const record of built.records) {
      const { request } = record.public;
      const table = tableOf(record);
      expect(namedWords(request, table), request).toEqual([]);
      const choice = of(record, "table_choice");
      expect(request).toContain(choice?.term ?? "");
      expect(choice?.response).toContain(table.replaceAll("_", " "));
      const value = of(record, "value_choice");
      if (value === undefined) continue;
      const literal = /^By ".*" I mean "(.*)"\.$/.exec(value.response)?.[1] ?? "";
      expect(literal).not.toBe("");
      expect(holdsPhrase(request, literal), request).toBe(false);
      expect(request).toContain(value.term);
      expect(record.verifier.reference_sql[0]).toContain(`'${literal}'`);
    }
  });

  it("has readings that run, return rows and differ from each other reading listed", async () => {
    for (const { public: agent, verifier } of built.records) {
      const database = join(built.folder, "databases", agent.database.path);
      const gold = await sandbox.run({ database, sql: verifier.reference_sql[0] ?? "" });
      expect(gold.outcome === "rows" && gold.row_count > 0).toBe(true);
      expect(verifier.alternative_sql?.length).toBeGreaterThan(0);
      for (const sql of verifier.alternative_sql ?? []) {
        const other = await sandbox.run({ database, sql });
        expect(other.outcome === "rows" && other.row_count > 0).toBe(true);
        expect(compareExecutions("multiset", verifier.comparison.ordered, other, gold).verdict).toBe(
          "mismatch",
        );
      }
    }
  });

  it("keeps the oracle's promises on every record", async () => {
    for (const record of built.records) {
      expect(await checkGuarantees(oracleView(record, "intent"), intentMatcher, intentResponder)).toEqual([]);
    }
  });

  it("makes one request of the files that come out alike, and notes what repeats", () => {
    const spring = byFile("Lakeshore Transit - 7/generated_nl_query_0");
    const fall = byFile("Lakeshore Transit - 7/generated_nl_query_1");
    expect(spring.avt_id).toBe(fall.avt_id);
    expect(spring.public).toEqual(fall.public);
    expect(of(spring, "table_choice")?.aliases).toEqual(of(fall, "table_choice")?.aliases);
    expect([tableOf(spring), tableOf(fall)]).toEqual(["bus_ridership_spring", "bus_ridership_fall"]);
    expect([spring.record_id, fall.record_id].map((id) => id.replace(/.*#/, "")).sort()).toEqual(["1", "2"]);
    expect(new Set(built.records.map(({ record_id }) => record_id)).size).toBe(built.records.length);
  });

  it("lists no reading that gives what the reference gives, and says which that is", () => {
    const street = byFile("Pine County Department of... - 33/generated_nl_query_0");
    expect(street.verifier.alternative_sql?.join()).not.toContain("street_trees_copy");
    expect(street.provenance.notes).toEqual([
      'the same result comes from "street_trees_copy", so no alternative reading is of them',
    ]);
  });

  it("does not say a word that a table's name has, but for a year", () => {
    expect(byFile("Lakeshore Transit - 7/generated_nl_query_9").public.request).toBe(
      "For each fuel among the records, show the fuel and the number of them.",
    );
    expect(byFile("Town of Alder Falls... - 12/generated_nl_query_15").public.request).toContain("2022");
  });

  it("comes out the same at another number of jobs", () => {
    const again = buildTaco(sampleFolder("taco"), "--all-regions", "--jobs", "1");
    for (const file of ["records.jsonl", "dropped.jsonl", "ledger.jsonl", "funnel.json", "lock.json"]) {
      expect(again.text(file), file).toBe(built.text(file));
    }
    again.remove();
  });

  it("tells by trace where a record comes from and why a file has none", () => {
    const key = "taco/all/us/Town of Alder Falls... - 12";
    expect(trace(built, `${key}/generated_nl_query_29`)).toContain("subquery");
    const [record] = built.records;
    const kept = trace(built, record?.record_id ?? "");
    for (const part of [record?.provenance.file ?? "?", "find-alternatives", "prove-guarantees"])
      expect(kept).toContain(part);
  });

  it("has Unicode names in the sentences of Beijing's part", () => {
    const beijing = built.records.filter(({ provenance }) => provenance.file.startsWith("beijing/"));
    expect(beijing.map(({ public: agent }) => agent.request)).toEqual([
      'Show the "名称" and "地址" for the records.',
      'Show the "名称" and "?面积" for the records where the "?面积" is greater than 10, sorted by the "?面积" in descending order.',
      'Count the records with a certain "类别".',
      'Show the "名称" for the records where the "地址" contains "和平".',
    ]);
  });

  describe("near misses", () => {
    /** What a question earns on the record of a file. */
    const credits = async (file: string, question: string): Promise<readonly string[]> =>
      (await intentMatcher.match(question, [], oracleView(byFile(file), "intent"))).credits;
    it.each(NOTHING)("%s: %s", async (file, question) => expect(await credits(file, question)).toEqual([]));
    it.each(CREDITED)("%s: %s", async (file, question, ambiguity) =>
      expect(await credits(file, question)).toEqual([ambiguity]),
    );
  });
});
