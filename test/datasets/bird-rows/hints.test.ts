import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { conceptsOf, readEvidence, readHint } from "../../../pipelines/datasets/bird-rows/hints/index.js";
import { normalKey } from "../../../pipelines/oracle/index.js";

describe("a hint", () => {
  // Sentences of our own in upstream's forms.
  it.each([
    ["fast boats refers to vtype = 'H'", "How many fast boats are there?", "fast boats", "refers_to"],
    ["element = 'Au' means Gold", "How much gold is there?", "Gold", "means"],
    [
      "'X' stands for cancelled sailings",
      "Count the cancelled sailings.",
      "cancelled sailings",
      "stands_for",
    ],
    ["A7 refers to average rent", "What is the average rent in Oslo?", "average rent", "refers_to"],
    ["share = DIVIDE(SUM(a = 1), COUNT(b))", "What share is it?", "share", "formula"],
    ['"Petrel" is the vessel_name', "When was the Petrel built?", "Petrel", "is"],
    ["port_name = 'Skarholm'", "Who left Skarholm?", "Skarholm", "formula"],
    ["AVG(delay_min)", "What is the average delay of ferries?", "average delay", "bare"],
    ["pax BETWEEN 10 AND 20", "Which sailings had few pax?", "pax", "bare"],
    [
      "the oldest member referes to MIN(birth_date)",
      "Who is the oldest member?",
      "oldest member",
      "refers_to",
    ],
    [
      "If x.age > y.age, it means that Petrel is older than Skua",
      "Who is older?",
      "Petrel is older than Skua",
      "means",
    ],
    [
      "age when she was hired = SUBTRACT(hired, born)",
      "How old was she?",
      "age when she was hired",
      "formula",
    ],
    ["Should count distinct keepers", "How many keepers are there?", "keepers", "other_verb"],
    ["label = '+' mean molecules are toxic", "Which are toxic?", "molecules are toxic", "means"],
    ["highest price Max(price_cents)", "What is the highest price?", "highest price", "bare"],
  ])("%j about %j defines %j", (hint, question, term, shape) => {
    expect(readHint(hint, question)).toMatchObject({ term, shape });
  });

  it.each([
    ["fast boats refers to `vtype` = 'H'", "Fast boats means that vtype is 'H'."],
    ["late refers to `Delay (min)` > = 15", "Late means that Delay (min) is at least 15."],
    [
      "share = DIVIDE(SUM(a = 1), COUNT(b))",
      "Share is the number of those whose a is 1 divided by the number of b.",
    ],
    ["gap = MULTIPLY(SUBTRACT(x, y), 2)", "Gap is (x minus y) times 2."],
    ["busiest refers to MAX(COUNT(port_id))", "Busiest refers to the most frequent port_id."],
    ["element = 'Au' means Gold", "element = 'Au' means Gold."],
    ["bond refers to bond_type = ' = '", "Bond means that bond_type is ' = '."],
    ["note refers to text = 'well; done :)'", "Note means that text is 'well; done :)'."],
    ["oldest referes to MIN(built_year)", "Oldest refers to the lowest built_year."],
    ["full name refers to first_name, last_name", "Full name refers to first_name, last_name."],
    ["DIVIDE(a, b", "DIVIDE(a, b."],
  ])("%j is said %j", (hint, response) => {
    expect(readHint(hint, "What is it?").response).toBe(response);
  });

  it("keeps its values letter for letter in what is said", () => {
    const value = fc.string({
      unit: fc.constantFrom("a", "B", "3", " ", ";", "<", "=", "(", "%", "-"),
      minLength: 1,
    });
    fc.assert(
      fc.property(value, (text) => {
        expect(readHint(`stem refers to colour = '${text}'`, "Which stem?").response).toContain(`'${text}'`);
      }),
    );
  });

  it("is recognised by its columns, values and words", () => {
    expect(conceptsOf("late ferries refers to sailings.`Delay (min)` > 15 AND status = 'L' in 2021")).toEqual(
      ["late", "ferries", "sailings", "Delay (min)", "15", "status", "2021", "L"],
    );
  });
});

describe("hints of one evidence", () => {
  const words = fc.constantFrom(
    "male",
    "Males",
    "the share",
    "share",
    "'+'",
    "  ",
    "year 1999",
    "x = 1",
    "(",
    "=",
  );
  const verbs = fc.constantFrom(" refers to ", " means ", " = ", " is ", " ");

  it("have terms that differ and are not empty, and lose no hint", () => {
    const hint = fc.tuple(words, verbs, words).map((parts) => parts.join(""));
    fc.assert(
      fc.property(
        fc.array(hint, { maxLength: 6 }),
        fc.constantFrom("How many males?", "?", "1"),
        (hints, question) => {
          const { masked, hints: read } = readEvidence(hints.join("; "), question);
          const keys = masked.map(({ term }) => normalKey(term));
          expect(new Set(keys).size).toBe(keys.length);
          expect(masked.flatMap((one) => one.hints).toSorted((a, b) => a - b)).toEqual(
            read.map((_, at) => at),
          );
          for (const { term, resolution, response } of masked) {
            expect(normalKey(`${term}${resolution}`) === "" || normalKey(term) !== "").toBe(true);
            expect(response.trim()).not.toBe("");
          }
        },
      ),
    );
  });

  it("are one ambiguity where they define one phrase, in their order", () => {
    const { masked } = readEvidence(
      "beans refers to kind = 'B'; Bean = legumes; peas refers to kind = 'P'",
      "Beans?",
    );
    expect(masked.map(({ term, resolution, hints }) => [term, resolution, hints])).toEqual([
      ["beans", "beans refers to kind = 'B'; Bean = legumes", [0, 1]],
      ["peas", "peas refers to kind = 'P'", [2]],
    ]);
  });
});
