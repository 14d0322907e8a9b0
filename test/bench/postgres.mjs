// Measures PostgreSQL against its budgets, on the embedded server, and prints the ratios.
//   node scripts/build.mjs && node test/bench/postgres.mjs
// Budgets: start at most 2 s; loading `alien` into a template at most 1.5 times psql's time for the same files (needs
// psql on the path); a Query task's isolation at most 10 ms over the bare query; a Management task's clone at most 0.4 s.
import { spawnSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import pg from "pg";
import { PACKAGE_ROOT } from "../../dist/pipelines/package-root.js";
import { Administration } from "../../dist/pipelines/sql/postgres/administration.js";
import { readDump } from "../../dist/pipelines/sql/postgres/dump/read.js";
import { startEmbedded } from "../../dist/pipelines/sql/postgres/embedded.js";
import { openPostgres } from "../../dist/pipelines/sql/postgres/index.js";
import { makeTemplate } from "../../dist/pipelines/sql/postgres/template.js";

const data = resolve(process.env.AMBITAB_DATA ?? join(PACKAGE_ROOT, "../shared/data"), "bird-interact");
const folder = join(data, "derived/postgre_table_dumps/alien_template");
// In an order that psql can load: tables before those that refer to them.
const ORDER = "observatories telescopes signals signalprobabilities signaladvancedphenomena signalclassification signaldecoding signaldynamics researchprocess observationalconditions sourceproperties".split(" ");
const files = ORDER.map((name) => ({ path: join(folder, `${name}.sql`) }));
const truth = join(data, "ground-truth/livesqlbench-base-lite/livesqlbench_gt_kg_testcases_0528.jsonl");
const ROUNDS = 7;

const median = (values) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)];
const ms = (value) => `${value.toFixed(1)} ms`;
const timed = async (work) => {
  const started = performance.now();
  await work();
  return performance.now() - started;
};
const say = (what, value, budget, good) => console.log(`${good ? "ok" : "!!"}  ${what}: ${value} (budget ${budget})`);

async function benchStart() {
  const times = [];
  for (let round = 0; round < ROUNDS; round++) {
    let server;
    times.push(await timed(async () => { server = await openPostgres(); }));
    await server.close();
  }
  say("embedded start", `${ms(median(times))}, worst ${ms(Math.max(...times))}`, "2000 ms", median(times) <= 2000);
}

/** Our load into a template, and psql's into an empty database of the same server, in turns. */
async function benchLoad() {
  const server = await startEmbedded(512 * 1024 ** 2);
  const admin = new pg.Client({ ...server, database: "postgres" });
  await admin.connect();
  const administration = await Administration.open({ ...server, database: "postgres" }, 1024 ** 3);
  const [ours, theirs] = [[], []];
  const hasPsql = spawnSync("psql", ["--version"]).status === 0;
  for (let round = 0; round < ROUNDS; round++) {
    let template;
    ours.push(await timed(async () => { template = await makeTemplate(administration, "alien", await Promise.all(files.map(readDump))); }));
    await administration.drop(template.database);
    if (!hasPsql) continue;
    theirs.push(await timed(async () => {
      await admin.query("CREATE DATABASE by_psql");
      for (const { path } of files) {
        const { status, stderr } = spawnSync("psql", ["-X", "-q", "-v", "ON_ERROR_STOP=1", "-h", server.host, "-U", server.user, "-d", "by_psql", "-f", path], { env: { ...process.env, PGPASSWORD: server.password }, encoding: "utf8" });
        if (status !== 0) throw new Error(stderr);
      }
    }));
    await admin.query("DROP DATABASE by_psql");
  }
  await admin.end();
  await administration.close(false);
  await server.close();
  if (!hasPsql) { console.log(`--  load: ${ms(median(ours))}; psql is not here to compare with`); return; }
  const ratio = median(ours) / median(theirs);
  say("load of alien", `${ms(median(ours))}, psql ${ms(median(theirs))}, ratio ${ratio.toFixed(2)}`, "1.5", ratio <= 1.5);
}

async function benchTasks() {
  const server = await openPostgres();
  const { template } = await server.loadTemplate("alien", files);
  const queries = readFileSync(truth, "utf8").trim().split("\n").map((line) => JSON.parse(line)).filter(({ instance_id }) => !instance_id.includes("_M_")).map(({ sol_sql }) => sol_sql[0]);
  for (const sql of queries) await server.run({ template, statements: [sql] });
  const over = [];
  for (let round = 0; round < ROUNDS; round++) {
    for (const sql of queries) {
      // The bare query: the same client, without transaction, settings or reset.
      let bare;
      const isolated = await timed(async () => { bare = await server.run({ template, statements: [sql] }); });
      if (bare.outcome !== "rows") throw new Error(JSON.stringify(bare));
      over.push({ isolated, sql });
    }
  }
  const bare = await bareTimes(queries);
  const extra = queries.map((sql) => median(over.filter((one) => one.sql === sql).map(({ isolated }) => isolated)) - bare.get(sql));
  say("a query's isolation", `${ms(median(extra))} over the bare query, worst of ${queries.length} ${ms(Math.max(...extra))}`, "10 ms", Math.max(...extra) <= 10);
  const clones = [];
  for (let round = 0; round < ROUNDS * 2; round++) {
    clones.push(await timed(() => server.withDatabase(template, "clone", async () => undefined)));
    // A task works for a while; one clone is made ahead meanwhile.
    await new Promise((done) => setTimeout(done, round % 2 === 0 ? 0 : 300));
  }
  say("a Management task's clone", `${ms(median(clones))}, worst ${ms(Math.max(...clones))}`, "400 ms", median(clones) <= 400);
  await server.close();
}

/** Each query as the driver runs it on a server with the same settings. */
async function bareTimes(queries) {
  const server = await startEmbedded(512 * 1024 ** 2);
  const administration = await Administration.open({ ...server, database: "postgres" }, 1024 ** 3);
  const { database } = await makeTemplate(administration, "alien", await Promise.all(files.map(readDump)));
  const client = new pg.Client({ ...database.address, types: { getTypeParser: () => (text) => text } });
  await client.connect();
  const times = new Map();
  for (const sql of queries) {
    const all = [];
    for (let round = 0; round <= ROUNDS; round++) all.push(await timed(() => client.query({ text: sql, rowMode: "array" })));
    times.set(sql, median(all.slice(1)));
  }
  await client.end();
  await administration.close(false);
  await server.close();
  return times;
}

if (readdirSync(folder).length !== files.length) throw new Error(`unexpected files in ${folder}`);
await benchStart();
await benchLoad();
await benchTasks();
