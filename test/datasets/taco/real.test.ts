import { readFileSync } from "node:fs";
import { join } from "node:path";
import Database from "better-sqlite3";
import { describe, expect, it } from "vitest";
import { tableRead } from "../../../pipelines/datasets/taco/statement-text.js";
import {
  readSelect,
  recordsTerm,
  saySelect,
  speakerFor,
} from "../../../pipelines/datasets/taco/verbaliser/index.js";
import { quoteIdentifier } from "../../../pipelines/sql/index.js";
import { realData } from "../../sources/temporary.js";
import { buildTaco, reasons } from "./building.js";

const root = realData("taco");

/** The sentence of a US file's statement; none where SQLite does not prepare it on the tables that the file lists. */
function sentenceOf(key: string): string[] {
  const [, , region, database, name] = key.split("/");
  const path = `TACO-Benchmark/${region}/data/new_sql_single/${database}/${name}.json`;
  const file = JSON.parse(readFileSync(join(root ?? "", path), "utf8")) as {
    sql: string;
    tables: Record<string, string[]>;
  };
  const reading = tableRead(file.sql);
  if (!("reads" in reading)) throw new Error(`${key} does not read one table`);
  const columns = (file.tables[reading.reads.table] ?? []).map((column) => column.replace(/^[^.]*\./, ""));
  const db = new Database(":memory:");
  try {
    if (columns.length === 0) return [];
    db.exec(
      `CREATE TABLE ${quoteIdentifier(reading.reads.table)} (${columns.map(quoteIdentifier).join(", ")})`,
    );
    db.prepare(file.sql);
  } catch (error) {
    if (!(error instanceof Database.SqliteError)) throw error;
    return [];
  } finally {
    db.close();
  }
  const speaker = speakerFor(columns, Object.keys(file.tables));
  return [saySelect(speaker, readSelect(file.sql, columns), recordsTerm(speaker), null)];
}

describe.skipIf(root === undefined)("the real files", () => {
  it("drops every US file for a reason, and those that are left for their missing database", () => {
    const built = buildTaco(root ?? "");
    expect(reasons(built.funnel)).toEqual({
      compound_select: 4,
      markdown: 3,
      no_table: 3,
      placeholder: 26,
      quoted_qualified_name: 6,
      several_tables: 119,
      source_missing: 22,
      subquery: 5,
      unparsable: 12,
    });
    expect(built.funnel).toMatchObject({
      rows: 200,
      records: 0,
      missing: { "us/Vermont Center for... - 96": 22 },
    });

    // The statements wait for their database only: on empty tables of the columns that upstream lists, most are prepared by
    // SQLite, and each of those has its sentence.
    const sentences = built.dropped
      .filter(({ reason }) => reason === "source_missing")
      .flatMap(({ key }) => sentenceOf(key));
    expect(sentences.length).toBeGreaterThanOrEqual(15);
    expect(sentences).toContain('Show the X and Y for the records where the system status is "Operational".');
    built.remove();
  });

  it("makes records of Beijing's part where it is asked for", () => {
    const built = buildTaco(root ?? "", "--all-regions");
    expect(built.funnel).toMatchObject({ rows: 203, records: 2, databases: 1, ambiguities: 2 });
    expect(built.records.map(({ public: agent }) => agent.request)).toEqual([
      "Show the HID and HNAME for the records.",
      'Show the "名称" and "地址" for the records.',
    ]);
    built.remove();
  });
});
