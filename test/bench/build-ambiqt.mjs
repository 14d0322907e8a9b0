// What the engine costs: a whole AmbiQT build against a straight script that reads the same files, makes the same databases
// and runs the same queries. Prints both, the ratio (budget 3, start-up of Node excluded), a build with nothing to do (budget
// 2 s in all) and the resident memory of all processes together (budget 700 MB).
//   node test/bench/build-ambiqt.mjs [folder that holds ambiqt/]      (default: AMBITAB_DATA, else ../shared/data)
import { spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import Database from "better-sqlite3";

const root = resolve(dirname(fileURLToPath(import.meta.url)), "..", "..");
const command = join(root, "dist", "scripts", "ambitab.js");
const quoted = (name) => `"${name.replaceAll('"', '""')}"`;

/** The straight script: plain better-sqlite3, one process, no checks, no store, no ledger, no oracle. */
function straight(source, out) {
  const file = ["validation.json", "validation.regenerated.json"]
    .map((name) => join(source, "benchmark/col-synonyms", name))
    .find(existsSync);
  const rows = JSON.parse(readFileSync(file, "utf8"));
  const declared = new Map();
  for (const schema of JSON.parse(readFileSync(join(source, "spider/tables.json"), "utf8"))) {
    const at = (index) => {
      const [table, column] = schema.column_names_original[index];
      return `${schema.table_names_original[table]}.${column}`.toLowerCase();
    };
    const keys = new Set(schema.primary_keys.flat().map(at));
    for (const pair of schema.foreign_keys) for (const index of pair) keys.add(at(index));
    declared.set(schema.db_id, keys);
  }
  const units = new Map();
  const schemas = new Map();
  const records = [];
  for (const row of rows) {
    const path = join(source, "spider/database", row.db_id, `${row.db_id}.sqlite`);
    if (!existsSync(path)) continue;
    const [[table, columns]] = Object.entries(row.extra_map);
    const [[column, names]] = Object.entries(columns);
    if (!schemas.has(row.db_id)) schemas.set(row.db_id, keysOf(path, declared.get(row.db_id)));
    if (schemas.get(row.db_id).has(`${table}.${column}`.toLowerCase())) continue;
    const id = JSON.stringify([row.db_id, table, column, names]);
    if (!units.has(id)) units.set(id, makeUnit(path, out, id, table, column, names));
    const db = units.get(id);
    const results = [row.query1, row.query2].map((sql) => run(db, sql));
    if (results.includes(undefined) || results[0] === results[1]) continue;
    for (const sql of [row.query1, row.query2])
      records.push(JSON.stringify({ id: `${row.orig_example_idx}.${table}.${column}`, question: row.question, sql }));
  }
  for (const db of units.values()) db.close();
  writeFileSync(join(out, "records.jsonl"), records.join("\n"));
  return { records: records.length, databases: units.size };
}

function keysOf(path, declared) {
  const keys = new Set(declared);
  const db = new Database(path, { readonly: true });
  for (const table of db.prepare("SELECT name FROM sqlite_schema WHERE type = 'table'").pluck().all()) {
    for (const { name, pk } of db.pragma(`table_info(${quoted(table)})`))
      if (pk > 0) keys.add(`${table}.${name}`.toLowerCase());
    for (const key of db.pragma(`foreign_key_list(${quoted(table)})`)) {
      keys.add(`${table}.${key.from}`.toLowerCase());
      keys.add(`${key.table}.${key.to}`.toLowerCase());
    }
  }
  db.close();
  return keys;
}

function makeUnit(path, out, id, table, column, [first, second]) {
  const target = join(out, `${createHash("sha256").update(id).digest("hex").slice(0, 16)}.sqlite`);
  writeFileSync(target, readFileSync(path));
  const db = new Database(target);
  db.pragma("foreign_keys = OFF");
  db.pragma("synchronous = OFF");
  db.exec("BEGIN");
  db.exec(`ALTER TABLE ${quoted(table)} RENAME COLUMN ${quoted(column)} TO ${quoted(first)}`);
  db.exec(`ALTER TABLE ${quoted(table)} ADD COLUMN ${quoted(second)}`);
  const values = db.prepare(`SELECT ${quoted(first)} FROM ${quoted(table)}`).pluck().all();
  const update = db.prepare(`UPDATE ${quoted(table)} SET ${quoted(second)} = ? WHERE rowid = ?`);
  for (const rowid of db.prepare(`SELECT rowid FROM ${quoted(table)}`).pluck().all())
    update.run(values[Math.floor(Math.random() * values.length)], rowid);
  db.exec("COMMIT");
  db.exec("VACUUM");
  createHash("sha256").update(readFileSync(target)).digest("hex");
  return db;
}

/** A result as comparable text, string literals in double quotes set right as SQLite's message says. */
function run(db, sql) {
  for (let text = sql, tries = 0; tries < 9; tries += 1) {
    try {
      const rows = db.prepare(text).raw().all().map((row) => JSON.stringify(row));
      return (/order by/i.test(text) ? rows : rows.sort()).join("\n");
    } catch (error) {
      const literal = /no such column: "(.*)" - should this be a string literal/.exec(error.message);
      if (literal === null) return undefined;
      text = text.replaceAll(`"${literal[1]}"`, `'${literal[1].replaceAll("'", "''")}'`);
    }
  }
  return undefined;
}

/** Resident bytes of a process and all its descendants, and their processor time in ms; 0 where the system does not tell. */
function usageOf(pid, spent) {
  if (!existsSync("/proc")) return 0;
  const parents = new Map();
  const resident = new Map();
  const ticks = new Map();
  for (const name of readdirSync("/proc")) {
    if (!/^\d+$/.test(name)) continue;
    try {
      const status = readFileSync(`/proc/${name}/status`, "utf8");
      parents.set(Number(name), Number(/^PPid:\s+(\d+)/m.exec(status)?.[1]));
      resident.set(Number(name), Number(/^VmRSS:\s+(\d+)/m.exec(status)?.[1] ?? 0) * 1024);
      const stat = readFileSync(`/proc/${name}/stat`, "utf8");
      const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
      // utime and stime, in ticks of 10 ms on every Linux that Node runs on.
      ticks.set(Number(name), (Number(fields[11]) + Number(fields[12])) * 10);
    } catch (error) {
      // The process ended while it was being looked at.
      if (!["ENOENT", "ESRCH"].includes(error.code)) throw error;
    }
  }
  const isOurs = (one) => one === pid || (parents.has(one) && isOurs(parents.get(one)));
  for (const [one, ms] of ticks) if (isOurs(one)) spent.set(one, ms);
  return [...resident].filter(([one]) => isOurs(one)).reduce((sum, [, bytes]) => sum + bytes, 0);
}

/** Runs a command and gives its wall time, exit code and peak of resident memory. */
function timed(args) {
  return new Promise((done, fail) => {
    const started = performance.now();
    const child = spawn(process.execPath, args, { stdio: ["ignore", "ignore", "inherit"] });
    let peak = 0;
    const spent = new Map();
    const watch = setInterval(() => {
      peak = Math.max(peak, usageOf(child.pid, spent));
    }, 50);
    child.once("error", fail);
    child.once("close", (code) => {
      clearInterval(watch);
      if (code !== 0) fail(new Error(`${args.join(" ")} ended with ${code}`));
      else done({ ms: performance.now() - started, cpu: [...spent.values()].reduce((a, b) => a + b, 0), peak });
    });
  });
}

const fastest = (times) => times.reduce((best, one) => (one.ms < best.ms ? one : best));

async function main() {
  const data = process.argv[2] ?? process.env.AMBITAB_DATA ?? join(root, "..", "shared", "data");
  const source = join(data, "ambiqt");
  if (!existsSync(source)) {
    console.error(`skipped: ${source} is not here (name the folder that holds ambiqt/, or set AMBITAB_DATA)`);
    return;
  }
  if (process.argv[3] === "--straight") {
    straight(source, process.argv[4]);
    return;
  }
  const home = mkdtempSync(join(tmpdir(), "ambitab-bench-"));
  try {
    const startUp = fastest([await timed(["-e", "0"]), await timed(["-e", "0"]), await timed(["-e", "0"])]).ms;
    const plain = [];
    const whole = [];
    let peak = 0;
    for (let round = 0; round < 3; round += 1) {
      const out = join(home, `straight-${round}`);
      mkdirSync(out);
      plain.push(await timed([fileURLToPath(import.meta.url), data, "--straight", out]));
      const target = join(home, `build-${round}`);
      const build = await timed([command, "build", "ambiqt", "--from", `ambiqt=${source}`, "--out", target, "--quiet"]);
      peak = Math.max(peak, build.peak);
      whole.push(build);
    }
    const again = ["build", "ambiqt", "--from", `ambiqt=${source}`, "--out", join(home, "build-2"), "--quiet"];
    const nothing = fastest([await timed([command, ...again]), await timed([command, ...again])]);
    const [a, b] = [fastest(plain).ms - startUp, fastest(whole).ms - startUp];
    const seconds = (ms) => `${(ms / 1000).toFixed(2)} s`;
    const least = (times) => Math.min(...times.map(({ cpu }) => cpu));
    const [x, y] = [least(plain), least(whole)];
    console.log(`straight script     ${seconds(a)}, processor ${seconds(x)}`);
    console.log(`ambitab build       ${seconds(b)}, processor ${seconds(y)}   ratio ${(b / a).toFixed(2)} (budget 3)`);
    console.log(`nothing to do       ${seconds(nothing.ms)}, processor ${seconds(nothing.cpu)}   (budget 2 s, start-up included)`);
    console.log(`peak memory         ${(peak / 1e6).toFixed(0)} MB   all processes (budget 700 MB)`);
  } finally {
    rmSync(home, { recursive: true, force: true });
  }
}

await main();
