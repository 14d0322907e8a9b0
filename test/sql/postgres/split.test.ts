import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type Cell, encodeCell } from "../../../pipelines/sql/cell.js";
import { parseArray } from "../../../pipelines/sql/postgres/array-text.js";
import { countStatements, lineOf, splitScript } from "../../../pipelines/sql/postgres/dump/split.js";

const texts = (script: string) => [...splitScript(script)].map(({ kind, text }) => `${kind} ${text}`);

describe("splitting a script", () => {
  it.each<[string, string[]]>([
    ["SELECT 1; SELECT 2", ["statement SELECT 1", "statement SELECT 2"]],
    [" ;; -- nothing\n/* nor here */ ;", []],
    ["SELECT ';' || \";\" ; SELECT 2", ["statement SELECT ';' || \";\" ", "statement SELECT 2"]],
    ["SELECT 'it''s; so';x", ["statement SELECT 'it''s; so'", "statement x"]],
    ["SELECT 'a\\';x", ["statement SELECT 'a\\'", "statement x"]],
    ["SELECT E'a\\';x';y", ["statement SELECT E'a\\';x'", "statement y"]],
    ["SELECT nameE'a\\';y", ["statement SELECT nameE'a\\'", "statement y"]],
    ["SELECT $$a;b$$;x", ["statement SELECT $$a;b$$", "statement x"]],
    ["SELECT $q$a;$$;b$q$;x", ["statement SELECT $q$a;$$;b$q$", "statement x"]],
    ["SELECT a$1;x", ["statement SELECT a$1", "statement x"]],
    ["SELECT $1;x", ["statement SELECT $1", "statement x"]],
    ["/* a /* b; */ c; */ SELECT 1;", ["statement SELECT 1"]],
    ["SELECT 1 -- a; b\n;x", ["statement SELECT 1 -- a; b\n", "statement x"]],
    [
      "CREATE RULE r AS ON INSERT TO t DO (SELECT 1; SELECT 2);x",
      ["statement CREATE RULE r AS ON INSERT TO t DO (SELECT 1; SELECT 2)", "statement x"],
    ],
    [
      "CREATE FUNCTION f() RETURNS int BEGIN ATOMIC SELECT CASE WHEN true THEN 1 END; SELECT 2; END;x",
      [
        "statement CREATE FUNCTION f() RETURNS int BEGIN ATOMIC SELECT CASE WHEN true THEN 1 END; SELECT 2; END",
        "statement x",
      ],
    ],
    [
      "\\restrict abc\nSELECT 1;\n\\unrestrict abc\n",
      ["meta \\restrict abc", "statement SELECT 1", "meta \\unrestrict abc"],
    ],
    ["\ufeffSELECT 1;", ["statement SELECT 1"]],
    ["SELECT 'never", ["unterminated SELECT 'never"]],
    ["SELECT 1; /* never", ["statement SELECT 1", "unterminated /* never"]],
    [
      "SET standard_conforming_strings = off; SELECT 'a\\';b';x",
      ["statement SET standard_conforming_strings = off", "statement SELECT 'a\\';b'", "statement x"],
    ],
  ])("%j", (script, parts) => {
    expect(texts(script)).toEqual(parts);
  });

  it("takes the lines of a COPY, up to the line that ends them", () => {
    const script = "COPY public.t (a, b) FROM stdin;\n1\t\\.x\n2\t;'\n\\.\n\nSELECT 1;";
    const [copy, after] = [...splitScript(script)];
    expect(copy).toMatchObject({ kind: "copy", data: "1\t\\.x\n2\t;'\n", ended: true });
    expect(after).toMatchObject({ kind: "statement", text: "SELECT 1" });
    expect(lineOf(script, after?.offset ?? 0)).toBe(6);
  });

  it("knows a COPY without rows, one that is cut off, and one with carriage returns", () => {
    expect([...splitScript("COPY t FROM stdin;\n\\.\n")]).toMatchObject([{ data: "", ended: true }]);
    expect([...splitScript("COPY t FROM stdin;\n1\n2")]).toMatchObject([{ data: "1\n2", ended: false }]);
    expect([...splitScript("COPY t FROM stdin;\r\n1\r\n\\.\r\nx;")]).toMatchObject([
      { data: "1\r\n", ended: true },
      { text: "x" },
    ]);
  });

  it("finds as many statements as were joined, whatever they hold", () => {
    const piece = fc.oneof(
      fc.string().map((text) => `'${text.replaceAll("\0", "").replaceAll("'", "''")}'`),
      fc.string().map((text) => `"${text.replaceAll('"', '""')}x"`),
      fc.string().map((text) => `$q$${text.replaceAll("$", "")}$q$`),
      fc.string().map((text) => `/*${text.replace(/[*/]/g, "")}*/ 1`),
      fc.string().map((text) => `-- ${text.replace(/\n/g, "")}\n 2`),
      fc.constantFrom("a", "1", "(x; y)", "E'\\';'", "$1", "a$b$c"),
    );
    const statement = fc
      .array(piece, { minLength: 1, maxLength: 4 })
      .map((pieces) => `SELECT ${pieces.join(" , ")}`);
    fc.assert(
      fc.property(fc.array(statement, { maxLength: 5 }), (statements) => {
        expect(countStatements(statements.map((one) => `${one} ;\n`).join(""))).toBe(statements.length);
      }),
    );
  });
});

describe("arrays as text", () => {
  const element = (text: string): Cell => `t${text}`;

  it.each<[string, Cell[]]>([
    ["{}", []],
    ['{a,NULL,"NULL"}', ["ta", null, "tNULL"]],
    ['{"a \\"b\\" \\\\c",""}', ['ta "b" \\c', "t"]],
    ["{{1,2},{3,4}}", ['a["t1","t2"]', 'a["t3","t4"]']],
    ["[0:1]={1,2}", ["t1", "t2"]],
  ])("%s", (text, cells) => {
    expect(parseArray(text, element, ",")).toEqual(cells);
  });

  it("are read back as they were written", () => {
    const write = (values: (string | null)[]) =>
      `{${values.map((value) => (value === null ? "NULL" : `"${value.replace(/["\\]/g, "\\$&")}"`)).join(",")}}`;
    fc.assert(
      fc.property(fc.array(fc.option(fc.string())), (values) => {
        const cells = values.map((value) => (value === null ? null : encodeCell({ kind: "text", value })));
        expect(parseArray(write(values), element, ",")).toEqual(cells);
      }),
    );
  });

  it("that are cut off are no arrays", () => {
    for (const text of ["", "{", '{"a', "{a", "x"]) {
      expect(() => parseArray(text, element, ",")).toThrow(SyntaxError);
    }
  });
});
