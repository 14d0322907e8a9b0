import { describe, expect, it } from "vitest";
import {
  NoSentence,
  readSelect,
  recordsTerm,
  saySelect,
  speakerFor,
} from "../../../pipelines/datasets/taco/verbaliser/index.js";

const COLUMNS = [
  "SITE_NAME",
  "Town",
  "Acres",
  "OBJECTID",
  "FacilityType",
  "Count",
  "CLOSED_ON",
  "Planted",
  "FLD_ZONE",
];

function said(sql: string, tables: readonly string[] = ["parcels_2019", "parcels_2020"]): string {
  const speaker = speakerFor(COLUMNS, tables);
  return saySelect(speaker, readSelect(sql, COLUMNS), recordsTerm(speaker), null);
}

/** Every form of a single-table SELECT that the issue names, and how it is said. */
const SENTENCES: [sql: string, sentence: string][] = [
  ["SELECT Town FROM t", "Show the town for the records."],
  [
    "SELECT t.SITE_NAME, t.Town, Acres AS size FROM t;",
    "Show the site name, town and acres for the records.",
  ],
  ["SELECT * FROM t", "Show all details for the records."],
  ["SELECT DISTINCT Town FROM t", "Show each different town among the records."],
  [
    "SELECT DISTINCT Town, FacilityType FROM t",
    "Show each different combination of town and facility type among the records.",
  ],
  ["SELECT COUNT(*) FROM t", "Count the records."],
  [
    "SELECT COUNT(Town), COUNT(DISTINCT Town) FROM t",
    "Show the number of non-missing town values and the number of different town values over the records.",
  ],
  [
    "SELECT AVG(Acres), SUM(Acres), MIN(Acres), MAX(Acres) FROM t",
    "Show the average acres, the total acres, the minimum acres and the maximum acres over the records.",
  ],
  [
    "SELECT SUM(DISTINCT Acres) FROM t",
    "Show the total of the different values of the acres over the records.",
  ],
  ["SELECT Acres * 2 + 1 FROM t", "Show (the acres times 2) plus 1 for the records."],
  ["SELECT Town || ', VT' FROM t", 'Show (the town followed by ", VT") for the records.'],
  [
    "SELECT CASE WHEN Acres > 5 THEN 'big' ELSE 'small' END FROM t",
    'Show ("big" if the acres are greater than 5, and otherwise "small") for the records.',
  ],
  [
    "SELECT CASE Town WHEN 'Barre' THEN 1 END FROM t",
    'Show (1 if the town is "Barre", and otherwise NULL) for the records.',
  ],
  [
    "SELECT Town FROM t WHERE Acres >= 10 AND FacilityType <> 'Dump'",
    'Show the town for the records where the acres are at least 10 and the facility type is not "Dump".',
  ],
  [
    "SELECT Town FROM t WHERE Acres < 3 OR Acres > 9",
    "Show the town for the records where the acres are less than 3 or the acres are greater than 9.",
  ],
  [
    "SELECT Town FROM t WHERE Acres <= 3 AND (Town = 'A' OR Town = 'B')",
    'Show the town for the records where the acres are at most 3 and either the town is "A" or the town is "B".',
  ],
  [
    "SELECT Town FROM t WHERE (Town = 'A' OR Town = 'B') AND Acres <= 3",
    'Show the town for the records where (the town is "A" or the town is "B") and the acres are at most 3.',
  ],
  ["SELECT Town FROM t WHERE NOT Town = 'A'", 'Show the town for the records where the town is not "A".'],
  [
    "SELECT Town FROM t WHERE NOT (Town = 'A' OR Acres = 1)",
    'Show the town for the records where it is not true that (the town is "A" or the acres are 1).',
  ],
  [
    "SELECT Town FROM t WHERE Town IN ('A', 'B', 'C')",
    'Show the town for the records where the town is one of "A", "B" and "C".',
  ],
  [
    "SELECT Town FROM t WHERE Town NOT IN ('A', 'B')",
    'Show the town for the records where the town is none of "A" and "B".',
  ],
  ["SELECT Town FROM t WHERE Town IN ('A')", 'Show the town for the records where the town is "A".'],
  [
    "SELECT Town FROM t WHERE Acres BETWEEN -1 AND 5",
    "Show the town for the records where the acres are between -1 and 5.",
  ],
  [
    "SELECT Town FROM t WHERE Acres NOT BETWEEN 1 AND 5",
    "Show the town for the records where the acres are not between 1 and 5.",
  ],
  [
    "SELECT Town FROM t WHERE Town LIKE 'St%'",
    'Show the town for the records where the town starts with "St".',
  ],
  [
    "SELECT Town FROM t WHERE Town NOT LIKE '%ville'",
    'Show the town for the records where the town does not end with "ville".',
  ],
  [
    "SELECT Town FROM t WHERE Town LIKE '%ill%'",
    'Show the town for the records where the town contains "ill".',
  ],
  [
    "SELECT Town FROM t WHERE Town LIKE 'B_rre'",
    'Show the town for the records where the town matches the pattern "B_rre".',
  ],
  [
    "SELECT Town FROM t WHERE Town NOT GLOB 'B*'",
    'Show the town for the records where the town does not match the case-sensitive pattern "B*".',
  ],
  [
    "SELECT Town FROM t WHERE Acres IS NULL AND Town IS NOT NULL",
    "Show the town for the records where the acres are missing and the town is not missing.",
  ],
  [
    "SELECT Town FROM t WHERE Acres ISNULL AND Town NOTNULL",
    "Show the town for the records where the acres are missing and the town is not missing.",
  ],
  ["SELECT Town FROM t WHERE Town = 'it''s'", 'Show the town for the records where the town is "it\'s".'],
  [
    "SELECT Town, COUNT(*) FROM t GROUP BY Town",
    "For each town among the records, show the town and the count.",
  ],
  [
    "SELECT Town, COUNT(*) n FROM t GROUP BY 1 HAVING n > 3 ORDER BY n DESC, Town",
    "For each town among the records, show the town and the count, but only for groups where the count is greater than 3, sorted by the count in descending order, then by the town.",
  ],
  [
    "SELECT Town, FacilityType, AVG(Acres) FROM t GROUP BY Town, FacilityType",
    "For each combination of town and facility type among the records, show the town, the facility type and the average acres.",
  ],
  [
    "SELECT Town FROM t ORDER BY Acres DESC LIMIT 5",
    "Show the town for the records, sorted by the acres in descending order, keeping only the first 5.",
  ],
  [
    "SELECT Town FROM t LIMIT 5 OFFSET 10",
    "Show the town for the records, skipping the first 10 and keeping only the next 5.",
  ],
  [
    "SELECT Town FROM t LIMIT 10, 5",
    "Show the town for the records, skipping the first 10 and keeping only the next 5.",
  ],
  ["SELECT Town FROM t LIMIT -1 OFFSET 2", "Show the town for the records, skipping the first 2."],
  [
    "SELECT Town FROM t ORDER BY Acres NULLS LAST",
    "Show the town for the records, sorted by the acres with missing ones after all.",
  ],
  [
    "SELECT ROUND(Acres, 1), UPPER(Town), strftime('%Y', CLOSED_ON) FROM t",
    'Show the acres rounded to 1 decimal, the town in capital letters and the year of the "CLOSED_ON" for the records.',
  ],
  ["SELECT CAST(Acres AS INT) FROM t", "Show the acres as a whole number for the records."],
  ["SELECT json_extract(Town, '$.a') FROM t", 'Show JSON_EXTRACT of (the town and "$.a") for the records.'],
  // Names: capitals, run-together words, abbreviations, words of the verbaliser's own.
  [
    "SELECT OBJECTID, FLD_ZONE, Planted FROM t",
    "Show the object ID, FLD zone and planted value for the records.",
  ],
  [
    'SELECT "Count", [Town], `Acres` FROM t WHERE count > 2',
    'Show the "Count", town and acres for the records where the "Count" is greater than 2.',
  ],
];

describe("a sentence", () => {
  it.each(SENTENCES)("%s", (sql, sentence) => {
    expect(said(sql)).toBe(sentence);
  });

  it("takes other words where the tables' names have the usual ones", () => {
    expect(
      said("SELECT Town, COUNT(*) FROM t GROUP BY Town ORDER BY COUNT(*) DESC", [
        "traffic_count",
        "show_list",
      ]),
    ).toBe(
      "For each town among the records, give the town and the number of them, sorted by the number of them in descending order.",
    );
    expect(said("SELECT MAX(Acres) FROM t LIMIT 1", ["maximum_records", "first_entries"])).toBe(
      "Show the highest acres over the rows, keeping only the top 1.",
    );
  });

  it("leaves a word of the table's name out of a column where the rest names it", () => {
    expect(said("SELECT FacilityType FROM t", ["facility_2019"])).toBe("Show the type for the records.");
    expect(said("SELECT SITE_NAME FROM t", ["sites"])).toBe("Show the name for the records.");
  });

  it.each([
    ["SELECT SUM(Acres) OVER (PARTITION BY Town) FROM t", "a window"],
    ["SELECT Town FROM t WHERE Town LIKE 'a!%' ESCAPE '!'", "ESCAPE"],
    ["SELECT COUNT(*) FILTER (WHERE Acres > 1) FROM t", "FILTER"],
    ["SELECT Town FROM t WHERE (Town, Acres) = ('a', 1)", "a row value"],
  ])("has none for %s", (sql) => {
    expect(() => said(sql)).toThrow(NoSentence);
  });
});
