import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import type { DroppedRow } from "../../schemas/types/dropped.js";
import type { TaskRecord } from "../../schemas/types/record.js";
import { jsonLines, temporary } from "../engine/toy.js";
import { ambitabHere, buildArgs, SAMPLE } from "./command.js";

const folder = temporary();
afterAll(() => folder.remove());
let copies = 0;

type Row = Record<string, unknown> & { extra_map: Record<string, Record<string, string[]>> };
const VALIDATION = join("benchmark", "col-synonyms", "validation.json");
const DATABASES = join("spider", "database");

/** A copy of the sample that the test may spoil. */
function copy(): string {
  copies += 1;
  const path = join(folder.path, `source ${copies}`);
  cpSync(SAMPLE, path, { recursive: true });
  for (const entry of readdirSync(path, { recursive: true, withFileTypes: true }))
    if (entry.isFile()) chmodSync(join(entry.parentPath, entry.name), 0o644);
  return path;
}

/** A copy with the first rows only, changed. */
function copyWithRows(change: (rows: Row[]) => unknown): string {
  const path = copy();
  const rows = (JSON.parse(readFileSync(join(path, VALIDATION), "utf8")) as Row[]).slice(0, 22);
  const changed = change(rows) ?? rows;
  writeFileSync(join(path, VALIDATION), typeof changed === "string" ? changed : JSON.stringify(changed));
  return path;
}

async function build(source: string, ...more: string[]) {
  const out = `${source} out`;
  const outcome = await ambitabHere(buildArgs(out, source, "--quiet", ...more));
  return { ...outcome, out, built: join(out, "build", "ambiqt") };
}

/** One clear error: exit code 2, nothing on stdout, no stack, nothing built. */
async function expectRefusal(source: string, said: RegExp, ...more: string[]): Promise<string> {
  const { code, stdout, stderr, built } = await build(source, ...more);
  expect([code, stdout], stderr).toEqual([2, ""]);
  expect(stderr).toMatch(/^error: /);
  expect(stderr).toMatch(said);
  expect(stderr).not.toMatch(/bug of ambitab|\n\s+at /);
  expect(existsSync(built)).toBe(false);
  return stderr;
}

/** With --keep-going the rest is built, and the bad rows stand in the drops. */
async function expectDrops(source: string, rows: number[], said: RegExp): Promise<TaskRecord[]> {
  const { code, stderr, built } = await build(source, "--keep-going");
  expect(code, stderr).toBe(0);
  const dropped = jsonLines<DroppedRow>(join(built, "dropped.jsonl")).filter(
    ({ reason }) => reason === "bad_row",
  );
  expect(dropped.map(({ row }) => row)).toEqual(rows);
  for (const { detail, stage } of dropped) {
    expect(stage).toBe("read");
    expect(detail).toMatch(said);
  }
  const records = jsonLines<TaskRecord>(join(built, "records.jsonl"));
  expect(records.length).toBeGreaterThan(0);
  expect(records.filter(({ provenance }) => rows.includes(provenance.row))).toEqual([]);
  return records;
}

const row = (rows: Row[], index: number): Row => rows[index] ?? { extra_map: {} };

describe("a file of the source that is not what it should be", () => {
  it("missing rows", async () => {
    const source = copy();
    rmSync(join(source, VALIDATION));
    await expectRefusal(source, /benchmark\/col-synonyms\/validation\.json/);
  });

  it("missing schemas", async () => {
    const source = copy();
    rmSync(join(source, "spider", "tables.json"));
    await expectRefusal(source, /spider\/tables\.json/);
  });

  it("truncated JSON, also with --keep-going", async () => {
    const source = copy();
    const path = join(source, VALIDATION);
    truncateSync(path, 5000);
    for (const more of [[], ["--keep-going"]]) {
      await expectRefusal(
        source,
        /validation\.json, (line \d+.*)?row \d+.*cut off|validation\.json.*the file ends/,
        ...more,
      );
    }
  });

  it("truncated schemas", async () => {
    const source = copy();
    truncateSync(join(source, "spider", "tables.json"), 500);
    await expectRefusal(source, /spider\/tables\.json.*(cut off|the file ends)/);
  });

  it("an object where the array should be, and no file at all but a folder", async () => {
    const object = copyWithRows(() => '{"rows": []}');
    await expectRefusal(object, /validation\.json.*expected a JSON array/);
    const source = copy();
    rmSync(join(source, VALIDATION));
    mkdirSync(join(source, VALIDATION));
    await expectRefusal(source, /validation\.json/);
  });
});

describe("rows that are not what they should be", () => {
  const without = (field: string) => (one: Row) => void Reflect.deleteProperty(one, field);
  const holding = (field: string, value: unknown) => (one: Row) => void Reflect.set(one, field, value);
  const faults: [what: string, field: string, change: (one: Row, before: Row) => void][] = [
    ["a row without its question", "question", without("question")],
    ["a row without its database", "db_id", without("db_id")],
    ["a row without its alternatives", "extra_map", without("extra_map")],
    ["a number for a query", "query1", holding("query1", 17)],
    ["an empty question", "question", holding("question", "  ")],
    ["a database id that climbs out", "db_id", holding("db_id", "../../etc")],
    ["an absolute database id", "db_id", holding("db_id", "/etc/passwd")],
    ["a database id with a NUL", "db_id", holding("db_id", "a\u0000b")],
    ["a negative index", "orig_example_idx", holding("orig_example_idx", -1)],
    ["the id of the row before", "extra_map", (one, before) => void Object.assign(one, before)],
  ];
  // Every bad row has a good one before it.
  const rowOf = (fault: number): number => 2 * fault + 1;

  it("are all named at once by file, row and field; with --keep-going they are dropped and the rest is built", async () => {
    const source = copyWithRows((rows) => {
      faults.forEach(([, , change], fault) => {
        change(row(rows, rowOf(fault)), row(rows, rowOf(fault) - 1));
      });
    });
    const message = await expectRefusal(source, new RegExp(`${faults.length} bad rows in source ambiqt`));
    faults.forEach(([what, field], fault) => {
      const said = new RegExp(
        `validation\\.json, line \\d+, row ${rowOf(fault)}, field "${field}": expected`,
      );
      expect(message, what).toMatch(said);
    });
    await expectDrops(
      source,
      faults.map((_, fault) => rowOf(fault)),
      /validation\.json, line \d+, row \d+, field "\w+": expected/,
    );
  });

  it("a database id that climbs out, alone: one error", async () => {
    const source = copyWithRows((rows) => holding("db_id", "../../etc")(row(rows, 2)));
    const message = await expectRefusal(source, /row 2, field "db_id": .*"\.\.\/\.\.\/etc"/);
    expect(message).toMatch(/1 bad row in source/);
  });

  it("a null and a text among the rows", async () => {
    const source = copyWithRows((rows) => [...rows.slice(0, 3), null, "text", ...rows.slice(3)]);
    await expectRefusal(
      source,
      /row 3: expected an object, found null[\s\S]*row 4: expected an object, found "text"/,
    );
    await expectDrops(source, [3, 4], /expected an object/);
  });
});

describe("a database that is none", () => {
  const spoil: [string, (path: string) => void, boolean][] = [
    ["text", (path) => writeFileSync(path, "this is no database"), true],
    ["an empty file", (path) => truncateSync(path, 0), true],
  ];
  for (const [what, change] of spoil) {
    it(`${what} in its place: named with the rows that need it`, async () => {
      const source = copyWithRows(() => undefined);
      const database = join(source, DATABASES, "corner_bookshop", "corner_bookshop.sqlite");
      change(database);
      const said =
        /row \d+, field "db_id": names the database corner_bookshop, but .*corner_bookshop\.sqlite is/;
      await expectRefusal(source, said);
    });
  }

  it("text in its place, with --keep-going: its rows stand in the drops and the others are built", async () => {
    const source = copy();
    writeFileSync(
      join(source, DATABASES, "corner_bookshop", "corner_bookshop.sqlite"),
      "this is no database",
    );
    const rows = JSON.parse(readFileSync(join(source, VALIDATION), "utf8")) as Row[];
    const its = rows.flatMap(({ db_id }, index) => (db_id === "corner_bookshop" ? [index] : []));
    await expectDrops(source, its, /corner_bookshop/);
  });

  const damaged: [string, (path: string) => void][] = [
    ["cut off", (path) => truncateSync(path, 8192)],
    [
      "overwritten inside",
      (path) => writeFileSync(path, Buffer.from(readFileSync(path)).fill(0x5a, 4096, 9000)),
    ],
  ];
  for (const [what, change] of damaged) {
    it(`${what}: its rows are source_missing, by name, with what SQLite says`, async () => {
      const source = copy();
      change(join(source, DATABASES, "corner_bookshop", "corner_bookshop.sqlite"));
      const { code, stderr, built } = await build(source);
      expect(code, stderr).toBe(0);
      const dropped = jsonLines<DroppedRow>(join(built, "dropped.jsonl")).filter(
        ({ subject }) => subject === "corner_bookshop",
      );
      expect(dropped.length).toBeGreaterThan(5);
      for (const one of dropped) {
        expect(one.reason).toBe("source_missing");
        expect(one.detail).toMatch(/corner_bookshop\.sqlite does not pass SQLite's integrity check: ./);
      }
    });
  }
});

describe("alternatives that are odd names", () => {
  const names = [
    "order",
    "select",
    "current_time",
    "e-mail",
    "home port",
    'quo"te',
    "apo'strophe",
    "Ünïcode",
    "表",
    "1st",
    "a.b",
    "x;--y",
  ];
  it("are built, and both readings run", async () => {
    const source = copyWithRows((rows) =>
      names.map((name, index) => {
        const { orig_query, ...rest } = row(rows, 0);
        return {
          ...rest,
          orig_query,
          orig_example_idx: 100 + index,
          query1: String(orig_query).replaceAll("price", name),
          query2: String(orig_query).replaceAll("price", `plain_${index}`),
          extra_map: { books: { price: [name, `plain_${index}`] } },
        };
      }),
    );
    const { code, stderr, built, out } = await build(source);
    expect(code, stderr).toBe(0);
    const dropped = jsonLines<DroppedRow>(join(built, "dropped.jsonl"));
    const records = jsonLines<TaskRecord>(join(built, "records.jsonl"));
    const kept = new Set(records.map(({ avt_id }) => Number(/(\d+)\.books/.exec(avt_id)?.[1]) - 100));
    const failed = names.filter((_, index) => !kept.has(index));
    // Names that hold what ends a token or a statement cannot be told from SQL in upstream's text; all others are built.
    expect(
      failed.filter((name) => !/['";]/.test(name)),
      JSON.stringify(dropped),
    ).toEqual([]);
    for (const { reason, detail } of dropped) {
      expect(reason).toBe("reading_fails");
      expect(detail).not.toBe("");
    }
    expect((await ambitabHere(["validate", out, "--quiet"])).code).toBe(0);
  });
});
