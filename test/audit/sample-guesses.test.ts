import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { guessRates } from "../../pipelines/audit/guess.js";
import { guessableRecords } from "../../pipelines/audit/guessable.js";
import { sampleFolder } from "../../sources/index.js";
import { type BuiltSuite, builtAmbiqt, withSourceOrder } from "./built-sample.js";

let built: BuiltSuite;
beforeAll(async () => {
  built = await builtAmbiqt();
});
afterAll(() => built.remove());

describe("the built sample", () => {
  it("tells a single-feature guesser nothing of the reading or of which column holds the values", async () => {
    const validation = join(sampleFolder("ambiqt"), "benchmark/col-synonyms/validation.json");
    const records = withSourceOrder(await guessableRecords(built.dataset), validation);
    expect(records.every(({ schema_position }) => schema_position !== undefined)).toBe(true);
    expect(records.filter(({ holds_original }) => holds_original).length).toBe(records.length / 2);
    for (const rate of guessRates(records)) {
      expect(rate.n, rate.guesser).toBeGreaterThan(0);
      expect(Math.abs(rate.z), JSON.stringify(rate)).toBeLessThan(4);
    }
  });
});
