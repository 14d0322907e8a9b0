import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import Database from "better-sqlite3";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { estimateTokens, schemaText } from "../../pipelines/record/schema-text.js";
import { schemaOf } from "../../pipelines/record/sqlite-schema.js";
import type { SchemaTable } from "../../pipelines/record/views.js";
import { agentView } from "../../pipelines/record/views.js";

const boats: SchemaTable = {
  name: "boats",
  columns: [
    { name: "boat_id", type: "INTEGER", key: true },
    { name: "hull length", type: "REAL", key: false },
    { name: "home", type: "", key: false },
  ],
  foreign_keys: [{ columns: ["home"], table: "ports", to: ["name"] }],
  examples: { boat_id: ["1", "2", "3"], "hull length": ["9.5", "12"], home: ['Kiel "old"'] },
};
const meanings = {
  "Boats.Hull Length": "metres,\n  bow to stern",
  "boats.colour": "a column that is not there",
};

describe("a schema as text", () => {
  it("holds tables, columns, types, keys, meanings and examples, and what is described but not there", () => {
    expect(schemaText([boats], { columnMeanings: meanings })).toEqual({
      text: `table "boats"
  "boat_id" INTEGER KEY  -- e.g. "1", "2", "3"
  "hull length" REAL  -- metres, bow to stern; e.g. "9.5", "12"
  "home"  -- e.g. "Kiel \\"old\\""
  (home) refers to ports(name)
column meanings
  boats.colour: a column that is not there`,
      cut: "",
    });
  });

  it("is empty for a database without tables", () => {
    expect(schemaText([])).toEqual({ text: "", cut: "" });
  });

  it("gives up examples, then long meanings, then meanings, never a name, and says what", () => {
    const long = { "boats.home": "the port. ".repeat(60) };
    const all = estimateTokens(schemaText([boats], { columnMeanings: long }).text);
    const cuts = new Map<string, string>();
    for (let budget = all; budget > 0; budget -= 1) {
      const { text, cut } = schemaText([boats], { columnMeanings: long, budget });
      cuts.set(cut, text);
      for (const name of ["boat_id", "hull length", "home", "INTEGER KEY", "refers to ports(name)"])
        expect(text).toContain(name);
    }
    expect([...cuts.keys()]).toEqual([
      "",
      "all examples but one a column",
      "the examples",
      "the examples, and what is long in the column meanings",
      "the examples and the column meanings",
    ]);
    for (const [cut, text] of cuts) if (cut !== "") expect(text).toContain(`(left out to save room: ${cut})`);
    expect(cuts.get("the examples and the column meanings")).not.toMatch(/e\.g\.|port\./);
  });

  const tables = fc.array(
    fc.uniqueArray(fc.string({ minLength: 1 }), { minLength: 1, maxLength: 5 }).chain((names) =>
      fc.record({
        name: fc.string({ minLength: 1 }),
        columns: fc.constant(names.map((name) => ({ name, type: "TEXT", key: false }))),
        foreign_keys: fc.constant([]),
        examples: fc.dictionary(fc.constantFrom(...names), fc.array(fc.string(), { maxLength: 3 })),
      }),
    ),
    { maxLength: 4 },
  );

  it("fits its budget wherever less detail can make it fit, and with more room says no less", () => {
    fc.assert(
      fc.property(tables, fc.integer({ min: 1, max: 400 }), (schema, budget) => {
        const whole = schemaText(schema);
        const cut = schemaText(schema, { budget });
        const names = schemaText(schema, { budget: 1 });
        if (estimateTokens(whole.text) <= budget) expect(cut).toEqual(whole);
        else expect(cut.cut).not.toBe("");
        const room = estimateTokens(names.text.split("\n(left out")[0]!);
        if (room <= budget)
          expect(estimateTokens(cut.text.split("\n(left out")[0]!)).toBeLessThanOrEqual(budget);
        expect(schemaText(schema, { budget })).toEqual(cut);
      }),
    );
  });

  it("shows columns that are called as every object's properties are", () => {
    const folder = mkdtempSync(join(tmpdir(), "ambitab-names-"));
    try {
      const path = join(folder, "odd.sqlite");
      const database = new Database(path);
      database.exec(`CREATE TABLE toString(constructor TEXT, "__proto__" TEXT, plain TEXT)`);
      database.exec("INSERT INTO toString VALUES ('built', 'kept', 'plain')");
      database.close();
      const view = agentView(
        { public: { request: "?", database: { engine: "sqlite", database_id: "odd", path: "odd.sqlite" } } },
        "task",
        schemaOf(path),
      );
      const { text } = schemaText(view.schema);
      for (const value of ["built", "kept", "plain"]) expect(text).toContain(`e.g. "${value}"`);
      // One that has no examples has none of the object's own either.
      const bare = [
        {
          name: "t",
          columns: [{ name: "constructor", type: "", key: false }],
          foreign_keys: [],
          examples: {},
        },
      ];
      expect(schemaText(bare).text).not.toContain("e.g.");
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });
});
