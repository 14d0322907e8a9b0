import { spawn } from "node:child_process";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { Interrupted } from "../../pipelines/errors.js";
import { PACKAGE_ROOT } from "../../pipelines/package-root.js";
import { openSqliteSandbox } from "../../pipelines/sql/index.js";
import { makeDatabase, temporaryFolder } from "./made-database.js";

const folder = temporaryFolder();
// In WAL mode, so that there is a private copy to clear away.
const script = "PRAGMA journal_mode = WAL; CREATE TABLE t (a); INSERT INTO t VALUES (1);";
const database = makeDatabase(folder.path, "t", script);
// Where sandboxes of this file put their folders: test files run side by side.
process.env.TMPDIR = folder.path;
afterAll(() => folder.remove());

const ENDLESS = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT count(*) FROM n";
const onLinux = process.platform === "linux";

/** Processes whose parent is `pid`, running or not yet reaped. */
function childrenOf(pid: number): number[] {
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .filter((name) => {
      try {
        return new RegExp(`^PPid:\\s+${pid}$`, "m").test(readFileSync(`/proc/${name}/status`, "utf8"));
      } catch {
        return false;
      }
    })
    .map(Number);
}

const isAlive = (pid: number) =>
  existsSync(`/proc/${pid}`) && !/^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, "utf8"));

async function until(condition: () => boolean, ms = 60_000): Promise<void> {
  for (const end = performance.now() + ms; !condition(); ) {
    if (performance.now() > end) throw new Error("waited in vain");
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

/** A process of its own that runs a quick job, reports it, and then starts an endless one. */
function parentProcess(after: string) {
  const module = JSON.stringify(join(PACKAGE_ROOT, "dist/pipelines/sql/index.js"));
  const script = `
    const { openSqliteSandbox } = await import(${module});
    const sandbox = openSqliteSandbox({ children: 2 });
    const database = ${JSON.stringify(database)};
    const [first] = await Promise.all([sandbox.run({ database, sql: "SELECT a FROM t" }), sandbox.run({ database, sql: "SELECT 2" })]);
    console.log(first.outcome);
    ${after}`;
  const parent = spawn(process.execPath, ["--input-type=module", "-e", script], {
    stdio: ["ignore", "pipe", "inherit"],
    env: { ...process.env, NODE_OPTIONS: "" },
  });
  let output = "";
  parent.stdout.on("data", (chunk: Buffer) => {
    output += chunk.toString();
  });
  const ended = new Promise<number | null>((resolve) => parent.once("close", (code) => resolve(code)));
  return { parent, ended, output: () => output };
}

const scratchFolders = () => readdirSync(folder.path).filter((name) => name.startsWith("ambitab-sql-"));

describe("the sandbox's processes", () => {
  test("close() ends them, rejects what has not ended, and leaves no folder", async () => {
    const sandbox = openSqliteSandbox({ children: 2 });
    await Promise.all([
      sandbox.run({ database, sql: "SELECT 1" }),
      sandbox.run({ database, sql: "SELECT 2" }),
    ]);
    const children = onLinux ? childrenOf(process.pid) : [];
    if (onLinux) expect(children.length).toBeGreaterThan(0);
    expect(scratchFolders()).toHaveLength(1);
    const pending = Array.from({ length: 5 }, () => sandbox.run({ database, sql: ENDLESS }));
    const outcomes = Promise.allSettled(pending);
    await sandbox.close();
    for (const outcome of await outcomes) {
      expect(outcome).toMatchObject({ status: "rejected", reason: expect.any(Interrupted) });
    }
    expect(children.filter(isAlive).filter((pid) => childrenOf(process.pid).includes(pid))).toEqual([]);
    expect(scratchFolders()).toEqual([]);
    await expect(sandbox.run({ database, sql: "SELECT 1" })).rejects.toThrow(/closed/);
  });

  test("a program that forgets to close still ends", async () => {
    const { ended, output } = parentProcess("");
    expect(await ended).toBe(0);
    expect(output()).toBe("rows\n");
    await until(() => scratchFolders().length === 0);
  });

  test.runIf(onLinux)("they end when the parent is killed, in the middle of a statement too", async () => {
    const { parent, ended, output } = parentProcess(
      `await sandbox.run({ database, sql: ${JSON.stringify(ENDLESS)} });`,
    );
    await until(() => output() === "rows\n");
    await new Promise((resolve) => setTimeout(resolve, 200));
    const children = childrenOf(parent.pid as number);
    expect(children).toHaveLength(2);
    expect(scratchFolders()).toHaveLength(1);
    parent.kill("SIGKILL");
    await ended;
    await until(() => !children.some(isAlive), 5000);
    await until(() => scratchFolders().length === 0);
  });

  test.runIf(onLinux)(
    "Ctrl-C does not end them; a killed one is replaced and its job runs again",
    async () => {
      const sandbox = openSqliteSandbox({ children: 1 });
      const others = childrenOf(process.pid);
      await sandbox.run({ database, sql: "SELECT 1" });
      const [child] = childrenOf(process.pid).filter((pid) => !others.includes(pid));
      process.kill(child as number, "SIGINT");
      expect(await sandbox.run({ database, sql: "SELECT a FROM t" })).toMatchObject({ rows: [["i1"]] });
      expect(isAlive(child as number)).toBe(true);

      const slow = sandbox.run({ database, sql: `${ENDLESS.replace("FROM n)", "FROM n LIMIT 3000000)")}` });
      const behind = sandbox.run({ database, sql: "SELECT 5" });
      await new Promise((resolve) => setTimeout(resolve, 60));
      process.kill(child as number, "SIGKILL");
      expect(await slow).toMatchObject({ outcome: "rows", rows: [["i3000000"]] });
      expect(await behind).toMatchObject({ outcome: "rows", rows: [["i5"]] });
      await sandbox.close();
    },
  );
});
