import { type ChildProcess, spawn } from "node:child_process";
import { chmodSync, cpSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import pg from "pg";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { UserError } from "../../../pipelines/errors.js";
import { PACKAGE_ROOT } from "../../../pipelines/package-root.js";
import {
  nativeFolder,
  programsFor,
  serverAccount,
  serversFolder,
} from "../../../pipelines/sql/postgres/binaries.js";
import { type EmbeddedServer, startEmbedded } from "../../../pipelines/sql/postgres/embedded.js";
import { openPostgres } from "../../../pipelines/sql/postgres/index.js";
import { temporaryFolder } from "../made-database.js";

const folder = temporaryFolder();
// Where servers of this file put their folders: test files run side by side. For the server's account it must be as /tmp is.
chmodSync(folder.path, 0o1777);
const usual = process.env.TMPDIR;
process.env.TMPDIR = folder.path;
const dump = join(folder.path, "t.sql");
writeFileSync(dump, "CREATE TABLE t (a int); INSERT INTO t VALUES (1), (2);");
afterAll(() => {
  if (usual === undefined) delete process.env.TMPDIR;
  else process.env.TMPDIR = usual;
  folder.remove();
});

const onLinux = process.platform === "linux";
const asRoot = process.getuid?.() === 0;
const folders = () => readdirSync(folder.path).filter((name) => name.startsWith("ambitab-postgres-"));

/** Processes that have a word on their command line, supervisors and backends too. */
function processesWith(word: string): number[] {
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .filter((pid) => {
      try {
        return readFileSync(`/proc/${pid}/cmdline`, "utf8").includes(word);
      } catch {
        return false;
      }
    })
    .map(Number);
}

async function until(condition: () => boolean, ms = 120_000): Promise<void> {
  for (const end = performance.now() + ms; !condition(); ) {
    if (performance.now() > end) throw new Error("waited in vain");
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

const programs: ChildProcess[] = [];
afterAll(() => {
  for (const child of programs) child.kill("SIGKILL");
});

/** A program of its own that opens a server, loads a dump, says so, and goes on with `after`. */
function program(after: string, environment: Record<string, string> = {}) {
  const module = JSON.stringify(join(PACKAGE_ROOT, "dist/pipelines/sql/postgres/index.js"));
  const script = `
    const { openPostgres } = await import(${module});
    const server = await openPostgres({ url: process.env.DATABASE_URL });
    const { template } = await server.loadTemplate("t", [{ path: ${JSON.stringify(dump)} }]);
    console.log("loaded");
    ${after}`;
  const child = spawn(process.execPath, ["--input-type=module", "-e", script], {
    stdio: ["ignore", "pipe", "inherit"],
    env: { ...process.env, NODE_OPTIONS: "", ...environment },
  });
  let output = "";
  child.stdout.on("data", (chunk: Buffer) => {
    output += chunk.toString();
  });
  const ended = new Promise<number | null>((resolve) => child.once("close", (code) => resolve(code)));
  programs.push(child);
  return { child: child as ChildProcess, ended, said: (word: string) => until(() => output.includes(word)) };
}
const BUSY = `const busy = server.run({ template, statements: ["SELECT pg_sleep(100)"], limits: { timeoutMs: 100_000 } });
  setTimeout(() => console.log("busy"), 200); await busy;`;

describe.skipIf(!onLinux)("the embedded server", () => {
  test("ends with a program that is killed in the middle of a statement, or forgets to close it", async () => {
    const [killed, forgetful] = [program(BUSY), program("")];
    await Promise.all([killed.said("busy"), forgetful.said("loaded")]);
    killed.child.kill("SIGKILL");
    expect(await forgetful.ended).toBe(0);
    await until(() => folders().length === 0);
    await until(() => processesWith(join(folder.path, "ambitab-postgres-")).length === 0);
  });

  test("that even its supervisor has left is ended by the next one, and one that lives is not", async () => {
    const alive = await openPostgres();
    const [kept = ""] = folders();
    const lost = program(BUSY);
    await lost.said("busy");
    const left = folders().find((name) => name !== kept) ?? "";
    // Or it would see its supervisor go, and tidy up before it is killed itself.
    lost.child.kill("SIGSTOP");
    const supervisors = processesWith(left).filter((pid) =>
      readFileSync(`/proc/${pid}/cmdline`, "utf8").startsWith("/bin/sh"),
    );
    expect(supervisors.length).toBeGreaterThan(0);
    for (const pid of supervisors) process.kill(pid, "SIGKILL");
    lost.child.kill("SIGKILL");
    await lost.ended;
    expect(processesWith(left).length).toBeGreaterThan(0);

    const next = await openPostgres();
    expect(folders()).not.toContain(left);
    await until(() => processesWith(left).length === 0);
    expect(await alive.version()).toMatch(/^15\./);
    await Promise.all([next.close(), alive.close()]);
    expect(folders()).toEqual([]);
    await until(() => processesWith(kept).length === 0);
  });

  test.skipIf(!asRoot)(
    "runs from a place that root alone can enter, by copying itself out of it",
    async () => {
      const account = serverAccount();
      const secret = join(folder.path, "root-only");
      mkdirSync(secret, { mode: 0o700 });
      cpSync(await nativeFolder(), join(secret, "native"), { recursive: true, verbatimSymlinks: true });
      const own = join(folder.path, "own");
      mkdirSync(own, { mode: 0o755 });
      expect(await programsFor(account, own)).toBe(join(await nativeFolder(), "bin"));
      expect(await programsFor(account, own, join(secret, "native"))).toBe(join(own, "native", "bin"));
      expect(existsSync(join(own, "native", "bin", "postgres"))).toBe(true);
    },
  );

  test.skipIf(!asRoot)("keeps its folder where its account can enter", () => {
    const closed = join(folder.path, "closed");
    mkdirSync(closed, { mode: 0o700 });
    process.env.TMPDIR = closed;
    try {
      expect(serversFolder(serverAccount())).toBe("/tmp");
      expect(serversFolder(undefined)).toBe(closed);
    } finally {
      process.env.TMPDIR = folder.path;
    }
  });
});

describe.skipIf(!onLinux)("a server that is given (DATABASE_URL)", () => {
  let given: EmbeddedServer;
  let admin: pg.Client;
  const urlFor = (user: string, password: string) =>
    `postgres://${user}:${password}@localhost/postgres?host=${encodeURIComponent(given.host)}`;
  let url: string;
  /** What runs have left on it. */
  const remains = async () => {
    const { rows } = await admin.query<{ name: string }>(
      "SELECT datname AS name FROM pg_database WHERE datname ~ '^ambitab_[0-9a-f]' UNION SELECT rolname FROM pg_roles WHERE rolname ~ '^ambitab_[0-9a-f]{10}'",
    );
    return rows.map(({ name }) => name);
  };

  beforeAll(async () => {
    given = await startEmbedded(512 * 1024 ** 2);
    url = urlFor(given.user, given.password);
    admin = new pg.Client({
      host: given.host,
      user: given.user,
      password: given.password,
      database: "postgres",
    });
    admin.on("error", () => undefined);
    await admin.connect();
  });
  afterAll(async () => {
    await admin.end();
    await given.close();
  });

  test("serves two runs at once, and is left as it was", async () => {
    const [one, two] = await Promise.all([openPostgres({ url }), openPostgres({ url })]);
    const [a, b] = await Promise.all([one, two].map((server) => server.loadTemplate("t", [{ path: dump }])));
    expect(a?.template).not.toBe(b?.template);
    const sum = { statements: ["UPDATE t SET a = a * 10 RETURNING a"] };
    expect(await one.run({ template: a?.template ?? "", ...sum })).toMatchObject({
      rows: [["i10"], ["i20"]],
    });
    await one.close();
    expect(await two.run({ template: b?.template ?? "", ...sum })).toMatchObject({
      rows: [["i10"], ["i20"]],
    });
    await two.close();
    expect(await remains()).toEqual([]);
  });

  test("is cleared of what a killed run has left, by the next run", async () => {
    const killed = program(BUSY, { DATABASE_URL: url });
    await killed.said("busy");
    killed.child.kill("SIGKILL");
    await killed.ended;
    const left = await remains();
    expect(left.length).toBeGreaterThan(2);
    // The server notices a client that is gone within a second.
    for (let tries = 0; tries < 100; tries++) {
      const next = await openPostgres({ url });
      const now = await remains();
      await next.close();
      if (!now.some((name) => left.includes(name))) break;
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
    expect(await remains()).toEqual([]);
  });

  test("may be one on which we are no superuser", async () => {
    await admin.query("CREATE ROLE maker LOGIN CREATEDB CREATEROLE PASSWORD 'maker'");
    const server = await openPostgres({ url: urlFor("maker", "maker") });
    const { template } = await server.loadTemplate("t", [{ path: dump }]);
    expect(await server.run({ template, statements: ["DELETE FROM t RETURNING a"] })).toMatchObject({
      rows: [["i1"], ["i2"]],
    });
    expect(await server.run({ template, statements: ["COPY t TO '/tmp/x'"] })).toMatchObject({
      outcome: "error",
    });
    await server.close();
    expect(await remains()).toEqual([]);
  });

  test("that cannot be used says why, and not with what password", async () => {
    await admin.query("CREATE ROLE reader LOGIN PASSWORD 'hush'");
    const problems: [string, RegExp][] = [
      [urlFor("reader", "hush"), /does not let reader make databases and roles/],
      [urlFor("reader", "wrong-hush"), /cannot be reached: .*password authentication failed/],
      ["postgres://u:hush@127.0.0.1:1/x", /127\.0\.0\.1:1\/x cannot be reached/],
      ["mysql://u:hush@host/x", /DATABASE_URL is for mysql, not for PostgreSQL/],
      ["host=localhost", /DATABASE_URL is not a URL/],
    ];
    for (const [bad, message] of problems) {
      const error = await openPostgres({ url: bad }).then(
        () => undefined,
        (thrown: unknown) => thrown as UserError,
      );
      expect(error).toBeInstanceOf(UserError);
      expect(error?.message).toMatch(message);
      expect(`${error?.message} ${error?.remedy}`).not.toContain("hush");
    }
  });
});
