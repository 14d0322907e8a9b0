import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { doubtsOf } from "../../pipelines/evaluation/askers/doubts.js";
import { lexical } from "../../pipelines/evaluation/askers/lexical.js";
import { normalKey } from "../../pipelines/oracle/index.js";
import { type AgentView, agentView, type SchemaTable } from "../../pipelines/record/views.js";

/** `table: column, key!, column=value|value` a line. */
function schema(text: string): SchemaTable[] {
  return text
    .trim()
    .split("\n")
    .map((line) => {
      const [name = "", columns = ""] = line.trim().split(/:\s*/);
      const parsed = columns.split(/,\s*/).map((one) => {
        const [column = "", values = ""] = one.split("=");
        return {
          name: column.replace("!", ""),
          key: column.endsWith("!"),
          values: values.split("|").filter(Boolean),
        };
      });
      return {
        name,
        columns: parsed.map(({ name: column, key }) => ({ name: column, type: "TEXT", key })),
        foreign_keys: [],
        examples: Object.fromEntries(parsed.map(({ name: column, values }) => [column, values])),
      };
    });
}

let handles = 0;
function view(request: string, text: string): AgentView {
  handles += 1;
  const database = { engine: "sqlite" as const, database_id: "d", path: "d.sqlite" };
  return agentView({ public: { request, database } }, `task-${handles}`, schema(text));
}

async function questions(given: AgentView, turns = 6): Promise<string[]> {
  const asked: string[] = [];
  for (let turn = 1; turn <= turns; turn += 1) {
    const decision = await lexical.decide(given, [], { turn, maxTurn: turns + 1 });
    if (decision.kind !== "question") break;
    asked.push(decision.text);
  }
  return asked;
}

const BOATS = "boats: boat_id!, name, hull_length, overall_length, home_port=Kiel|Wismar, port=Kiel|Lübeck";
const CLUB = `${BOATS}
owners: owner_id!, name, home_town, age
car_makers: id!, maker, full_name`;
const PEOPLE = "students: id!, given_name, middle_name, last_name, cell_number, home_number";

const table: [string, string, string[]][] = [
  [
    "Show the length of every boat.",
    BOATS,
    ['When you say "length", do you mean the hull length or the overall length of the boats?'],
  ],
  [
    "Show the lengths of the boats.",
    BOATS,
    ['When you say "lengths", do you mean the hull length or the overall length of the boats?'],
  ],
  // One thing is meant: its name is said in full, or nothing else fits.
  ["Show the hull length of every boat.", BOATS, []],
  ["Show the hullLength of every boat.", BOATS, []],
  ["Show the name of every boat.", CLUB, []],
  ["How old are the owners? Give the age.", CLUB, []],
  // Nothing fits, or only words of asking do.
  ["How many are there?", CLUB, []],
  ["Which colour has each boat?", CLUB, []],
  ["", CLUB, []],
  ["Show all tables and columns.", CLUB, []],
  // Whose it is: the table that the request names, or the phrase itself.
  ["List the names of the owners of boats.", CLUB, []],
  [
    "List each name.",
    CLUB,
    ['When you say "name", do you mean the name of the boats or the name of the owners?'],
  ],
  ["List the boats with their owners' names.", CLUB, []],
  [
    "For boats and owners, list the name.",
    CLUB,
    ['When you say "name", do you mean the name of the boats or the name of the owners?'],
  ],
  ["List the makers' names.", CLUB, []],
  // A phrase that fits nothing as a whole is taken by its last word.
  [
    "List the first name of each student.",
    PEOPLE,
    [
      'When you say "first name", do you mean the given name, the middle name or the last name of the students?',
    ],
  ],
  [
    "List the phone number of each student.",
    PEOPLE,
    ['When you say "phone number", do you mean the cell number or the home number of the students?'],
  ],
  ["List the last name of each student.", PEOPLE, []],
  // Two doubts, the sharper one first, and no phrase twice.
  [
    "For each student, show the name and the number, sorted by name and number.",
    PEOPLE,
    [
      'When you say "number", do you mean the cell number or the home number of the students?',
      'When you say "name", do you mean the given name, the middle name or the last name of the students?',
    ],
  ],
  // Values: only as they are stored.
  [
    "Which boats are from Kiel?",
    BOATS,
    ['When you say "Kiel", do you mean it as the home port or it as the port of the boats?'],
  ],
  ["Which boats are from Wismar?", BOATS, []],
  // More candidates than a question can name.
  ["Show the total.", "a: first_sum\nb: x_total_y, p_total_q\nc: r_total_s, t_total_u\nd: v_total_w", []],
  [
    "Show the sum.",
    "a: first_sum\nb: x_sum_y, p_sum_q\nc: r_sum_s, t_sum_u",
    [
      'When you say "sum", do you mean the first sum of the a, the x sum y of the b, the p sum q of the b or the r sum s of the c, or something else?',
    ],
  ],
];

describe("the lexical asker", () => {
  it.each(table)("%s", async (request, tables, expected) => {
    expect(await questions(view(request, tables))).toEqual(expected);
  });

  it("names nothing that is not in the view, and asks the same every time", () => {
    const given = view("Show the length and port of every boat.", BOATS);
    expect(doubtsOf(given)).toEqual(doubtsOf(structuredClone(given)));
    for (const { phrase, candidates } of doubtsOf(given)) {
      expect(given.request).toContain(phrase);
      for (const { table: name, column } of candidates) {
        expect(given.schema.find((one) => one.name === name)?.columns.map((one) => one.name)).toContain(
          column,
        );
      }
    }
  });

  it("never asks about a phrase twice, never of fewer than two things, whatever request and schema are", () => {
    const word = fc.constantFrom(
      "name",
      "names",
      "full name",
      "age",
      "boat",
      "of the",
      "owners",
      "Kiel",
      ",",
      "?",
      "each",
    );
    const column = fc.constantFrom(
      "name",
      "full_name",
      "ageYears",
      "age",
      "boat_name",
      "home=Kiel",
      "port=Kiel|x",
    );
    const tables = fc.uniqueArray(fc.constantFrom("boats", "owners", "name", "Kiel_list"), { minLength: 1 });
    fc.assert(
      fc.property(
        fc.array(word, { maxLength: 12 }),
        tables,
        fc.uniqueArray(column, { minLength: 1 }),
        (words, names, columns) => {
          const given = view(
            words.join(" "),
            names.map((name) => `${name}: ${columns.join(", ")}`).join("\n"),
          );
          const doubts = doubtsOf(given);
          const keys = doubts.map(({ phrase }) => normalKey(phrase));
          expect(new Set(keys).size).toBe(keys.length);
          for (const { candidates } of doubts) {
            expect(new Set(candidates.map((one) => `${one.table} ${one.column}`)).size).toBeGreaterThan(1);
          }
          expect(doubtsOf(given)).toEqual(doubts);
        },
      ),
      { numRuns: 200 },
    );
  });
});
