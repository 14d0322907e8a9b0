import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import iconv from "iconv-lite";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { SourceError } from "../../../pipelines/errors.js";
import { compareExecutions, type Execution, renderCell } from "../../../pipelines/sql/index.js";
import {
  type DumpFile,
  differences,
  judgeTask,
  type LoadedTemplate,
  openPostgres,
  type PostgresServer,
  type PostgresTask,
} from "../../../pipelines/sql/postgres/index.js";
import { temporaryFolder } from "../made-database.js";

const folder = temporaryFolder();
let server: PostgresServer;
beforeAll(async () => {
  server = await openPostgres({ width: 3 });
});
afterAll(async () => {
  await server.close();
  folder.remove();
});

let dumps = 0;
/** Files of a dump, by name, on disk. */
function dumped(files: Record<string, string | Buffer>): DumpFile[] {
  dumps += 1;
  return Object.entries(files).map(([name, content]) => {
    const path = join(folder.path, `${dumps}-${name}`);
    writeFileSync(path, content);
    return { path, name };
  });
}
const load = (files: Record<string, string | Buffer>) => server.loadTemplate("test", dumped(files));

async function problemOf(files: Record<string, string | Buffer>): Promise<string> {
  const error = await load(files).then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  expect(error).toBeInstanceOf(SourceError);
  return (error as SourceError).message;
}

const HEAD = `\\restrict 8yKxq
SET statement_timeout = 0;
SET client_encoding = 'UTF8';
SET standard_conforming_strings = on;
SELECT pg_catalog.set_config('search_path', '', false);
SET default_table_access_method = heap;
`;
const CITY = `${HEAD}
CREATE TABLE public.city (id integer NOT NULL, name character(12), country integer, founded date);
ALTER TABLE public.city OWNER TO root;
COPY public.city (id, name, country, founded) FROM stdin;
1\tBonn\t1\t1243-01-01
2\tUlm; 'x'\t1\t\\N
3\t.tab\\there\t2\t0854-07-22
\\.
ALTER TABLE ONLY public.city ADD CONSTRAINT city_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.city ADD CONSTRAINT city_country FOREIGN KEY (country) REFERENCES public.country(id);
GRANT ALL ON TABLE public.city TO reader;
\\unrestrict 8yKxq
`;
const COUNTRY = `${HEAD}
CREATE TABLE public.country (id integer NOT NULL, name text, area numeric(10,2));
INSERT INTO public.country VALUES (1, 'Germany; "it''s"', 357022.00);
INSERT INTO public.country VALUES (2, E'A\\'b', NULL), (3, 'Côte d’Ivoire 🐘', 0.10);
ALTER TABLE ONLY public.country ADD CONSTRAINT country_pkey PRIMARY KEY (id);
`;

describe("loading a dump", () => {
  it("takes files in any order, COPY and INSERT, and counts what is there", async () => {
    const loaded = await load({ "city.sql": CITY, "country.sql": COUNTRY });
    expect(loaded.tables).toEqual([
      { name: "city", rows: 3 },
      { name: "country", rows: 3 },
    ]);
    expect(loaded.left_out).toMatchObject([
      { file: "city.sql", line: 3, what: "encoding" },
      { file: "city.sql", what: "owner" },
      { file: "city.sql", what: "privileges" },
      { file: "country.sql", what: "encoding" },
    ]);
    const { template } = loaded;
    const execution = await server.run({
      template,
      statements: [
        "SELECT trim(name) FROM city WHERE founded IS NULL OR id = 3 UNION ALL SELECT name FROM country ORDER BY 1",
      ],
    });
    expect(execution).toMatchObject({
      rows: [["t.tab\there"], ["tA'b"], ["tCôte d’Ivoire 🐘"], ['tGermany; "it\'s"'], ["tUlm; 'x'"]],
    });
    expect(server.describe(template).tables).toMatchObject([
      {
        name: "city",
        columns: [
          { name: "id", type: "integer", not_null: true, primary_key: 1 },
          { type: "character(12)" },
          {},
          {},
        ],
        foreign_keys: [{ columns: ["country"], table: "country", references: ["id"] }],
      },
      { name: "country", columns: [{}, {}, { name: "area", type: "numeric(10,2)" }] },
    ]);
  });

  it("finds a dump again by its bytes, and reads gzip", async () => {
    const plain = await load({ "a.sql": COUNTRY });
    expect((await load({ "b.sql": COUNTRY })).template).toBe(plain.template);
    const zipped = await load({ "a.sql.gz": gzipSync(COUNTRY) });
    expect(zipped.tables).toEqual(plain.tables);
    expect(zipped.template).not.toBe(plain.template);
  });

  it("reads a dump in the encoding that it declares", async () => {
    const text = `SET client_encoding = 'WIN1252';\nCREATE TABLE t (a text); INSERT INTO t VALUES ('Müller – €');`;
    const { template } = await load({ "t.sql": iconv.encode(text, "windows-1252") });
    expect(await server.run({ template, statements: ["SELECT a FROM t"] })).toMatchObject({
      rows: [["tMüller – €"]],
    });
  });

  it.each<[string, Record<string, string | Buffer>, RegExp]>([
    [
      "a mistake in SQL, at its own line",
      { "a.sql": "CREATE TABLE t (a int);\n\nINSERT INTO t\n  VALUES (1, oops);\n" },
      /^a\.sql, line 4: .*oops/,
    ],
    ["a garbled first line", { "a.sql": `garbage here\n${COUNTRY}` }, /^a\.sql, line 1: syntax error/],
    [
      "a row of a COPY",
      { "a.sql": "CREATE TABLE t (a int, b text);\nCOPY t FROM stdin;\n1\tx\nq\ty\n\\.\n" },
      /^a\.sql, line 4: invalid input syntax for type integer/,
    ],
    [
      "a row of a COPY with too few columns",
      { "a.sql": "CREATE TABLE t (a int, b int);\nCOPY t FROM stdin;\n1\t2\n3\n\\.\n" },
      /^a\.sql, line 4: missing data/,
    ],
    [
      "a file that is cut off",
      { "a.sql": "CREATE TABLE t (a int);\nCOPY t FROM stdin;\n1\n2" },
      /^a\.sql, line 2: .*cut off/,
    ],
    [
      "a string that never ends",
      { "a.sql": "CREATE TABLE t (a int);\nINSERT INTO t VALUES ('x);\n" },
      /^a\.sql, line 2: .*never ends/,
    ],
    [
      "a table that no file makes",
      { "a.sql": CITY },
      /^a\.sql, line \d+: relation "public\.country" does not exist/,
    ],
    [
      "a key that the rows break",
      {
        "city.sql": CITY,
        "country.sql": COUNTRY.replace(
          "INSERT INTO public.country VALUES (1",
          "INSERT INTO public.country VALUES (9",
        ),
      },
      /^city\.sql, line \d+: insert or update on table "city" violates/,
    ],
    [
      "rows that a trigger swallows",
      {
        "a.sql":
          "CREATE TABLE t (a int); CREATE FUNCTION f() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RETURN NULL; END'; CREATE TRIGGER x AFTER INSERT ON t EXECUTE FUNCTION f(); CREATE RULE r AS ON INSERT TO t DO ALSO UPDATE t SET a = 1; INSERT INTO t VALUES (1), (2); CREATE TABLE u (a int); INSERT INTO u VALUES (1); CREATE FUNCTION g() RETURNS int LANGUAGE plpgsql AS 'BEGIN DELETE FROM u; RETURN 1; END'; SELECT g();",
      },
      /^a\.sql: table u was given 1 rows and holds 0/,
    ],
    ["an empty file", { "a.sql": "-- nothing\n" }, /^a\.sql, line 1: .*no SQL statement/],
    ["a dump without tables", { "a.sql": "SELECT 1;" }, /^a\.sql: the dump makes no table/],
    [
      "bytes that are no UTF-8",
      { "a.sql": Buffer.from("SELECT 1;\nSELECT '\xff';", "latin1") },
      /^a\.sql, line 2: bytes that are not UTF-8/,
    ],
    ["a damaged gzip", { "a.sql.gz": Buffer.from([0x1f, 0x8b, 8, 0, 1, 2]) }, /^a\.sql\.gz: damaged gzip/],
    ["pg_dump's own format", { "a.dump": Buffer.from("PGDMP\x01\x0e") }, /^a\.dump: .*custom format/],
    [
      "a file that a psql would read",
      { "a.sql": "\\i /etc/passwd\nSELECT 1;" },
      /^a\.sql, line 1: a psql command that is not understood/,
    ],
    [
      "SQL that wants the server's files",
      { "a.sql": "CREATE TABLE t (a text);\nCOPY t FROM '/etc/passwd';" },
      /^a\.sql, line 2: .*privileges/,
    ],
  ])("names file and line of %s", async (_what, files, message) => {
    expect(await problemOf(files)).toMatch(message);
  });
});

describe("a task", () => {
  let loaded: LoadedTemplate;
  beforeAll(async () => {
    loaded = await load({
      "t.sql": `CREATE TABLE t (id serial PRIMARY KEY, name char(4), paid numeric(6,2)); INSERT INTO t (name, paid) VALUES ('a', 1.50), ('b', 2.25);
        CREATE TYPE mood AS ENUM ('sad', 'glad'); CREATE VIEW v AS SELECT name FROM t;`,
    });
  });
  const run = (statements: string | string[], more: object = {}) =>
    server.run({ template: loaded.template, statements: [statements].flat(), ...more });
  const rowsOf = (execution: Execution) =>
    execution.outcome === "rows" ? execution.rows : expect.fail(JSON.stringify(execution));

  it("gives every type as the server writes it", async () => {
    const values: [sql: string, cell: string | null][] = [
      ["NULL", null],
      ["9223372036854775807::int8", "i9223372036854775807"],
      ["1::int2", "i1"],
      ["1.10::numeric", "n1.10"],
      ["'NaN'::numeric", "nNaN"],
      ["123456789012345678901234567890.123456789::numeric", "n123456789012345678901234567890.123456789"],
      ["0.1::float8 + 0.2::float8", "r0.30000000000000004"],
      ["0.1::float4", "r0.1"],
      ["'-0'::float8", "r-0"],
      ["'-Infinity'::float8", "r-Infinity"],
      ["true", "o1"],
      ["'a'::char(3)", "ta  "],
      ["'x'::varchar", "tx"],
      ["date '1975-05-11'", "d1975-05-11"],
      ["timestamp '2020-02-29 12:00:00.123456'", "s2020-02-29 12:00:00.123456"],
      ["timestamptz '2020-02-29 23:30:00-05'", "z2020-03-01 04:30:00+00"],
      ["date '0044-03-15 BC'", "d0044-03-15 BC"],
      ["interval '1 mon 2 days 03:04:05'", "v1 mon 2 days 03:04:05"],
      ["'\\x00ff'::bytea", "b00ff"],
      [`'{"b": 1, "a": [1.0, null]}'::jsonb`, 'j{"a": [1.0, null], "b": 1}'],
      [`'{"b":1}'::json`, 'j{"b":1}'],
      ["ARRAY[1, NULL]", 'a["i1",null]'],
      ["ARRAY[['a', 'b,\"']]", 'a["a[\\"ta\\",\\"tb,\\\\\\"\\"]"]'],
      ["ARRAY[1.50, 2]::numeric[]", 'a["n1.50","n2"]'],
      ["ARRAY['glad']::mood[]", 'a["tglad"]'],
      ["'sad'::mood", "tsad"],
      ["ROW(1, 'x')", "t(1,x)"],
      ["time '10:00'", "t10:00:00"],
      ["'00000000-0000-0000-0000-000000000001'::uuid", "t00000000-0000-0000-0000-000000000001"],
      ["int4range(1, 5)", "t[1,5)"],
      ["repeat('ä', 2)", "tää"],
    ];
    const execution = await run(`SELECT ${values.map(([sql]) => sql).join(", ")}`);
    const [row = []] = rowsOf(execution);
    expect(values.map(([sql], at) => [sql, row[at]])).toEqual(values);
    for (const cell of row) expect(renderCell(cell)).toBeTypeOf("string");
  });

  it("keeps duplicate column names, and rows without columns", async () => {
    expect(await run("SELECT 1 AS a, 2 AS a")).toMatchObject({ columns: ["a", "a"], rows: [["i1", "i2"]] });
    expect(await run("SELECT FROM t")).toMatchObject({ columns: [], rows: [[], []] });
  });

  it("leaves nothing behind, whichever way it ran", async () => {
    expect(await run("UPDATE t SET paid = 0")).toMatchObject({ outcome: "rows", columns: [], rows: [] });
    expect(await run("INSERT INTO t (name) VALUES ('c') RETURNING id")).toMatchObject({ rows: [["i3"]] });
    expect(await run("INSERT INTO t (name) VALUES ('c') RETURNING id")).toMatchObject({ rows: [["i3"]] });
    expect(await run("SELECT sum(paid) FROM t")).toMatchObject({ rows: [["n3.75"]] });
  });

  it("runs a list in one session up to its first error, and the last one counts", async () => {
    const list = ["CREATE TEMP TABLE x AS SELECT 1 AS a", "INSERT INTO x VALUES (2); SELECT a FROM x"];
    expect(await run(list)).toMatchObject({ rows: [["i1"], ["i2"]] });
    expect(await run([...list, "SELECT oops"])).toMatchObject({
      outcome: "error",
      message: /oops.*42703/ as unknown,
    });
    expect(await run(["SELECT oops", "SELECT 1"])).toMatchObject({ outcome: "error" });
    expect(await run([])).toMatchObject({ outcome: "refused", reason: "empty" });
    expect(await run(" -- nothing\n")).toMatchObject({ outcome: "refused", reason: "empty" });
    expect(await run("SELECT '\0'")).toMatchObject({ outcome: "refused", reason: "nul_character" });
  });

  it("runs what prepares it and cleans up after it, whose errors are ignored", async () => {
    const around = {
      setup: ["oops", "CREATE TABLE made AS SELECT 7 AS a"],
      cleanup: ["DROP TABLE made", "oops"],
    };
    expect(await run("SELECT a FROM made", around)).toMatchObject({ rows: [["i7"]] });
    expect(await run("SELECT a FROM made")).toMatchObject({ outcome: "error" });
  });

  it("undoes a failed string as a whole, and finds what is wrong only at the end", async () => {
    await server.withDatabase(loaded.template, "clone", async (session) => {
      expect(await session.exec("DELETE FROM t; SELECT 1 / 0")).toMatchObject({ outcome: "error" });
      expect(await session.exec("SELECT count(*) FROM t")).toMatchObject({ rows: [["i2"]] });
      const late =
        "CREATE TABLE d (a int UNIQUE DEFERRABLE INITIALLY DEFERRED); INSERT INTO d VALUES (1), (1)";
      expect(await session.exec(late)).toMatchObject({ outcome: "error" });
      expect(await session.exec("SELECT * FROM d")).toMatchObject({ outcome: "error" });
    });
  });

  it("is held to its limits of rows and bytes, and may take the first rows only", async () => {
    const many = "SELECT g FROM generate_series(1, 1000) g";
    expect(await run(many, { limits: { maxRows: 999 } })).toMatchObject({
      outcome: "too_large",
      what: "rows",
    });
    expect(await run(many, { limits: { maxRows: 1000 } })).toMatchObject({
      outcome: "rows",
      row_count: 1000,
    });
    expect(await run(many, { limits: { maxBytes: 3892 } })).toMatchObject({
      outcome: "too_large",
      what: "bytes",
    });
    expect(await run(many, { limits: { maxBytes: 3893 } })).toMatchObject({ outcome: "rows" });
    expect(await run(many, { take: 10 })).toMatchObject({ outcome: "rows", row_count: 10 });
    expect(await run("SELECT 1")).toMatchObject({ rows: [["i1"]] });
  });

  it("goes on after the end of its session, on a new one", async () => {
    let tries = 0;
    const outcome = await server.withDatabase(loaded.template, "clone", async (session) => {
      tries += 1;
      const sql = tries < 3 ? "SELECT pg_terminate_backend(pg_backend_pid())" : "SELECT 'there'";
      return session.exec(sql);
    });
    expect(outcome).toMatchObject({ rows: [["tthere"]] });
    expect(tries).toBe(3);
  });

  it("tells states apart by rows and definitions, and equal ones are equal", async () => {
    const stateAfter = (...statements: string[]) =>
      server.withDatabase(loaded.template, "clone", async (session) => {
        for (const sql of statements) expect(await session.exec(sql)).toMatchObject({ outcome: "rows" });
        return session.state();
      });
    const start = await stateAfter();
    const changes: Record<string, string> = {
      "rows of public.t": "UPDATE t SET paid = 9 WHERE id = 1",
      "view public.v": "DROP VIEW v; CREATE VIEW v AS SELECT id FROM t",
      "routine public.f(integer)": "CREATE FUNCTION f(a int) RETURNS int LANGUAGE sql AS 'SELECT a'",
      "index public.i": "CREATE INDEX i ON t (name)",
      "type public.mood": "ALTER TYPE mood ADD VALUE 'calm'",
      "sequence public.t_id_seq": "SELECT nextval('t_id_seq')",
      "constraint positive on public.t": "ALTER TABLE t ADD CONSTRAINT positive CHECK (paid > 0)",
    };
    const changed = await stateAfter(...Object.values(changes));
    const found = differences(changed, start);
    for (const name of Object.keys(changes)) expect(found).toContain(name);
    expect(differences(await stateAfter(...Object.values(changes)), changed)).toEqual([]);
    // In another order, and by other statements, to the same end.
    const one = await stateAfter("DELETE FROM t", "INSERT INTO t VALUES (1, 'x', 1), (2, 'y', 2)");
    const other = await stateAfter(
      "TRUNCATE t",
      "INSERT INTO t VALUES (2, 'y', 2)",
      "INSERT INTO t VALUES (1, 'x', 1)",
    );
    expect(differences(one, other)).toEqual([]);
  });

  const task = (more: Partial<PostgresTask>): PostgresTask => ({
    template: loaded.template,
    category: "query",
    reference: ["SELECT name, round(paid, 1) FROM t"],
    setup: [],
    cleanup: [],
    comparison: { policy: "bird_interact", ordered: false },
    ...more,
  });

  it("is judged by its results", async () => {
    const verdict = async (prediction: string, more: Partial<PostgresTask> = {}) =>
      (await judgeTask(server, task(more), [prediction])).verdict;
    expect(await verdict("SELECT DISTINCT name, paid FROM t ORDER BY 2 DESC -- as asked")).toBe("match");
    expect(await verdict("SELECT name, paid + 1 FROM t")).toBe("mismatch");
    expect(await verdict("SELECT oops")).toBe("prediction_error");
    expect(await verdict("SELECT 1", { reference: ["SELECT oops"] })).toBe("gold_error");
    // Nothing the prediction does reaches the reference.
    expect(await verdict("DELETE FROM t; SELECT 1")).toBe("mismatch");
    expect(
      await verdict("SELECT 1.0", {
        reference: ["SELECT 1"],
        comparison: { policy: "strict", ordered: false },
      }),
    ).toBe("match");
  });

  it("is judged by the state it leaves, where it is a Management task", async () => {
    const verdict = (reference: string, prediction: string) =>
      judgeTask(server, task({ category: "management", reference: [reference] }), [prediction]);
    expect(
      await verdict("UPDATE t SET paid = 3 WHERE id = 1", "UPDATE t SET paid = 3.00 WHERE name = 'a'"),
    ).toMatchObject({ verdict: "match" });
    expect(await verdict("UPDATE t SET paid = 3 WHERE id = 1", "UPDATE t SET paid = 3")).toMatchObject({
      verdict: "mismatch",
      detail: "the database differs in rows of public.t",
    });
    expect(await verdict("UPDATE t SET paid = 3", "SELECT 1")).toMatchObject({ verdict: "mismatch" });
    expect(await verdict("UPDATE t SET paid = 3", "UPDATE oops SET x = 1")).toMatchObject({
      verdict: "prediction_error",
    });
    expect(await verdict("SELECT 1", "SELECT 2")).toMatchObject({
      verdict: "mismatch",
      flags: ["state_compared", "state_unchanged"],
    });
    expect(await verdict("SELECT 1", "SELECT 1")).toMatchObject({ verdict: "match" });
  });

  it("gives results that policies compare as they compare SQLite's", async () => {
    const [padded, plain] = [await run("SELECT name FROM t"), await run("SELECT trim(name) FROM t")];
    expect(compareExecutions("strict", false, padded, plain).verdict).toBe("mismatch");
  });
});
