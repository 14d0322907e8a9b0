/** The real `alien` dumps and reference solutions of LiveSQLBench, which BIRD-Interact's tasks are made of. */
import { spawn } from "node:child_process";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { PACKAGE_ROOT } from "../../../pipelines/package-root.js";
import {
  judgeTask,
  type LoadedTemplate,
  openPostgres,
  type PostgresServer,
} from "../../../pipelines/sql/postgres/index.js";

const data = resolve(process.env.AMBITAB_DATA ?? join(PACKAGE_ROOT, "../shared/data"), "bird-interact");
const dumps = join(data, "derived/postgre_table_dumps/alien_template");
const truth = join(data, "ground-truth/livesqlbench-base-lite/livesqlbench_gt_kg_testcases_0528.jsonl");
const here = existsSync(dumps) && existsSync(truth);
if (!here) console.warn(`no alien dumps below ${data}: the tests on real PostgreSQL data are skipped`);

interface Solution {
  instance_id: string;
  sol_sql: string[];
}
const solutions = (): Solution[] =>
  readFileSync(truth, "utf8")
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line) as Solution);
const files = () => readdirSync(dumps).map((name) => ({ path: join(dumps, name), name }));

describe.skipIf(!here)("alien", () => {
  let server: PostgresServer;
  let alien: LoadedTemplate;
  beforeAll(async () => {
    server = await openPostgres();
    alien = await server.loadTemplate("alien", files());
  });
  afterAll(() => server.close());

  it("loads from its files in the order of their names, which is not that of its keys", () => {
    expect(alien.tables).toHaveLength(11);
    // The same rows as in the official SQLite file.
    expect(Object.fromEntries(alien.tables.map(({ name, rows }) => [name, rows]))).toMatchObject({
      signals: 1000,
      observatories: 963,
      telescopes: 949,
    });
    expect(server.describe(alien.template).tables.flatMap(({ foreign_keys }) => foreign_keys)).toHaveLength(
      10,
    );
  });

  it("verifies its 10 queries by results and its 5 Management solutions by state, each against itself", async () => {
    const verdicts = await Promise.all(
      solutions().map(async ({ instance_id, sol_sql }) => {
        const task = {
          template: alien.template,
          category: instance_id.includes("_M_") ? ("management" as const) : ("query" as const),
          reference: sol_sql,
          setup: [],
          cleanup: [],
          comparison: { policy: "bird_interact" as const, ordered: false },
        };
        return { instance_id, ...(await judgeTask(server, task, sol_sql)) };
      }),
    );
    expect(verdicts).toHaveLength(15);
    expect(verdicts.filter(({ verdict }) => verdict !== "match")).toEqual([]);
    expect(verdicts.filter(({ flags }) => flags.includes("state_compared"))).toHaveLength(5);
  });

  it("gives the same results whatever the machine's time zone and language", async () => {
    const module = JSON.stringify(join(PACKAGE_ROOT, "dist/pipelines/sql/postgres/index.js"));
    const statements = [
      ...solutions()
        .filter(({ instance_id }) => !instance_id.includes("_M_"))
        .flatMap(({ sol_sql }) => sol_sql),
      "SELECT signalregistry, timemark, timemark::date, timemark::text, extract(hour FROM timemark) FROM signals ORDER BY 1 LIMIT 50",
      "SELECT timestamptz '2024-01-01 00:30', date '1975-05-11', to_char(timestamptz '2024-03-31 23:30', 'TZ HH24'), '01/02/2024'::date",
      "SELECT v FROM (VALUES ('a'), ('B'), ('_'), ('ä'), ('Z')) AS t (v) ORDER BY v",
    ];
    const script = `
      const { openPostgres } = await import(${module});
      const server = await openPostgres();
      const { template } = await server.loadTemplate("alien", ${JSON.stringify(files())});
      const ends = [];
      for (const sql of ${JSON.stringify(statements)}) {
        const { duration_ms, ...end } = await server.run({ template, statements: [sql] });
        ends.push(end);
      }
      console.log(JSON.stringify(ends));
      await server.close();`;
    const outputOf = (TZ: string, LC_ALL: string) =>
      new Promise<string>((done, fail) => {
        const child = spawn(process.execPath, ["--input-type=module", "-e", script], {
          env: { ...process.env, TZ, LC_ALL, PGTZ: TZ, PGDATESTYLE: "German", NODE_OPTIONS: "" },
          stdio: ["ignore", "pipe", "inherit"],
        });
        let output = "";
        child.stdout.on("data", (chunk: Buffer) => {
          output += chunk.toString();
        });
        child.once("error", fail);
        child.once("close", () => done(output));
      });
    const [tokyo, newYork] = await Promise.all([
      outputOf("Asia/Tokyo", "C.UTF-8"),
      outputOf("America/New_York", "de_DE.UTF-8"),
    ]);
    expect(newYork).toBe(tokyo);
    const ends = JSON.parse(tokyo) as { outcome: string; rows: string[][] }[];
    expect(ends.map(({ outcome }) => outcome)).toEqual(statements.map(() => "rows"));
    expect(ends.at(-2)?.rows).toEqual([["z2024-01-01 00:30:00+00", "d1975-05-11", "tUTC 23", "d2024-01-02"]]);
    expect(ends.at(-1)?.rows.flat()).toEqual(["t_", "ta", "tä", "tB", "tZ"]);
  });
});
