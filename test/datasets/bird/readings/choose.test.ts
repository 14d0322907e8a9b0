import Database from "better-sqlite3";
import { describe, expect, it } from "vitest";
import { conceptsFor } from "../../../../pipelines/datasets/bird/concepts.js";
import {
  applyEdits,
  areCompatible,
  chooseReadings,
  LEAST_DOUBT,
  MOST_READINGS,
  type Proposal,
  proposeReadings,
  writeQuery,
} from "../../../../pipelines/datasets/bird/readings/index.js";
import { survivors } from "../../../../pipelines/datasets/bird/survivors.js";
import type { Execution } from "../../../../pipelines/sql/index.js";
import { SHOP, shop, shopValues } from "./shop.js";

const SQL =
  "SELECT T1.full_name FROM customer AS T1 INNER JOIN city AS T2 ON T1.home_city_id = T2.id WHERE T2.city_name = 'Lund' AND T1.height_cm BETWEEN 160 AND 190 ORDER BY T1.weight_kg LIMIT 1";
const QUESTION = "Name the lightest customer of Lund between 160 and 190 cm.";

function proposed(sql = SQL, question = QUESTION) {
  const made = proposeReadings(sql, question, shop, shopValues);
  if ("unreadable" in made) throw new Error(made.unreadable);
  return made;
}
const always = () => Promise.resolve(true);
const orders = <T>(all: readonly T[]): T[][] =>
  all.length < 2
    ? [[...all]]
    : all.flatMap((one, at) => orders(all.filter((_, other) => other !== at)).map((rest) => [one, ...rest]));

describe("the choice among readings", () => {
  it("takes the most doubtful ones that leave each other alone, at most three", async () => {
    const { query, proposals } = proposed();
    const chosen = await chooseReadings(query, proposals, always);
    expect(chosen.length).toBe(MOST_READINGS);
    expect(chosen[0]).toBe(proposals[0]);
    for (const [at, one] of chosen.entries()) {
      expect(one.doubt).toBeGreaterThanOrEqual(LEAST_DOUBT);
      for (const other of chosen.slice(at + 1)) expect(areCompatible(one, other)).toBe(true);
    }
  });

  it("comes to one statement in whatever order compatible edits are made", async () => {
    const { query, proposals } = proposed();
    const chosen = await chooseReadings(query, proposals, always);
    const made = orders(chosen).map((some) =>
      writeQuery(
        applyEdits(
          query,
          some.map(({ edit }) => edit),
        ),
      ),
    );
    expect(new Set(made).size).toBe(1);
  });

  it("does not put two edits of one place together", () => {
    const { proposals } = proposed();
    const of = (operator: string): Proposal => {
      const found = proposals.find(({ edit }) => edit.operator === operator);
      if (found === undefined) throw new Error(`no ${operator}`);
      return found;
    };
    expect(areCompatible(of("ties"), of("null-treatment"))).toBe(false);
    expect(areCompatible(of("ties"), of("inclusive-bound"))).toBe(true);
  });

  it("leaves one out where the statement with all of them gives nothing", async () => {
    const { query, proposals } = proposed();
    const [first] = proposals;
    const chosen = await chooseReadings(query, proposals, () => Promise.resolve(false));
    expect(chosen).toEqual([first]);
  });

  it("is the same every time", () => {
    const sqls = (): string[] => proposed().proposals.map(({ sql }) => sql);
    expect(sqls()).toEqual(sqls());
    expect(new Set(sqls()).size).toBe(sqls().length);
  });
});

describe("survival", () => {
  const database = new Database(":memory:");
  database.exec(`${SHOP}
    INSERT INTO city VALUES (1, 'Lund', 'South'), (2, 'Ystad', 'South');
    INSERT INTO customer VALUES
      (1, 'Ann', 'Ann Berg', '1990-02-03', 170, 60, 1, 2, 'Private', 'A'),
      (2, 'Bo', 'Bo Dahl', '1991-02-03', 170, NULL, 1, 1, NULL, 'B'),
      (3, 'Cy', 'Cy Ek', '1992-02-03', 180, 80, 2, 1, 'Business', 'A');`);
  const run = (sql: string): Promise<Execution> => {
    const ran = { duration_ms: 0, rewrites: [] };
    try {
      const rows = database.prepare<[], unknown[]>(sql).raw().all() as (string | number | null)[][];
      const cells = rows.map((row) => row.map((value) => (value === null ? null : `t${value}`)));
      return Promise.resolve({ ...ran, outcome: "rows", columns: [], rows: cells, row_count: cells.length });
    } catch (error) {
      return Promise.resolve({ ...ran, outcome: "error", message: (error as Error).message });
    }
  };

  it("keeps what runs, differs and says something, and names the fate of the rest", async () => {
    const sql = "SELECT first_name FROM customer WHERE segment <> 'Private'";
    const made = proposed(sql, "Which customers are not private?");
    const outcome = await survivors(made, sql, run);
    if ("misread" in outcome) throw new Error(outcome.misread);
    expect(outcome.survived.map(({ edit }) => edit.operator)).toEqual(["null-treatment", "other-column"]);
    const tallest = "SELECT first_name FROM customer WHERE height_cm = (SELECT MAX(height_cm) FROM customer)";
    const same = await survivors(proposed(tallest, "Who is the tallest customer?"), tallest, run);
    expect(
      "fallen" in same && same.fallen.map(({ why, proposal }) => [proposal.edit.operator, why]),
    ).toContainEqual(["ties", "equal"]);
    const weightless = "SELECT weight_kg FROM customer WHERE id = 2";
    const nothing = await survivors(proposed(weightless, "What does Bo weigh?"), weightless, run);
    expect("survived" in nothing && nothing.survived).toEqual([]);
  });

  it("proves nothing on a tree that gives another result than the statement", async () => {
    const other = proposed("SELECT first_name FROM customer", "Who?");
    expect(await survivors(other, "SELECT first_name FROM customer WHERE id = 1", run)).toHaveProperty(
      "misread",
    );
  });
});

describe("an ambiguity's concepts", () => {
  const reading = {
    operator: "other-column" as const,
    form: "linked",
    reference: "the home city of the customer",
    alternative: "the work city of the customer",
    anchor: null,
    sql: "",
    telling: { reference: "home", alternative: "work" },
  };

  it("are the rewriter's, each once, or the words of both readings and of the hints about them", () => {
    expect(conceptsFor(["home", "Home", " ", "work"], reading, "")).toEqual(["home", "work"]);
    const found = conceptsFor(
      [],
      reading,
      "of Lund refers to city_name = 'Lund'; light refers to weight_kg < 60",
    );
    expect(found).toEqual(expect.arrayContaining(["home", "work", "city", "customer", "city_name", "Lund"]));
    expect(found).not.toContain("weight_kg");
  });
});
