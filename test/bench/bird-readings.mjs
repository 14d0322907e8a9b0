// Other readings of BIRD's real rows, by operator: how many rows offer how many, and, where the database is there
// (superhero), what becomes of them. Not a test: it prints tables. Build first (`node scripts/build.mjs`).
//   node test/bench/bird-readings.mjs [folder of BIRD's files]
import { existsSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import Database from "better-sqlite3";
import { chooseReadings, loadPolyglot, OPERATOR_NAMES, proposeReadings, readingSchema } from "../../dist/pipelines/datasets/bird/readings/index.js";
import { survivors } from "../../dist/pipelines/datasets/bird/survivors.js";
import { describeConnection, describeSqlite, openSqliteSandbox, quoteIdentifier } from "../../dist/pipelines/sql/index.js";

const home = resolve(process.argv[2] ?? join(process.env.AMBITAB_DATA ?? "../shared/data", "bird"));
const read = (path) => JSON.parse(readFileSync(join(home, path), "utf8"));

await loadPolyglot();

function listedSchema(listed) {
  const { column_names_original: columns, table_names_original: tables } = listed;
  const primary = listed.primary_keys.flat();
  const description = {
    views: [],
    tables: tables.map((name, table) => ({
      name,
      kind: "table",
      columns: columns.flatMap(([of, column], at) =>
        of === table ? [{ name: column, type: listed.column_types[at], primary_key: primary.includes(at) ? 1 : 0 }] : [],
      ),
      foreign_keys: listed.foreign_keys
        .filter(([from]) => columns[from][0] === table)
        .map(([from, to]) => ({ columns: [columns[from][1]], table: tables[columns[to][0]], references: [columns[to][1]] })),
    })),
  };
  const words = new Map(columns.map(([table, name], at) => [`${tables[table]}.${name}`, listed.column_names[at][1]]));
  return readingSchema(description, (table, column) => words.get(`${table}.${column}`));
}

function ddlSchema(ddl = "") {
  const database = new Database(":memory:");
  database.pragma("foreign_keys = off");
  for (const statement of ddl.split(/;\s*\n/)) {
    try {
      database.exec(statement);
    } catch {
      // A table that SQLite does not take is left out.
    }
  }
  return readingSchema(describeConnection(database));
}

const listed = new Map(read("dev/dev_tables.json").map((one) => [one.db_id, one]));
const ddl = read("train/train_schema.json");
const known = new Map();
const schemaOf = (db) => {
  if (!known.has(db)) known.set(db, listed.has(db) ? listedSchema(listed.get(db)) : ddlSchema(ddl[db]));
  return known.get(db);
};

const superhero = join(home, "dev/dev_databases/superhero/superhero.sqlite");
const hasDatabase = existsSync(superhero);
const open = hasDatabase ? new Database(superhero, { readonly: true }) : undefined;
const texts = (table, column) =>
  open
    .prepare(`SELECT DISTINCT ${quoteIdentifier(column)} FROM ${quoteIdentifier(table)} WHERE typeof(${quoteIdentifier(column)}) = 'text' ORDER BY 1`)
    .pluck()
    .all();

const sandbox = openSqliteSandbox();
const run = (sql) => sandbox.run({ database: superhero, sql });
const answers = async (sql) => {
  const execution = await run(sql);
  return execution.outcome === "rows" && execution.row_count > 0;
};

for (const file of ["dev/dev.json", "dev_2023/dev.json", "train/mini_train.json"]) {
  const start = performance.now();
  const rows = read(file);
  const table = Object.fromEntries([...OPERATOR_NAMES, "all"].map((name) => [name, { rows: 0, readings: 0 }]));
  const parsers = {};
  const executed = Object.fromEntries([...OPERATOR_NAMES, "all"].map((name) => [name, { survive: 0, equal: 0, empty: 0, fails: 0, chosen: 0 }]));
  const chosenPerRow = [0, 0, 0, 0];
  for (const row of rows) {
    const here = hasDatabase && row.db_id === "superhero" && !file.startsWith("train");
    const schema = here ? readingSchema(describeSqlite(superhero)) : schemaOf(row.db_id);
    const proposed = proposeReadings(row.SQL, row.question, schema, here ? texts : undefined);
    const parser = proposed.parser ?? "unreadable";
    parsers[parser] = (parsers[parser] ?? 0) + 1;
    if (proposed.parser === undefined) continue;
    const count = (name, readings) => {
      table[name].readings += readings;
      table[name].rows += Number(readings > 0);
    };
    for (const name of OPERATOR_NAMES) count(name, proposed.proposals.filter(({ edit }) => edit.operator === name).length);
    count("all", proposed.proposals.length);
    if (!here) continue;
    const { survived, fallen } = await survivors(proposed, row.SQL, run);
    const chosen = await chooseReadings(proposed.query, survived, answers);
    chosenPerRow[chosen.length]++;
    for (const [some, what] of [[survived, "survive"], [chosen, "chosen"]]) {
      for (const { edit } of some) for (const name of [edit.operator, "all"]) executed[name][what]++;
    }
    for (const { proposal, why } of fallen) for (const name of [proposal.edit.operator, "all"]) executed[name][why]++;
  }
  console.log(`\n${file}: ${rows.length} rows, ${Math.round(performance.now() - start)} ms`, parsers);
  console.table(table);
  if (chosenPerRow.some((rows_) => rows_ > 0)) {
    console.log("run on superhero; rows with 0, 1, 2, 3 readings chosen:", chosenPerRow.join(", "));
    console.table(executed);
  }
}
await sandbox.close();
