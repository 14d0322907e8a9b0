// What the engine costs: a whole Ambrosia build against a straight script that reads the CSV, copies and hashes the databases
// and runs the queries. Prints both, the ratio (budget 4, start-up excluded) and the resident memory of all processes
// together (budget 700 MB). Exits with 1 when a budget is exceeded.
//   node scripts/build.mjs && node test/bench/ambrosia-build.mjs [folder that holds ambrosia/]  (default: AMBITAB_DATA, else ../shared/data)
import { spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { createReadStream, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import Database from "better-sqlite3";
import { parse } from "csv-parse";

const self = fileURLToPath(import.meta.url);
const root = resolve(self, "..", "..", "..");
const command = join(root, "dist", "scripts", "ambitab.js");

/** The straight script: one process, no checks, no store, no ledger, no oracle. */
async function straight(source, out) {
  const open = new Map();
  const records = [];
  for await (const row of createReadStream(join(source, "data/ambrosia.csv")).pipe(parse({ columns: true }))) {
    if (row.split !== "test" || row.is_ambiguous === "True") continue;
    if (!open.has(row.db_file)) {
      const bytes = readFileSync(join(source, row.db_file));
      const target = join(out, `${open.size}-${basename(row.db_file)}`);
      writeFileSync(target, bytes);
      createHash("sha256").update(bytes).digest("hex");
      open.set(row.db_file, new Database(target, { readonly: true }));
    }
    const rows = run(open.get(row.db_file), row.gold_queries);
    if (rows > 0) records.push(JSON.stringify({ question: row.ambig_question, clear: row.question, sql: row.gold_queries }));
  }
  for (const db of open.values()) db.close();
  writeFileSync(join(out, "records.jsonl"), records.join("\n"));
  if (records.length !== 2670 || open.size !== 763) throw new Error(`${records.length} records, ${open.size} databases`);
}

/** Number of rows; string literals in double quotes are set right as SQLite's message says. */
function run(db, sql) {
  for (let text = sql, tries = 0; tries < 20; tries += 1) {
    try {
      return db.prepare(text).raw().all().length;
    } catch (error) {
      const literal = /no such column: "(.*)" - should this be a string literal/.exec(error.message);
      if (literal === null) throw error;
      text = text.replaceAll(`"${literal[1]}"`, `'${literal[1].replaceAll("'", "''")}'`);
    }
  }
  throw new Error(`more literals than one statement has: ${sql}`);
}

/** Resident bytes of a process and all its descendants; 0 where the system does not tell. */
function residentOf(pid) {
  if (!existsSync("/proc")) return 0;
  const seen = new Map();
  for (const name of readdirSync("/proc").filter((one) => /^\d+$/.test(one))) {
    try {
      const status = readFileSync(`/proc/${name}/status`, "utf8");
      const field = (label) => Number(new RegExp(`^${label}:\\s+(\\d+)`, "m").exec(status)?.[1] ?? 0);
      seen.set(Number(name), { parent: field("PPid"), bytes: field("VmRSS") * 1024 });
    } catch (error) {
      // The process ended while it was being looked at.
      if (!["ENOENT", "ESRCH"].includes(error.code)) throw error;
    }
  }
  const isOurs = (one) => one === pid || (seen.has(one) && isOurs(seen.get(one).parent));
  return [...seen].filter(([one]) => isOurs(one)).reduce((sum, [, { bytes }]) => sum + bytes, 0);
}

/** Runs a command and gives its wall time and its peak of resident memory. */
function timed(args) {
  return new Promise((done, fail) => {
    const started = performance.now();
    const child = spawn(process.execPath, args, { stdio: ["ignore", "ignore", "inherit"] });
    let peak = 0;
    const watch = setInterval(() => {
      peak = Math.max(peak, residentOf(child.pid));
    }, 100);
    child.once("error", fail);
    child.once("close", (code) => {
      clearInterval(watch);
      if (code === 0) done({ ms: performance.now() - started, peak });
      else fail(new Error(`${args.join(" ")} ended with ${code}`));
    });
  });
}

const fastest = (times) => Math.min(...times.map(({ ms }) => ms));

async function main() {
  const data = process.argv[2] ?? process.env.AMBITAB_DATA ?? join(root, "..", "shared", "data");
  const source = resolve(data, "ambrosia");
  if (!existsSync(source)) {
    console.error(`skipped: ${source} is not here (name the folder that holds ambrosia/, or set AMBITAB_DATA)`);
    return;
  }
  if (process.argv[3] === "--straight") {
    await straight(source, process.argv[4]);
    return;
  }
  const home = mkdtempSync(join(tmpdir(), "ambitab-bench-"));
  try {
    // Start-up is that of Node for the script, and of Node with the tool's modules for the build.
    const startUp = async (...args) => fastest([await timed(args), await timed(args), await timed(args)]);
    const [node, tool] = [await startUp("-e", "0"), await startUp(command, "build", "--help")];
    const plain = [];
    const whole = [];
    // Interleaved, so that a slow moment of the machine hits both.
    for (let round = 0; round < 3; round += 1) {
      const out = join(home, `straight-${round}`);
      mkdirSync(out);
      plain.push(await timed([self, data, "--straight", out]));
      const build = ["build", "ambrosia", "--from", `ambrosia=${source}`, "--out", join(home, `build-${round}`), "--quiet"];
      whole.push(await timed([command, ...build]));
    }
    const [script, build] = [fastest(plain) - node, fastest(whole) - tool];
    const peak = Math.max(...whole.map((one) => one.peak));
    const seconds = (ms) => `${(ms / 1000).toFixed(2)} s`;
    console.log(`straight script     ${seconds(script)}`);
    console.log(`ambitab build       ${seconds(build)}   ratio ${(build / script).toFixed(2)} (budget 4)`);
    console.log(`peak memory         ${(peak / 1e6).toFixed(0)} MB   all processes (budget 700 MB)`);
    process.exitCode = build <= 4 * script && peak < 700e6 ? 0 : 1;
  } finally {
    rmSync(home, { recursive: true, force: true });
  }
}

await main();
