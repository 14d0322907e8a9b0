import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { validate } from "../../pipelines/audit/validate.js";
import { SchemaCache } from "../../pipelines/evaluation/agent-context.js";
import { taskOf } from "../../pipelines/evaluation/task.js";
import { ExecutionCache, verify } from "../../pipelines/evaluation/verifier/index.js";
import type { DatasetFolder } from "../../pipelines/record/suite.js";
import { verifierView } from "../../pipelines/record/views.js";
import { ZONES } from "../../pipelines/record/zones.js";
import { gate } from "../../pipelines/release/gate.js";
import { openSqlEngines } from "../../pipelines/sql/engines.js";
import { openSqliteSandbox } from "../../pipelines/sql/index.js";
import type { TaskRecord } from "../../schemas/types/record.js";
import { temporaryFolder } from "../sql/made-database.js";
import { ambiguity, harbourRecord } from "./tasks.js";

const folder = temporaryFolder();
const engines = openSqlEngines({ children: 2 });
beforeAll(() => {
  const dump = `CREATE TABLE boats (boat_id int PRIMARY KEY, name char(8), hull_length numeric(6,2), overall_length numeric(6,2), home text);
    INSERT INTO boats VALUES (1, 'Anna', 9.5, 11, 'Kiel'), (2, 'Bob', 8, 8.5, 'Kiel'), (3, 'Carla', 12, 14, 'Wismar');`;
  mkdirSync(join(folder.path, "harbour"));
  writeFileSync(join(folder.path, "harbour/harbour.sql.gz"), gzipSync(dump));
  writeFileSync(
    join(folder.path, "harbour/broken.sql"),
    "CREATE TABLE boats (a int);\nINSERT INTO boats VALUES (oops);",
  );
});
afterAll(async () => {
  await engines.close();
  folder.remove();
});

/** A PostgreSQL record; its number makes its names its own. */
function recordOn(
  number: number,
  verifier: Partial<TaskRecord["verifier"]> = {},
  path = "harbour/harbour.sql.gz",
): TaskRecord {
  const record = harbourRecord([ambiguity("length")], verifier, {
    record_id: `ambiqt/validation/${number}.boats.length#1`,
    avt_id: `ambiqt/validation/${number}.boats.length`,
  });
  const hash = "0".repeat(64);
  return {
    ...record,
    provenance: { ...record.provenance, file_sha256: hash, row_sha256: hash },
    public: { ...record.public, database: { engine: "postgres", database_id: "harbour", path } },
  };
}

const RAISE = {
  category: "management" as const,
  reference_sql: ["UPDATE boats SET home = 'Kiel'"],
  alternative_sql: [],
};

function datasetOf(records: readonly TaskRecord[]): DatasetFolder {
  return {
    dataset: "ambiqt",
    kind: "build",
    databases: folder.path,
    folder: folder.path,
    ledger: join(folder.path, "ledger.jsonl"),
    whole: true,
    zones: ZONES,
    provenance: [],
    find: () => Promise.resolve([]),
    // biome-ignore lint/correctness/useYield: nobody asks for it here
    async *partialRecords() {
      throw new Error("not asked for");
    },
    async *records() {
      for (const [at, record] of records.entries()) yield { record, file: "records.jsonl", line: at + 1 };
    },
    // biome-ignore lint/correctness/useYield: nobody asks for it here
    async *publicRecords() {
      throw new Error("not asked for");
    },
  };
}

describe("records on PostgreSQL", () => {
  it("are verified by results, or by the state a Management task leaves", async () => {
    const executions = new ExecutionCache(engines);
    const decide = async (record: TaskRecord, prediction: string) => {
      const { verdict, flags, detail } = await verify(
        verifierView(record),
        prediction,
        folder.path,
        executions,
      );
      return { verdict, flags, ...(detail !== undefined && { detail }) };
    };
    expect(await decide(recordOn(1), "SELECT name, overall_length * 1.0 FROM boats ORDER BY 2")).toEqual({
      verdict: "match",
      flags: [],
    });
    expect(await decide(recordOn(1), "SELECT name, hull_length FROM boats")).toMatchObject({
      verdict: "mismatch",
    });
    expect(await decide(recordOn(1), "SELECT oops FROM boats")).toMatchObject({
      verdict: "prediction_error",
      detail: /oops/ as unknown,
    });
    expect(await decide(recordOn(1, RAISE), "UPDATE boats SET home = 'Kiel' WHERE boat_id = 3")).toEqual({
      verdict: "match",
      flags: ["state_compared"],
    });
    expect(await decide(recordOn(1, { ...RAISE, success: "tests" }), "DELETE FROM boats")).toMatchObject({
      verdict: "gold_error",
      detail: /has none/ as unknown,
    });
    const untested = recordOn(1, { ...RAISE, test_cases: ["def test_case(*all): pass"] });
    expect(await decide(untested, "DELETE FROM boats")).toMatchObject({
      verdict: "mismatch",
      flags: ["state_compared", "tests_not_run"],
    });
    expect(await decide(recordOn(1, {}, "harbour/gone.sql"), "SELECT 1")).toMatchObject({
      verdict: "gold_error",
      detail: /gone\.sql.*not there/ as unknown,
    });
    expect(await decide(recordOn(1, {}, "harbour/broken.sql"), "SELECT 1")).toMatchObject({
      verdict: "gold_error",
      detail: /broken\.sql, line 2: .*oops/ as unknown,
    });
  });

  it("are the reference's fault where there is no PostgreSQL", async () => {
    const sandbox = openSqliteSandbox({ children: 1 });
    const view = verifierView(recordOn(1));
    expect(await verify(view, "SELECT 1", folder.path, new ExecutionCache(sandbox))).toMatchObject({
      verdict: "gold_error",
    });
    await sandbox.close();
  });

  it("show an agent their schema with values", async () => {
    const schemas = new SchemaCache();
    const record = recordOn(1);
    await schemas.prepare(join(folder.path, record.public.database.path), engines);
    expect(taskOf(record, folder.path, schemas, "run").agent.schema).toMatchObject([
      {
        name: "boats",
        columns: [
          { name: "boat_id", type: "integer", key: true },
          { name: "name", type: "character(8)", key: false },
          {},
          {},
          {},
        ],
        examples: {
          name: ["Anna", "Bob", "Carla"],
          overall_length: ["11.00", "8.50", "14.00"],
          home: ["Kiel", "Wismar"],
        },
      },
    ]);
  });

  it("pass validation and the release gate, with what is wrong named", async () => {
    const sound = [
      recordOn(1),
      recordOn(2, RAISE),
      recordOn(3, { reference_sql: ["CREATE TEMP TABLE x AS SELECT 1 AS a", "SELECT a FROM x"] }),
    ];
    const faulty = [
      recordOn(4, { reference_sql: ["SELECT oops"] }),
      recordOn(5, { alternative_sql: ["SELECT name, overall_length FROM boats WHERE true"] }),
      recordOn(6, { alternative_sql: ["SELECT oops"] }),
      recordOn(7, { reference_sql: ["SELECT 1 WHERE false"] }),
      recordOn(8, {}, "harbour/broken.sql"),
    ];
    const codes: string[] = [];
    for await (const { findings } of validate([datasetOf([...sound, ...faulty])], engines, 4)) {
      codes.push(...findings.filter(({ severity }) => severity === "error").map(({ code }) => code));
    }
    expect(codes).toEqual([
      "reference_fails",
      "alternative_equal",
      "alternative_fails",
      "reference_empty",
      "database",
    ]);
    const passed = await gate([datasetOf(sound)], engines, 4);
    expect(passed).toMatchObject({ records: 3, verifiable: 3, references: 3 });
    expect(passed.findings.filter(({ severity }) => severity === "error")).toEqual([]);
  });
});
