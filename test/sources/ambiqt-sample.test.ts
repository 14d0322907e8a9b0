import { execFileSync } from "node:child_process";
import { mkdirSync, readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import Database from "better-sqlite3";
import { describe, expect, it } from "vitest";
import { type AmbiqtRow, locateDatabase, readAmbiqt, readSpiderTables } from "../../sources/ambiqt/index.js";
import { sampleFolder } from "../../sources/index.js";
import { realData, temporaryFolder } from "./temporary.js";

const sample = sampleFolder("ambiqt");

const made = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !entry.name.endsWith(".mjs"))
    .map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1))
    .sort();

async function rowsOf(root: string): Promise<AmbiqtRow[]> {
  const rows: AmbiqtRow[] = [];
  for await (const item of (await readAmbiqt(root)).rows()) {
    if (item.kind === "error") throw item.error;
    rows.push(item.value);
  }
  return rows;
}

/** The single column that a row is about; undefined where it names several or none. */
function unitOf(row: AmbiqtRow) {
  const columns = Object.entries(row.extra_map).flatMap(([table, map]) =>
    Object.entries(map).map(([column, alternatives]) => ({ table, column, alternatives })),
  );
  return columns.length === 1 ? columns[0] : undefined;
}

async function withDatabase<T>(db_id: string, use: (db: Database.Database) => T): Promise<T | undefined> {
  const located = await locateDatabase(sample, db_id);
  if (located.kind !== "sqlite") return undefined;
  const db = new Database(join(sample, located.path), { readonly: true });
  try {
    return use(db);
  } finally {
    db.close();
  }
}

/** better-sqlite3 takes no double-quoted literals; in the sample they are those that name no column. */
const runnable = (sql: string): string => sql.replaceAll(/"(Poetry|Travel|Crime|A|2024-03%)"/g, "'$1'");

describe("the AmbiQT sample", () => {
  it("is what its script writes, byte for byte", () => {
    const folder = temporaryFolder();
    mkdirSync(folder, { recursive: true });
    execFileSync(process.execPath, [join(sample, "make.mjs"), folder]);
    expect(made(folder)).toEqual(made(sample));
    for (const path of made(sample)) {
      expect(readFileSync(join(folder, path)).equals(readFileSync(join(sample, path))), path).toBe(true);
    }
  });

  it("is small", () => {
    const bytes = made(sample).reduce((sum, path) => sum + statSync(join(sample, path)).size, 0);
    expect(bytes).toBeLessThan(200_000);
  });

  it("has questions whose original SQL runs on its database", async () => {
    const rows = await rowsOf(sample);
    expect(rows.length).toBe(45);
    let ran = 0;
    for (const row of rows) {
      const results = await withDatabase(
        row.db_id,
        (db) => db.prepare(runnable(row.orig_query)).all().length,
      );
      if (results !== undefined) {
        expect(results, row.question).toBeGreaterThan(0);
        ran += 1;
      }
    }
    expect(ran).toBe(43);
    expect(new Set(rows.map((row) => row.question)).size).toBe(45);
    expect(rows.some((row) => /= "[A-Z]/.test(row.query1))).toBe(true);
  });

  it("has at least one row for each reason to drop it", async () => {
    const schemas = (await readSpiderTables(sample)).schemas;
    const reasons: Record<string, number> = {};
    const count = (reason: string) => {
      reasons[reason] = (reasons[reason] ?? 0) + 1;
    };
    for (const row of await rowsOf(sample)) {
      const unit = unitOf(row);
      if (unit === undefined) {
        count("several columns");
        continue;
      }
      const { table, column, alternatives } = unit;
      if (new Set(alternatives).size !== 2) {
        count(alternatives.length === 2 ? "equal names" : "one name");
        continue;
      }
      const declared = schemas.get(row.db_id);
      const same = (one: { table: string; column: string }) =>
        one.table.toLowerCase() === table && one.column.toLowerCase() === column;
      const located = await locateDatabase(sample, row.db_id);
      if (located.kind !== "sqlite") count(located.kind === "sql" ? "broken SQL text" : "no database");
      await withDatabase(row.db_id, (db) => {
        const columns = db.prepare("select name, pk from pragma_table_info(?)").all(table) as {
          name: string;
          pk: number;
        }[];
        if (columns.some((one) => alternatives.includes(one.name.toLowerCase()))) count("taken name");
        const own = columns.find((one) => one.name.toLowerCase() === column);
        expect(own, `${table}.${column}`).toBeDefined();
        if ((own?.pk ?? 0) > 0) count("primary key");
        const keys = db
          .prepare('select "from" from pragma_foreign_key_list(?)')
          .pluck()
          .all(table) as string[];
        const inDatabase = keys.some((name) => name.toLowerCase() === column);
        const inTables = declared?.foreign_keys.some(({ from, to }) => same(from) || same(to)) ?? false;
        if (inDatabase && !inTables && (own?.pk ?? 0) === 0) count("foreign key of the database alone");
        if (inTables && !inDatabase && (own?.pk ?? 0) === 0) count("foreign key of tables.json alone");
        const unique = db
          .prepare('select i.name from pragma_index_list(?) l, pragma_index_info(l.name) i where l."unique"')
          .pluck()
          .all(table) as string[];
        if (unique.some((name) => name.toLowerCase() === column)) count("unique column");
      });
      if (!row.query1.includes(alternatives[0] ?? "?") || / by (?!complaint)reason/.test(row.query1)) {
        count("reading on a lost column");
      }
      if (row.query1.includes("count(year_built)")) count("equal results");
      for (const name of alternatives) if (!/^[a-z_]+$/.test(name) || name === "order") count(`name ${name}`);
    }
    expect(reasons).toEqual({
      "several columns": 1,
      "one name": 1,
      "equal names": 1,
      "taken name": 1,
      "primary key": 1,
      "foreign key of the database alone": 1,
      "foreign key of tables.json alone": 1,
      "unique column": 1,
      "reading on a lost column": 1,
      "equal results": 1,
      "broken SQL text": 1,
      "no database": 1,
      "name order": 2,
      "name e-mail": 1,
      "name home port": 2,
    });
  });

  it("has NULLs, other alphabets, a view, an index, foreign keys, and names that must be quoted", async () => {
    const found = new Set<string>();
    for (const db_id of ["corner_bookshop", "harbour_marina", "village_clinic"]) {
      await withDatabase(db_id, (db) => {
        expect(db.pragma("integrity_check", { simple: true })).toBe("ok");
        expect(db.pragma("foreign_key_check")).toEqual([]);
        for (const { type, name } of db.prepare("select type, name from sqlite_master").all() as {
          type: string;
          name: string;
        }[]) {
          found.add(type);
          if (type !== "table") continue;
          const rows = db.prepare(`select * from "${name}"`).all() as Record<string, unknown>[];
          expect(rows.length).toBeGreaterThanOrEqual(8);
          expect(rows.length).toBeLessThanOrEqual(40);
          for (const [column, value] of rows.flatMap((row) => Object.entries(row))) {
            if (value === null) found.add("NULL");
            if (typeof value === "string" && /[^\u0000-\u007f]/.test(value)) found.add("Unicode");
            if (column.includes(" ")) found.add("space");
            if (column === "Group") found.add("keyword");
          }
        }
      });
    }
    expect([...found].sort()).toEqual(["NULL", "Unicode", "index", "keyword", "space", "table", "view"]);
  });

  const real = realData("ambiqt");
  it.skipIf(real === undefined)("has the fields of upstream's files, no more and no fewer", () => {
    const fields = (root: string, path: string) =>
      Object.entries(JSON.parse(readFileSync(join(root, path), "utf8"))[0])
        .map(([name, value]) => `${name}: ${Array.isArray(value) ? "list" : typeof value}`)
        .sort();
    const rows = "benchmark/col-synonyms/validation";
    expect(fields(sample, `${rows}.json`)).toEqual(fields(real ?? "", `${rows}.regenerated.json`));
    for (const path of ["spider/tables.json", "spider/dev.json"]) {
      expect(fields(sample, path)).toEqual(fields(real ?? "", path));
    }
  });
});
