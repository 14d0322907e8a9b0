import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Execution } from "../../../pipelines/sql/index.js";
import { openPostgres, type PostgresServer } from "../../../pipelines/sql/postgres/index.js";
import { temporaryFolder } from "../made-database.js";
import { ATTACKS, type Attack } from "./attacks.js";

const folder = temporaryFolder();
const made = join(folder.path, "made");
let server: PostgresServer;
let template: string;
/** A task that is in the middle of a statement while the others attack. */
let bystander: Promise<Execution>;

beforeAll(async () => {
  const path = join(folder.path, "item.sql");
  writeFileSync(
    path,
    `CREATE TABLE item (id int PRIMARY KEY, name text);
     CREATE SEQUENCE item_seq;
     INSERT INTO item SELECT g, 'item ' || g FROM generate_series(1, 100) g;`,
  );
  // Little room, so that a flood is over soon.
  server = await openPostgres({ width: 5, diskGrowth: 48 * 1024 ** 2 });
  ({ template } = await server.loadTemplate("items", [{ path }]));
  const statements = ["SELECT 'sleeps in secret' FROM pg_sleep(600)"];
  bystander = server.run({ template, statements, limits: { timeoutMs: 600_000 } });
  bystander.catch(() => undefined);
});
afterAll(async () => {
  await server.close();
  await bystander.catch(() => undefined);
  folder.remove();
});

/** The attack's SQL with the names of this server in it. */
function statementsOf(attack: Attack): string[] {
  const run = template.replace(/_template_\d+$/, "");
  const names: Record<string, string> = {
    TEMPLATE: template,
    ADMIN: "ambitab_admin",
    OWNER: `${run}_owner`,
    FILE: made,
  };
  return attack.statements.map((sql) =>
    sql.replace(/TEMPLATE|ADMIN|OWNER|FILE/g, (word) => names[word] ?? word),
  );
}

/** Short where the limit is the point; otherwise no busy machine must reach it. */
function limitOf({ outcome, or, timeoutMs }: Attack): number {
  return timeoutMs ?? ([outcome, ...(or ?? [])].includes("timeout") ? 300 : 40_000);
}

/** What the next task finds: everything as it was. */
const UNTOUCHED = `SELECT count(*), current_setting('TimeZone'), current_setting('search_path'),
  current_setting('statement_timeout'), pg_try_advisory_lock(1), (SELECT count(*) FROM pg_prepared_statements),
  (SELECT count(*) FROM pg_listening_channels()), random()::numeric(4, 3), (SELECT is_called FROM item_seq) FROM item`;
const AS_IT_WAS = [["i100", "tUTC", 't"$user", public', "t30s", "o1", "i0", "i0", "n0.870", "o0"]];

describe("untrusted SQL on PostgreSQL", () => {
  // Several at once, as tasks are.
  describe.concurrent("is contained, and the next task is fine after", () => {
    it.each(ATTACKS)("$name", async (attack) => {
      const execution = await server.run({
        template,
        statements: statementsOf(attack),
        isolation: attack.where === "run" ? "rollback" : "clone",
        limits: { timeoutMs: limitOf(attack) },
      });
      expect([attack.outcome, ...(attack.or ?? [])], JSON.stringify(execution)).toContain(execution.outcome);
      if (attack.says !== undefined && execution.outcome === "error") {
        expect(execution.message).toMatch(attack.says);
      }
      if (attack.gives !== undefined && execution.outcome === "rows") {
        expect(execution.rows[0]?.[0]).toBe(attack.gives);
      }
      const next = await server.run({ template, statements: [UNTOUCHED], limits: { timeoutMs: 30_000 } });
      expect(next).toMatchObject({ outcome: "rows", rows: AS_IT_WAS });
    });
  });

  it("has written no file, and has left the others alone", async () => {
    expect(existsSync(made)).toBe(false);
    const still = await Promise.race([
      bystander,
      new Promise((resolve) => setTimeout(resolve, 50, "asleep")),
    ]);
    expect(still).toBe("asleep");
  });
});
