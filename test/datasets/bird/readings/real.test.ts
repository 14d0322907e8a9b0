/** What the operators make of BIRD's real rows. The table that this test holds is the one in the report on them. */
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { beforeAll, describe, expect, it } from "vitest";
import {
  chooseReadings,
  LEAST_DOUBT,
  loadPolyglot,
  OPERATOR_NAMES,
  type Proposal,
  parseStatement,
  proposeReadings,
  writeQuery,
} from "../../../../pipelines/datasets/bird/readings/index.js";
import { survivors } from "../../../../pipelines/datasets/bird/survivors.js";
import { openSqliteSandbox } from "../../../../pipelines/sql/index.js";
import { hasBird, type RealRow, rowsOf, SUPERHERO, schemas, superheroValues } from "./real-rows.js";

beforeAll(loadPolyglot);

interface Labelled {
  release: string;
  question_id: number;
  edited: string;
  doubtful: boolean;
}

const LABELS = JSON.parse(
  readFileSync(new URL("fixtures/labelled-proposals.json", import.meta.url), "utf8"),
) as { proposals: Labelled[]; held_out: Labelled[] };

if (!hasBird) console.warn("skipped: BIRD's files are not in $AMBITAB_DATA or ../shared/data");

describe.skipIf(!hasBird)("other readings of BIRD's real rows", () => {
  const schemaOf = schemas();
  // The releases of dev share most of their statements.
  const known = new Map<string, ReturnType<typeof parseStatement>>();
  const parsedOnce = (sql: string): ReturnType<typeof parseStatement> => {
    const parsed = known.get(sql) ?? parseStatement(sql);
    known.set(sql, parsed);
    return parsed;
  };
  const propose = (row: RealRow) =>
    proposeReadings(
      row.SQL,
      row.question,
      schemaOf(row.db_id),
      row.db_id === "superhero" ? superheroValues : undefined,
    );

  it.each([
    ["dev/dev.json", 1534, { polyglot: 9, unreadable: 2 }],
    ["dev_2023/dev.json", 1534, { polyglot: 6, unreadable: 1 }],
    ["train/mini_train.json", 1000, { polyglot: 1, unreadable: 3 }],
  ])(
    "%s: all but a few have a tree",
    (file, count, expected) => {
      const parsers = { polyglot: 0, unreadable: 0 };
      const rows = rowsOf(file);
      for (const row of rows) {
        const parsed = parsedOnce(row.SQL);
        if ("unreadable" in parsed) parsers.unreadable++;
        else if (parsed.parser === "polyglot") parsers.polyglot++;
      }
      expect({ rows: rows.length, ...parsers }).toEqual({ rows: count, ...expected });
    },
    60_000,
  );

  // test/bench/bird-readings.mjs prints the table over all rows.
  it("has something to propose for most rows, by every operator", () => {
    const rows = rowsOf("dev/dev.json").filter((_, at) => at % 6 === 0);
    const used = new Set<string>();
    let without = 0;
    for (const row of rows) {
      const proposed = propose(row);
      const proposals = "unreadable" in proposed ? [] : proposed.proposals;
      if (proposals.length === 0) without++;
      for (const { edit } of proposals) used.add(edit.operator);
    }
    expect([...used].sort()).toEqual([...OPERATOR_NAMES].sort());
    expect(without).toBeLessThan(rows.length * 0.3);
  });

  it.each([
    // The weights were set on these.
    ["109 labelled proposals", LABELS.proposals, { good: 29, bad: 80, area: 0.85, most: 27, least: 26 }],
    // And not changed after these.
    ["50 more, held out", LABELS.held_out, { good: 21, bad: 29, area: 0.8, most: 15, least: 21 }],
  ])("ranks what a person would doubt above what nobody would: %s", (_, labels, expected) => {
    const rows = new Map(
      ["dev", "dev_2023"].flatMap((release) =>
        rowsOf(`${release}/dev.json`).map((row) => [`${release}/${row.question_id}`, row] as const),
      ),
    );
    const hash = (sql: string): string => createHash("sha256").update(sql).digest("hex").slice(0, 16);
    const scored = labels.map(({ release, question_id, edited, doubtful }) => {
      const row = rows.get(`${release}/${question_id}`);
      const proposed = row === undefined ? undefined : propose(row);
      const found = proposed === undefined || "unreadable" in proposed ? [] : proposed.proposals;
      const proposal = found.find(({ sql }) => hash(sql) === edited);
      return { doubtful, doubt: proposal?.doubt ?? Number.NEGATIVE_INFINITY };
    });
    const good = scored.filter(({ doubtful }) => doubtful);
    const bad = scored.filter(({ doubtful }) => !doubtful);
    let won = 0;
    for (const { doubt } of good) {
      for (const other of bad) won += doubt > other.doubt ? 1 : doubt === other.doubt ? 0.5 : 0;
    }
    const area = won / (good.length * bad.length);
    const passed = (some: typeof scored): number => some.filter(({ doubt }) => doubt >= LEAST_DOUBT).length;
    console.info(
      `area under the curve ${area.toFixed(3)}; at ${LEAST_DOUBT} points ${passed(good)} of ${good.length} doubtful and ${passed(bad)} of ${bad.length} others`,
    );
    expect([good.length, bad.length]).toEqual([expected.good, expected.bad]);
    expect(area).toBeGreaterThan(expected.area);
    expect(passed(good)).toBeGreaterThanOrEqual(expected.least);
    expect(passed(bad)).toBeLessThanOrEqual(expected.most);
  });

  it("leaves superhero's rows readings that run, differ and are not empty", async () => {
    const sandbox = openSqliteSandbox();
    const kept: Record<string, number> = {};
    const lost: Record<string, number> = {};
    const chosen = [0, 0, 0, 0];
    try {
      for (const row of rowsOf("dev/dev.json").filter(({ db_id }) => db_id === "superhero")) {
        const proposed = propose(row);
        if ("unreadable" in proposed) throw new Error(proposed.unreadable);
        const run = (sql: string) => sandbox.run({ database: SUPERHERO, sql });
        const outcome = await survivors(proposed, row.SQL, run);
        if ("misread" in outcome) throw new Error(outcome.misread);
        for (const { edit } of outcome.survived) kept[edit.operator] = (kept[edit.operator] ?? 0) + 1;
        for (const { why } of outcome.fallen) lost[why] = (lost[why] ?? 0) + 1;
        const readings: Proposal[] = await chooseReadings(proposed.query, outcome.survived, async (sql) => {
          const execution = await run(sql);
          return execution.outcome === "rows" && execution.row_count > 0;
        });
        chosen[readings.length] = (chosen[readings.length] ?? 0) + 1;
        for (const { sql } of readings) expect(sql).not.toBe(writeQuery(proposed.query));
      }
    } finally {
      await sandbox.close();
    }
    console.info("superhero:", JSON.stringify({ kept, lost, chosen }));
    expect(lost.fails ?? 0).toBe(0);
    expect(chosen.reduce((sum, count) => sum + count, 0)).toBe(129);
    expect(129 - (chosen[0] ?? 0)).toBeGreaterThanOrEqual(55);
  });
});
