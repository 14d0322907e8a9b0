import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it, test } from "vitest";
import {
  judgeTask,
  openPostgres,
  type PostgresServer,
  type PostgresTask,
  runTask,
  type TaskRun,
} from "../../../pipelines/sql/postgres/index.js";
import { verifyByTests } from "../../../pipelines/sql/python-tests/index.js";
import { readBirdInteract, readGroundTruthFile } from "../../../sources/bird-interact/index.js";
import { realData } from "../../sources/temporary.js";
import { type Built, buildBirdInteract } from "./building.js";

const out = mkdtempSync(join(tmpdir(), "ambitab-on-postgres-"));
let server: PostgresServer;
let port: string;
beforeAll(async () => {
  server = await openPostgres();
  const dump = join(out, "port.sql");
  writeFileSync(
    dump,
    `CREATE TABLE ships (id int PRIMARY KEY, name text, tons numeric(8,2));
     INSERT INTO ships VALUES (1, 'Albatross', 10.25), (2, 'Heron', 20.5), (3, 'Ibis', NULL);`,
  );
  port = (await server.loadTemplate("port", [{ path: dump }])).template;
});
afterAll(async () => {
  await server.close();
  rmSync(out, { recursive: true, force: true });
});

const hasPsycopg = ((): boolean => {
  try {
    execFileSync("/usr/bin/python3", ["-c", "import psycopg2"], { stdio: "ignore" });
    return true;
  } catch {
    console.warn("skipped: no /usr/bin/python3 with psycopg2 here");
    return false;
  }
})();

const task = (reference: string[], more: Partial<PostgresTask> = {}): PostgresTask => ({
  template: port,
  setup: [],
  cleanup: [],
  reference,
  category: "management",
  comparison: { policy: "bird_interact", ordered: false },
  ...more,
});

/** What lists of statements come to, each run once: most cases share a reference, and a clone takes its time. */
const known = new Map<string, Promise<TaskRun>>();
function runKnown(one: PostgresTask, statements: readonly string[]): Promise<TaskRun> {
  const key = JSON.stringify([one.template, one.category, statements]);
  const run = known.get(key) ?? runTask(server, one, statements);
  known.set(key, run);
  return run;
}
const judgeKnown = (one: PostgresTask, answer: readonly string[]) =>
  judgeTask(server, one, answer, (statements) => runKnown(one, statements));

describe("what a Management answer leaves", () => {
  const view = "CREATE VIEW big AS SELECT id, name FROM ships WHERE tons > 15";
  const twice =
    "CREATE FUNCTION twice(x numeric) RETURNS numeric AS $$ BEGIN RETURN x * 2; END; $$ LANGUAGE plpgsql";
  const mark = "UPDATE ships SET name = 'x' WHERE tons > 15";
  test.each([
    ["the same rows by another way", [mark], "UPDATE ships SET name = 'x' WHERE id = 2", "match"],
    ["other rows", [mark], "UPDATE ships SET name = 'x' WHERE id = 1", "mismatch"],
    ["nothing", [mark], "SELECT 1", "mismatch"],
    [
      "too much",
      [mark],
      "UPDATE ships SET name = 'x' WHERE id = 2; DELETE FROM ships WHERE id = 3",
      "mismatch",
    ],
    ["a table of its own beside", [mark], `${mark}; CREATE TABLE t (a int)`, "mismatch"],
    ["what fails", [mark], "UPDATE boats SET name = 'x'", "prediction_error"],
    [
      "a view that is written otherwise and shows the same",
      [view],
      "CREATE OR REPLACE VIEW big AS SELECT s.id, s.name FROM ships s WHERE NOT s.tons <= 15 ORDER BY 1",
      "match",
    ],
    ["a view with other rows", [view], "CREATE VIEW big AS SELECT id, name FROM ships", "mismatch"],
    [
      "a view with other names of columns",
      [view],
      "CREATE VIEW big AS SELECT id, name AS n FROM ships WHERE tons > 15",
      "mismatch",
    ],
    [
      "a view by another name",
      [view],
      "CREATE VIEW large AS SELECT id, name FROM ships WHERE tons > 15",
      "mismatch",
    ],
    [
      "a function with comments and in capitals",
      [twice],
      "create function twice(x NUMERIC) returns NUMERIC as $$\nbegin -- double\n  return X*2; end; $$ language PLPGSQL",
      "match",
    ],
    ["a function that does something else", [twice], twice.replace("* 2", "* 3"), "mismatch"],
    [
      "a comment on a column too few",
      ["ALTER TABLE ships ADD COLUMN flag text", "COMMENT ON COLUMN ships.flag IS 'f'"],
      "ALTER TABLE ships ADD COLUMN flag text",
      "match",
    ],
    [
      "a column of another type",
      ["ALTER TABLE ships ADD COLUMN flag text"],
      "ALTER TABLE ships ADD COLUMN flag int",
      "mismatch",
    ],
    ["by a reference that fails", ["UPDATE boats SET name = 'x'"], mark, "gold_error"],
    ["the result, where the reference changes nothing", ["SELECT count(*) FROM ships"], "SELECT 3", "match"],
    ["another result, where it changes nothing", ["SELECT count(*) FROM ships"], "SELECT 4", "mismatch"],
  ])("%s", async (_what, reference, answer, verdict) => {
    expect((await judgeKnown(task(reference), [answer])).verdict).toBe(verdict);
  });
});

describe("a Query answer under bird_interact on PostgreSQL", () => {
  const query = (reference: string, ordered = false): PostgresTask =>
    task([reference], { category: "query", comparison: { policy: "bird_interact", ordered } });
  test.each([
    [
      "ROUND and DISTINCT do not matter",
      "SELECT DISTINCT ROUND(tons, 1) FROM ships WHERE id < 3",
      "SELECT tons FROM ships WHERE id < 3",
      false,
      "match",
    ],
    [
      "order, where it counts",
      "SELECT id FROM ships ORDER BY id",
      "SELECT id FROM ships ORDER BY id DESC",
      true,
      "mismatch",
    ],
    ["both empty", "SELECT 1 WHERE false", "SELECT 1 WHERE false", false, "mismatch"],
    [
      "an answer of several statements: the last result",
      "SELECT 3",
      "SELECT 1; SELECT count(*)::int FROM ships",
      false,
      "match",
    ],
    [
      "an answer that writes in its own database",
      "SELECT 4",
      "INSERT INTO ships VALUES (4, 'n', 1); SELECT count(*)::int FROM ships",
      false,
      "match",
    ],
    ["and the next one finds nothing of it", "SELECT 3", "SELECT count(*)::int FROM ships", false, "match"],
  ])("%s", async (_what, reference, answer, ordered, verdict) => {
    expect((await judgeTask(server, query(reference, ordered), [answer])).verdict).toBe(verdict);
  });
});

/** A test as upstream writes them. */
const testCase = (...body: string[]): string =>
  `def test_case(pred_sqls, sol_sqls, db_name, conn):\n${body.map((line) => `    ${line}\n`).join("")}`;

describe.skipIf(!hasPsycopg)("tests in Python", () => {
  const run = (tests: string[], answer: string[] = ["SELECT 1"], options = {}) =>
    verifyByTests(server, { ...task(["SELECT 1"]), test_cases: tests }, answer, options);

  it("decide: all must pass, and an assertion or any other exception is a failure with its place", async () => {
    const count = 'rows, error, timeout = execute_queries("SELECT count(*) FROM ships", db_name, conn)';
    const good = testCase(count, "assert rows[0][0] == 4 and not error and not timeout");
    const insert = ["INSERT INTO ships VALUES (4, 'n', 1)"];
    expect((await run([good, good], insert)).verdict).toBe("match");
    expect(await run([good], ["SELECT 1"])).toMatchObject({
      verdict: "mismatch",
      detail: "test 1 of 1 fails: AssertionError: ",
    });
    expect(await run([good, testCase("raise KeyError('k')")], insert)).toMatchObject({
      verdict: "mismatch",
      detail: "test 2 of 2 fails: KeyError: 'k'",
    });
    expect((await run(["def other(): pass"], insert)).detail).toContain("KeyError: 'test_case'");
  });

  it("find what upstream's find: the statements, the prediction's result, temporary tables, errors as flags", async () => {
    const test = testCase(
      "assert pred_sqls == ['CREATE TEMP TABLE t AS SELECT 7 AS x', 'SELECT x FROM t'] and sol_sqls == ['SELECT 1']",
      "assert pred_query_result == [(7,)]",
      "assert execute_queries(['SELECT 1', 'SELECT x FROM t'], db_name, conn) == ([(7,)], False, False)",
      "assert execute_queries('SELECT nothing', db_name, conn) == (None, True, False)",
      "assert execute_queries('CREATE TABLE u (a int)', db_name, conn) == (None, False, False)",
      "from decimal import Decimal",
      "assert execute_queries('SELECT tons FROM ships WHERE id = 1', db_name, conn)[0][0][0] == Decimal('10.25')",
    );
    const answer = ["CREATE TEMP TABLE t AS SELECT 7 AS x", "SELECT x FROM t"];
    expect(await run([test], answer)).toMatchObject({ verdict: "match", flags: ["own_tests"] });
  });

  it("are not run on an answer that fails, and the answer's own end is the verdict", async () => {
    expect((await run([testCase("pass")], ["SELECT nothing"])).verdict).toBe("prediction_error");
  });

  it("leave nothing behind for the next task", async () => {
    await run([testCase("execute_queries('DELETE FROM ships', db_name, conn)")]);
    expect(
      (await run([testCase("assert execute_queries('SELECT count(*) FROM ships')[0] == [(3,)]")])).verdict,
    ).toBe("match");
  });

  const forbidden = {
    "read a file": "open('/etc/hostname').read()",
    "write a file": "open('left-behind', 'w').write('x')",
    "run a program": "import subprocess; subprocess.run(['true'])",
    "run a shell": "import os; os.system('true')",
    fork: "import os; os.fork()",
    "open a socket": "import socket; socket.create_connection(('127.0.0.1', 9), 1)",
    "load a library": "import ctypes; ctypes.CDLL(None)",
    "remove a file": "import os; os.remove('/tmp/x')",
    "look into a folder": "import os; os.listdir('/')",
    "send a signal": "import os; os.kill(os.getppid(), 9)",
    "take a gigabyte more than there is": "b = bytearray(3 * 1024 ** 3)",
    "be the superuser": "cur = conn.cursor(); cur.execute('CREATE ROLE r SUPERUSER')",
    "read the server's files": "cur = conn.cursor(); cur.execute(\"SELECT pg_read_file('/etc/hostname')\")",
    "run a program on the server": "cur = conn.cursor(); cur.execute(\"COPY ships TO PROGRAM 'true'\")",
    "enter another database": "import psycopg2; psycopg2.connect(conn.dsn + ' dbname=postgres')",
  };
  it("may use the database and no more", async () => {
    // Each passes only if what it tries is refused; the program goes on to the next.
    const tests = Object.entries(forbidden).map(([what, code]) =>
      testCase(
        "try:",
        `    ${code}`,
        "except BaseException:",
        "    conn.rollback()",
        "    return",
        `raise AssertionError(${JSON.stringify(`let through: ${what}`)})`,
      ),
    );
    const environment = testCase(
      "import os",
      "left = set(os.environ) - {'PATH', 'LC_ALL', 'LC_CTYPE', 'TZ'}",
      "assert left == set(), left",
    );
    const nobody = testCase("import os", "assert os.getuid() == 65534 and os.getgid() == 65534");
    const rights = process.getuid?.() === 0 ? [nobody] : [];
    const { verdict, detail } = await run([...tests, environment, ...rights]);
    expect([verdict, detail]).toEqual(["match", undefined]);
  });

  it("are ended when they do not end", async () => {
    const started = performance.now();
    const { verdict, detail } = await run([testCase("while True: pass")], ["SELECT 1"], { wholeMs: 2000 });
    expect([verdict, detail]).toEqual([
      "mismatch",
      expect.stringMatching(/the tests gave no answer: (?:stopped after 2 s|SIG)/),
    ]);
    expect(performance.now() - started).toBeLessThan(60_000);
  });
});

const real = realData("bird-interact");
describe.skipIf(real === undefined)("the real alien database", () => {
  let alien: string;
  const truths = () => {
    const file = "ground-truth/livesqlbench-base-lite/livesqlbench_gt_kg_testcases_0528.jsonl";
    const { lines } = readGroundTruthFile(readFileSync(join(real ?? "", file), "utf8"), file);
    return lines.map((line) => {
      const category = line.instance_id.includes("_M_") ? ("management" as const) : ("query" as const);
      return { ...line, task: task(line.sol_sql, { template: alien, category }) };
    });
  };
  beforeAll(async () => {
    const source = await readBirdInteract(real ?? "");
    for (const item of source.tasks()) {
      if (item.kind !== "task" || !item.database.dump.here) continue;
      const files = item.database.dump.files.map(({ path }) => ({
        path: join(real ?? "", path),
        name: path,
      }));
      alien = (await server.loadTemplate("alien", files)).template;
    }
  });

  it("verifies its ten queries under bird_interact, and its five Management solutions by state", async () => {
    const verdicts: Record<string, string[]> = { query: [], management: [] };
    for (const { task: one } of truths()) {
      // The reference twice, in two databases: once as what is known of it, once as the answer.
      let runs = 0;
      const { verdict } = await judgeTask(server, one, one.reference, (statements) => {
        runs += 1;
        return runs === 2 ? runTask(server, one, statements) : runKnown(one, statements);
      });
      verdicts[one.category]?.push(verdict);
    }
    expect(verdicts).toEqual({ query: new Array(10).fill("match"), management: new Array(5).fill("match") });
  });

  it("tells a wrong answer from each of them", async () => {
    const all = truths();
    for (const [at, { task: one, instance_id }] of all.entries()) {
      // The next solution of the same kind answers another question.
      const others = all.filter(
        (other) => other.task.category === one.category && other.instance_id !== instance_id,
      );
      const wrong = others[at % others.length]?.sol_sql ?? [];
      expect((await judgeKnown(one, wrong)).verdict, instance_id).toBe("mismatch");
    }
  });

  it.skipIf(!hasPsycopg)(
    "passes its own tests with its own solutions, and fails them with none",
    async () => {
      const tested = truths().filter(({ test_cases }) => test_cases.length > 0);
      expect(tested.map(({ instance_id }) => instance_id)).toEqual(
        [1, 2, 3, 4, 5].map((n) => `alien_M_${n}`),
      );
      const verdicts: string[] = [];
      for (const { task: one, test_cases } of tested) {
        const own = await verifyByTests(server, { ...one, test_cases }, one.reference);
        verdicts.push(own.verdict);
      }
      expect(verdicts).toEqual(new Array(5).fill("match"));
      const [first] = tested;
      if (first === undefined) throw new Error("no task has tests");
      const answer = ["SELECT 1"];
      const none = await verifyByTests(server, { ...first.task, test_cases: first.test_cases }, answer);
      expect(none.verdict).toBe("mismatch");
    },
    120_000,
  );

  it("is built whole: eleven records, alien_1 verified, the others with their reason", async () => {
    const built: Built = await buildBirdInteract(join(out, "real"), real ?? "");
    expect(built.funnel).toMatchObject({
      rows: 11,
      records: 11,
      databases: 2,
      ambiguities: 33,
      findings: {
        database_missing: 10,
        knowledge_missing: 10,
        term_not_in_request: 13,
        withheld_definition_public: 1,
      },
    });
    expect(built.text("dropped.jsonl")).toBe("");
    const verifiable = built.records.filter(({ verifier }) => verifier.verifiable);
    expect(verifiable.map(({ avt_id }) => avt_id)).toEqual(["bird-interact/all/alien_1"]);
    const open = verifiable[0]?.public.external_knowledge ?? [];
    expect(open).toHaveLength(55);
    expect(open.some(({ name }) => name.includes("SNQI"))).toBe(false);
    const statuses = built.records.flatMap(({ oracle }) =>
      oracle.ambiguities.map((one) => one.response_status),
    );
    expect(new Set(statuses)).toEqual(new Set(["audited"]));
    for (const { verifier } of built.records.filter((one) => !one.verifier.verifiable)) {
      expect(verifier.not_verifiable).toContain("The database solar_panel is not in this copy of the source");
      expect(verifier.reference_sql).toHaveLength(1);
    }
  });
});
