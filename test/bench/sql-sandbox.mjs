// Measures the SQLite sandbox against the same queries run in process on one core, in one run, and prints the ratios.
//   node scripts/build.mjs && node test/bench/sql-sandbox.mjs
// Budgets: (a) queries of 0.5 ms and more: 1.5 times; (b) AmbiQT's reference queries (0.1 to 0.25 ms): 3 times;
// (c) a runaway costs its limit and 0.2 s at most, while others go on and none is lost.
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import Database from "better-sqlite3";
import { PACKAGE_ROOT } from "../../dist/pipelines/package-root.js";
import { openSqliteSandbox } from "../../dist/pipelines/sql/index.js";

const ROUNDS = 5;
const IN_FLIGHT = 8;

function openAll(jobs) {
  const open = new Map();
  for (const { database } of jobs) {
    if (!open.has(database)) open.set(database, new Database(database, { readonly: true }));
  }
  return open;
}

function inProcess(open, jobs) {
  const started = performance.now();
  for (const { database, sql } of jobs) open.get(database).prepare(sql).raw().safeIntegers().all();
  return performance.now() - started;
}

/** Runs the jobs with a bounded number in flight; every one must give rows. */
async function inSandbox(sandbox, jobs) {
  const started = performance.now();
  let next = 0;
  const lane = async () => {
    while (next < jobs.length) {
      const execution = await sandbox.run(jobs[next++]);
      if (execution.outcome !== "rows") throw new Error(JSON.stringify(execution));
    }
  };
  await Promise.all(Array.from({ length: IN_FLIGHT }, lane));
  return performance.now() - started;
}

const median = (values) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)];

/** Interleaves both ways, so that a slow moment of the machine hits both. */
async function compare(name, jobs, budget) {
  const open = openAll(jobs);
  const sandbox = openSqliteSandbox({ children: 2 });
  inProcess(open, jobs);
  await inSandbox(sandbox, jobs);
  const direct = [];
  const sandboxed = [];
  for (let round = 0; round < ROUNDS; round++) {
    direct.push(inProcess(open, jobs));
    sandboxed.push(await inSandbox(sandbox, jobs));
  }
  await sandbox.close();
  for (const database of open.values()) database.close();
  const perQuery = (ms) => `${(median(ms) / jobs.length).toFixed(3)} ms a query`;
  const ratio = median(sandboxed) / median(direct);
  console.log(
    `${name}: ${jobs.length} queries, in process ${perQuery(direct)}, sandbox ${perQuery(sandboxed)}, ` +
      `ratio ${ratio.toFixed(2)} (budget ${budget}) ${ratio <= budget ? "ok" : "OVER"}`,
  );
  return ratio <= budget;
}

function makeDatabase(folder) {
  const path = join(folder, "bench.sqlite");
  const database = new Database(path);
  database.exec(`CREATE TABLE item (id INTEGER PRIMARY KEY, grp INTEGER, price REAL, name TEXT);
    WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n LIMIT 5000)
    INSERT INTO item SELECT i, i % 37, i * 1.25, 'item number ' || i FROM n;`);
  database.close();
  return path;
}

async function runaway(database) {
  const sandbox = openSqliteSandbox({ children: 2 });
  const quick = { database, sql: "SELECT grp, sum(price) FROM item GROUP BY grp" };
  await inSandbox(sandbox, Array(50).fill(quick));
  const endless = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT count(*) FROM n";
  const limit = 1000;
  const started = performance.now();
  const stopped = sandbox.run({ database, sql: endless, limits: { timeoutMs: limit } }).then((execution) => {
    if (execution.outcome !== "timeout") throw new Error(JSON.stringify(execution));
    return performance.now() - started;
  });
  const others = 1500;
  await inSandbox(sandbox, Array(others).fill(quick));
  const took = await stopped;
  await sandbox.close();
  const good = took <= limit + 200;
  console.log(
    `(c) runaway with a limit of ${limit} ms stopped after ${took.toFixed(0)} ms, ${others} of ${others} others done ${good ? "ok" : "OVER"}`,
  );
  return good;
}

const folder = mkdtempSync(join(tmpdir(), "ambitab-bench-"));
const verdicts = [];
try {
  const database = makeDatabase(folder);
  const heavy = [
    "SELECT grp, count(*), avg(price), max(name) FROM item GROUP BY grp ORDER BY 3 DESC",
    "SELECT count(*) FROM item WHERE name LIKE '%99%'",
    "SELECT id, grp, price, name FROM item LIMIT 500",
    "SELECT a.name FROM item a JOIN item b ON a.id = b.id + 1 WHERE b.grp < 4 ORDER BY a.price",
  ].map((sql) => ({ database, sql }));
  verdicts.push(await compare("(a) own queries", Array(150).fill(heavy).flat(), 1.5));
  const data = resolve(process.env.AMBITAB_DATA ?? join(PACKAGE_ROOT, "../shared/data"), "ambiqt");
  if (existsSync(data)) {
    const rows = JSON.parse(
      readFileSync(join(data, "benchmark/col-synonyms/validation.regenerated.json"), "utf8"),
    );
    const jobs = [];
    for (const { db_id, orig_query } of rows) {
      const path = join(data, "spider/database", db_id, `${db_id}.sqlite`);
      if (!existsSync(path)) continue;
      const check = new Database(path, { readonly: true });
      try {
        check.prepare(orig_query);
        jobs.push({ database: path, sql: orig_query });
      } catch {
        // Written with double-quoted literals: the loop in process could not run it.
      }
      check.close();
    }
    verdicts.push(await compare("(b) AmbiQT reference queries", [...jobs, ...jobs], 3));
  } else {
    console.log("(b) skipped: no AmbiQT data");
  }
  verdicts.push(await runaway(database));
} finally {
  rmSync(folder, { recursive: true, force: true });
}
process.exitCode = verdicts.every(Boolean) ? 0 : 1;
