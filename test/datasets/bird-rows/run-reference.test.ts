import { copyFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { runReference } from "../../../pipelines/datasets/bird-rows/index.js";
import { type FileRef, FileStore } from "../../../pipelines/engine/files.js";
import type { StageContext } from "../../../pipelines/engine/stage.js";
import { NO_MODEL } from "../../../pipelines/model/index.js";
import { openSqliteSandbox, type SqliteSandbox } from "../../../pipelines/sql/index.js";
import { sampleFolder } from "../../../sources/index.js";
import { outFolder, removeFolders } from "../ew-bird/building.js";

let sandbox: SqliteSandbox;
let context: StageContext;
let file: FileRef;
beforeAll(async () => {
  sandbox = openSqliteSandbox({ children: 1, limits: { timeoutMs: 400 } });
  const files = new FileStore(outFolder());
  const scratch = files.scratch();
  copyFileSync(
    join(sampleFolder("bird"), "dev/dev_databases/harbour_ferries/harbour_ferries.sqlite"),
    scratch,
  );
  file = await files.adopt(scratch);
  context = {
    settings: { seed: 1, limit: null, strict_readings: false, keep_going: false },
    sourcePath: (relative) => relative,
    files,
    sandbox,
    thread: { run: () => Promise.reject(new Error("nothing is made here")) },
    model: NO_MODEL,
    postgres: () => Promise.reject(new Error("no server is needed here")),
    draws: () => {
      throw new Error("nothing is drawn here");
    },
  };
});
afterAll(async () => {
  await sandbox.close();
  removeFolders();
});

const run = (sql: string) => runReference().run({ file, sql }, context);

describe("the gold SQL", () => {
  it("that does not end is gold_timeout, and the next one runs", async () => {
    const endless = "WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n) SELECT count(*) FROM n";
    expect(await run(endless)).toMatchObject({ dropped: { reason: "gold_timeout" } });
    expect(await run("SELECT 1")).toMatchObject({ kept: [{ sql: "SELECT 1", changes: [] }] });
  });

  it.each([
    ["SELECT port_name, FROM port", "gold_error", /syntax error/],
    ["SELECT `Order Details` FROM port", "gold_error", /no such column/],
    ["DELETE FROM port", "gold_error", /refused/],
    ["SELECT 1; SELECT 2", "gold_error", /refused \(several_statements\)/],
    ["SELECT port_name FROM port WHERE rgn = 'none'", "empty_result", /no rows/],
  ])("%s is %s", async (sql, reason, detail) => {
    expect(await run(sql)).toMatchObject({ dropped: { reason, detail: expect.stringMatching(detail) } });
  });

  it("runs as it is written once double-quoted text is made a literal", async () => {
    expect(await run('SELECT port_name FROM port WHERE rgn = "OC"')).toMatchObject({
      kept: [
        {
          sql: "SELECT port_name FROM port WHERE rgn = 'OC'",
          changes: ['made "OC" string literals, as SQLite resolves them'],
        },
      ],
    });
  });
});
