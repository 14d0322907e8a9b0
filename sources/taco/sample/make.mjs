// Writes the TACO sample: a small source of our own in upstream's exact formats, with at least one file for every way in
// which a statement can be dropped. The files beside this script are what it writes; the same bytes come out every time.
//   node sources/taco/sample/make.mjs [folder]
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import Database from "better-sqlite3";
import { DATABASES } from "./databases.mjs";
import { QUERIES } from "./queries.mjs";

const folder = process.argv[2] ?? dirname(fileURLToPath(import.meta.url));

function write(path, content) {
  const file = join(folder, path);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, content);
}

const json = (value) => `${JSON.stringify(value, null, 2)}`;

/** As pandas writes a frame into SQLite: quoted names, plain types, no keys. */
function makeDatabase({ tables }) {
  const db = new Database(":memory:");
  db.pragma("page_size = 1024");
  for (const [table, columns, rows] of tables) {
    const list = columns.map(([name, type]) => `"${name}" ${type}`).join(",\n  ");
    db.exec(`CREATE TABLE "${table}" (\n${list}\n)`);
    const insert = db.prepare(`INSERT INTO "${table}" VALUES (${columns.map(() => "?").join(", ")})`);
    for (const row of rows) insert.run(...row);
  }
  db.exec("vacuum");
  return db;
}

function schemaOf({ tables }) {
  return {
    tables: tables.map(([table, columns]) => ({
      table_name: table,
      table_comment: table,
      table_description: "",
      columns: columns.map(([name, type]) => ({ column_name: name, data_type: type })),
      primary_keys: [],
      foreign_keys: [],
    })),
  };
}

/** The rows, or 0 where the statement gives none or does not run. */
function resultsOf(db, sql) {
  if (db === undefined) return 0;
  try {
    const statement = db.prepare(sql);
    const rows = statement.reader ? statement.raw().all() : [];
    return rows.length === 0 ? 0 : rows;
  } catch {
    return 0;
  }
}

/** Names and values blanked out. */
const skeleton = (sql) =>
  sql
    .replaceAll(/'[^']*'|"[^"]*"|\b\d+(\.\d+)?\b/g, "_")
    .replaceAll(/\b(?!SELECT|FROM|WHERE|GROUP|ORDER|BY|HAVING|LIMIT|OFFSET|AND|OR|NOT|IN|IS|NULL|LIKE|AS|DESC|_)[\p{L}_][\p{L}\p{N}_.]*/gu, "_")
    .trim();

/** `{table: [table.column]}` of the tables that the statement names; upstream also lists tables it was told to use. */
function tablesNamed(database, sql) {
  const named = (database?.tables ?? []).filter(([table]) => sql.includes(table));
  return Object.fromEntries(named.map(([table, columns]) => [table, columns.map(([name]) => `${table}.${name}`)]));
}

const described = (sql, tables) =>
  `### Query intent:\nThe statement answers a question over ${Object.keys(tables).join(" and ") || "no known table"}.\n\n### Statement:\n${sql}`;

const opened = new Map(DATABASES.map((database) => [database.name, makeDatabase(database)]));

for (const database of DATABASES) {
  const home = `${database.region}/data`;
  write(`${home}/database/${database.name}/${database.name}.db`, opened.get(database.name).serialize());
  write(`${home}/new_schema/${database.name}_schema.json`, json(schemaOf(database)));
}

for (const { region, database: name, queries } of QUERIES) {
  const database = DATABASES.find((one) => one.name === name);
  const home = `${region}/data/${region === "us" ? "new_sql_single" : "new_sql_nl_single"}/${name}`;
  for (const [at, [sql, request]] of queries.entries()) {
    const tables = tablesNamed(database, sql);
    const file = {
      sql,
      problem_description: described(sql, tables),
      natural_language_query: request,
      results: resultsOf(opened.get(name), sql),
      "sql skeleton": skeleton(sql),
      database: name,
      tables,
    };
    write(`${home}/generated_nl_query_${at}.json`, json(file));
  }
  // What upstream keeps beside the files and no reader should take for one of them.
  const [sql] = queries[0];
  write(`${home}/prompts/prompts_single_0.json`, json([{ idx: 0, sql_query: sql, stage: "problem_description", prompt: sql }]));
}
