import Database from "better-sqlite3";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  NoSentence,
  namedWords,
  type Query,
  readSelect,
  recordsTerm,
  saySelect,
  speakerFor,
  writeSelect,
} from "../../../pipelines/datasets/taco/verbaliser/index.js";
import { quoteIdentifier } from "../../../pipelines/sql/index.js";
import { queries, schemas } from "./queries.js";

const RUNS = { numRuns: 120 };

/** A statement over a schema, with the sentence that it gets; undefined where it may have none. */
function sentence(query: Query, columns: readonly string[], tables: readonly string[]): string | undefined {
  try {
    const speaker = speakerFor(columns, tables);
    return saySelect(speaker, query, recordsTerm(speaker), null);
  } catch (error) {
    if (!(error instanceof NoSentence)) throw error;
    return undefined;
  }
}

/** What SQLite says against a statement; undefined where it prepares it. */
function refusal(sql: string, table: string, columns: readonly string[]): string | undefined {
  const db = new Database(":memory:");
  try {
    db.exec(`CREATE TABLE ${quoteIdentifier(table)} (${columns.map(quoteIdentifier).join(", ")})`);
    db.prepare(sql);
    return undefined;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  } finally {
    db.close();
  }
}

const cases = schemas.chain(({ columns, tables }) =>
  fc.record({ columns: fc.constant(columns), tables: fc.constant(tables), query: queries(columns) }),
);

describe("the verbaliser", () => {
  it("reads back what a query was written from, for whatever SQLite prepares", () => {
    let read = 0;
    fc.assert(
      fc.property(cases, ({ columns, tables, query }) => {
        const sql = writeSelect(query, tables[0] ?? "");
        if (refusal(sql, tables[0] ?? "", columns) !== undefined) return;
        read += 1;
        expect(readSelect(sql, columns)).toEqual(query);
      }),
      RUNS,
    );
    expect(read).toBeGreaterThan(RUNS.numRuns / 2);
  });

  it("has a sentence for what it reads, which holds no word of the table's name", () => {
    let said = 0;
    fc.assert(
      fc.property(cases, ({ columns, tables, query }) => {
        const text = sentence(query, columns, tables);
        if (text === undefined) return;
        said += 1;
        // Columns and literals may hold such a word; then the pipeline drops the statement. The verbaliser's own words never do.
        const own = new Set(
          columns
            .flatMap((column) => namedWords(column, tables[0] ?? ""))
            .concat(namedWords(JSON.stringify(query), tables[0] ?? "")),
        );
        expect(namedWords(text, tables[0] ?? "").filter((word) => !own.has(word))).toEqual([]);
      }),
      RUNS,
    );
    expect(said).toBeGreaterThan(RUNS.numRuns / 2);
  });

  it("writes one plain line: a capital, a full stop, whole quotation marks and parentheses", () => {
    fc.assert(
      fc.property(cases, ({ columns, tables, query }) => {
        const text = sentence(query, columns, tables);
        if (text === undefined) return;
        expect(text).toMatch(/^[A-Z][\s\S]*\.$/);
        expect(text).not.toMatch(/undefined|\bthe the\b|\(\)| {2}| ,|, ,|,,/);
        const unquoted = text.replace(/"(?:[^"]|"")*"/g, "q");
        expect(unquoted).not.toContain('"');
        let depth = 0;
        for (const letter of unquoted) {
          depth += letter === "(" ? 1 : letter === ")" ? -1 : 0;
          expect(depth).toBeGreaterThanOrEqual(0);
        }
        expect(depth).toBe(0);
      }),
      RUNS,
    );
  });

  it("says different queries differently", () => {
    const many = schemas.chain(({ columns, tables }) =>
      fc.record({
        columns: fc.constant(columns),
        tables: fc.constant(tables),
        list: fc.array(queries(columns.slice(0, 2)), { minLength: 20, maxLength: 40 }),
      }),
    );
    fc.assert(
      fc.property(many, ({ columns, tables, list }) => {
        const meant = new Map<string, string>();
        for (const query of list) {
          const text = sentence(query, columns, tables);
          if (text === undefined) continue;
          const earlier = meant.get(text);
          if (earlier !== undefined) expect(JSON.stringify(query), text).toBe(earlier);
          meant.set(text, JSON.stringify(query));
        }
      }),
      { numRuns: 25 },
    );
  });

  it("says the same whichever of the tables it was written for, and however it was laid out", () => {
    fc.assert(
      fc.property(cases, ({ columns, tables, query }) => {
        const [first = "", second = ""] = tables;
        const text = sentence(query, columns, tables);
        expect(sentence(query, columns, [...tables].reverse())).toBe(text);
        const sql = writeSelect(query, first);
        if (refusal(sql, first, columns) !== undefined) return;
        const laidOut = `${writeSelect(query, second).replace(/ FROM /, "\n  from ")} -- done\n;`;
        if (refusal(laidOut, second, columns) !== undefined) return;
        expect(sentence(readSelect(laidOut, columns), columns, tables)).toBe(text);
      }),
      RUNS,
    );
  });
});
