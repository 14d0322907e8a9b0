import { createHash } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { PACKAGE_ROOT } from "../../pipelines/package-root.js";
import { compareExecutions, openSqliteSandbox } from "../../pipelines/sql/index.js";

const data = resolve(process.env.AMBITAB_DATA ?? join(PACKAGE_ROOT, "../shared/data"), "bird");
const database = join(data, "dev/dev_databases/superhero/superhero.sqlite");
const here = existsSync(database);
if (!here) console.warn(`skipped: BIRD's superhero database is not in ${data}`);

interface Official {
  releases: Record<string, Record<string, Record<string, 0 | 1 | null>>>;
}
const fixture = new URL("./fixtures/superhero-official-ex.json", import.meta.url);
const official = JSON.parse(readFileSync(fixture, "utf8")) as Official;

const GOLD: Record<string, string> = { dev_2023: "dev_2023/dev.json", dev_20240627: "dev/dev.json" };
const SEPARATOR = "\t----- bird -----\t";

function goldOf(release: string): Map<string, string> {
  const rows = JSON.parse(readFileSync(join(data, GOLD[release] as string), "utf8")) as {
    question_id: number;
    SQL: string;
  }[];
  return new Map(rows.map((row) => [String(row.question_id), row.SQL]));
}

describe.skipIf(!here)("BIRD's official execution accuracy on superhero, by running both sides", () => {
  const sandbox = openSqliteSandbox({ children: 2 });
  afterAll(() => sandbox.close());

  const cases = Object.entries(official.releases).flatMap(([release, files]) =>
    Object.keys(files).map((file) => ({ release, file })),
  );
  test.each(cases)("$release, $file", async ({ release, file }) => {
    const before = createHash("sha256").update(readFileSync(database)).digest("hex");
    const gold = goldOf(release);
    const predictions = JSON.parse(readFileSync(join(data, "predictions", `${file}.json`), "utf8")) as Record<
      string,
      unknown
    >;
    const verdicts = official.releases[release]?.[file] ?? {};
    expect(Object.keys(verdicts)).toHaveLength(129);
    const ours = await Promise.all(
      Object.keys(verdicts).map(async (id) => {
        const answer = predictions[id];
        if (typeof answer !== "string" || !answer.includes(SEPARATOR)) return [id, null];
        const sql = answer.split(SEPARATOR)[0] as string;
        const [prediction, reference] = await Promise.all([
          sandbox.run({ database, sql }),
          sandbox.run({ database, sql: gold.get(id) as string }),
        ]);
        const { verdict } = compareExecutions("bird_ex", false, prediction, reference);
        expect(verdict).not.toMatch(/^gold/);
        return [id, verdict === "match" ? 1 : 0];
      }),
    );
    expect(Object.fromEntries(ours)).toEqual(verdicts);
    expect(createHash("sha256").update(readFileSync(database)).digest("hex")).toBe(before);
  });
});
