import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import {
  checkGuarantees,
  type IntentView,
  intentMatcher,
  intentResponder,
} from "../../pipelines/oracle/index.js";
import { PACKAGE_ROOT } from "../../pipelines/package-root.js";

const FILE = join(
  process.env.AMBITAB_DATA ?? join(PACKAGE_ROOT, "..", "shared", "data"),
  "ambiqt/benchmark/col-synonyms/validation.regenerated.json",
);
const present = existsSync(FILE);
if (!present)
  console.warn(`skipped: ${FILE} is not here (set AMBITAB_DATA to the folder that holds ambiqt/)`);

interface Row {
  readonly extra_map: Readonly<Record<string, Readonly<Record<string, readonly string[]>>>>;
}
const spell = (name: string): string => name.replaceAll("_", " ");

/** One view for every (table, column, synonyms) of the file: the column in words, the names, and the noun forms. */
function units(): Map<string, IntentView> {
  const views = new Map<string, IntentView>();
  for (const row of JSON.parse(readFileSync(FILE, "utf8")) as Row[]) {
    for (const [table, columns] of Object.entries(row.extra_map)) {
      for (const [column, synonyms] of Object.entries(columns)) {
        const names = [column, ...synonyms];
        const aliases = names.flatMap((name) => [name, spell(name), `${spell(table)} ${spell(name)}`]);
        const term = spell(column);
        const ambiguity = { ambiguity_id: "0", term, aliases, counts: true, response: `The ${synonyms[0]}.` };
        views.set(`${table}.${names.join("/")}`, { ambiguities: [ambiguity] });
      }
    }
  }
  return views;
}

/** Questions about the answer's shape, which no column's ambiguity should be credited for. */
const OFF_TOPIC = [
  "How many rows should I return?",
  "Should the results be sorted in ascending or descending order?",
  "Should I remove duplicates from the list?",
  "What format should the output have?",
  "Which tables should I use?",
  "Should I count distinct values?",
  "Do you want the column names in the header?",
  "Which date range are you interested in?",
  "What kind of information do you need?",
  "Should I limit the number of records?",
  "Should numbers be rounded to two decimals?",
];

describe.skipIf(!present)("the column pairs of AmbiQT", () => {
  const views = present ? units() : new Map<string, IntentView>();

  it("keep every guarantee", async () => {
    expect(views.size).toBeGreaterThan(200);
    for (const [unit, view] of views) {
      expect(await checkGuarantees(view, intentMatcher, intentResponder), unit).toEqual([]);
    }
  });

  it("are credited to questions by either name, and to none about the answer's shape", () => {
    for (const [unit, view] of views) {
      const { term, aliases } = view.ambiguities[0] ?? { term: "", aliases: [] };
      for (const name of [term, ...aliases]) {
        for (const asked of [`What do you mean by ${name}?`, `Is it the '${name}' that you want?`]) {
          expect(intentMatcher.match(asked, [], view).credits, `${unit}: ${asked}`).toEqual(["0"]);
        }
      }
      for (const asked of OFF_TOPIC) {
        expect(intentMatcher.match(asked, [], view).credits, `${unit}: ${asked}`).toEqual([]);
      }
    }
  });
});
