import { describe, expect, it } from "vitest";
import { type GuessableRecord, guessRates } from "../../pipelines/audit/guess.js";
import { drawsFor } from "../../pipelines/engine/random.js";

/** A made-up dataset in the manner of AmbiQT; each leak is a way in which a careless build would give things away. */
function dataset(
  leak: "none" | "suffix" | "order" | "schema" | "original" | "repeat" | "id",
): GuessableRecord[] {
  const records: GuessableRecord[] = [];
  for (let unit = 0; unit < 120; unit += 1) {
    const coin = (purpose: string): boolean => drawsFor(1, purpose, String(unit)).coin();
    const choices = coin("names") ? ["alpha", "zeta"] : ["zeta", "alpha"];
    const schemaFirst = coin("schema") ? 0 : 1;
    const originalAt = leak === "original" ? 0 : coin("original") ? 0 : 1;
    const unitOrder = coin("unit order");
    for (let row = 0; row < 5; row += 1) {
      const avt = `x/${unit}.${row}`;
      const swap = leak === "repeat" ? unitOrder : drawsFor(1, "suffix", avt).coin();
      const readings = choices.map((choice, at) => ({
        avt_id: avt,
        database_id: `db${unit}`,
        choice,
        schema_position: at === schemaFirst ? 3 : 9,
        source_position: at,
        holds_original: at === originalAt,
      }));
      const [first, second] = readings;
      if (first === undefined || second === undefined) continue;
      let order = swap ? [first, second] : [second, first];
      if (leak === "order" || leak === "suffix") order = [first, second];
      if (leak === "schema") order = schemaFirst === 0 ? [first, second] : [second, first];
      const numbered = order.map((reading, at) => ({ ...reading, record_id: `${avt}#${at + 1}` }));
      if (leak === "suffix" && swap) numbered.reverse();
      records.push(...numbered);
    }
  }
  return records;
}

const worst = (records: readonly GuessableRecord[]) =>
  guessRates(records).reduce((most, one) => (Math.abs(one.z) > Math.abs(most.z) ? one : most));

describe("guessRates", () => {
  it("stays with chance over an honest dataset, and says over how many guesses", () => {
    const rates = guessRates(dataset("none"));
    for (const rate of rates) expect(Math.abs(rate.z), JSON.stringify(rate)).toBeLessThan(4);
    const readings = rates.filter(({ guesser }) => guesser.startsWith("first in file order: first"));
    expect(readings.map(({ n }) => n)).toEqual([600, 600]);
    expect(rates.filter(({ guesser }) => guesser.startsWith("original values: first"))[0]?.n).toBe(120);
    for (const { rate, right, n } of rates) if (n > 0) expect(rate).toBe(right / n);
  });

  const leaks: [Parameters<typeof dataset>[0], RegExp][] = [
    ["order", /first in file order: first in the source/],
    ["suffix", /lowest suffix: first in the source/],
    ["schema", /(file order|suffix): first in the schema/],
    ["original", /: (holds the original values|first in the source)/],
    ["repeat", /as in the database's request before/],
  ];
  for (const [leak, guesser] of leaks) {
    it(`finds a build that leaks by ${leak}`, () => {
      const found = worst(dataset(leak));
      expect(found.guesser).toMatch(guesser);
      expect(Math.abs(found.z)).toBeGreaterThan(9);
    });
  }

  it("makes no guess where there is nothing to choose or nothing to go by", () => {
    expect(guessRates([]).every(({ n, z }) => n === 0 && z === 0)).toBe(true);
    const alone = dataset("none").filter(({ record_id }) => record_id.endsWith("#1"));
    for (const { guesser, n } of guessRates(alone))
      if (!guesser.startsWith("original")) expect(n, guesser).toBe(0);
  });

  it("weighs three readings by a chance of one in three", () => {
    const records = Array.from({ length: 900 }, (_, n): GuessableRecord => {
      const avt_id = `x/${Math.floor(n / 3)}`;
      const order = drawsFor(4, "three", avt_id).permutation(3);
      return {
        avt_id,
        record_id: `${avt_id}#${(n % 3) + 1}`,
        database_id: "one",
        choice: "abc"[order[n % 3] ?? 0] ?? "",
      };
    });
    const rate = guessRates(records).find(({ guesser }) => guesser === "lowest suffix: alphabetically first");
    expect(rate?.n).toBe(300);
    expect(rate?.chance).toBeCloseTo(1 / 3, 10);
    expect(Math.abs(rate?.z ?? 99)).toBeLessThan(4);
  });
});
