import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { readAttachment } from "../../../pipelines/datasets/ambrosia/attached-sql.js";
import { openModifier } from "../../../pipelines/datasets/ambrosia/attachment-term.js";
import { scopeTerm } from "../../../pipelines/datasets/ambrosia/scope-term.js";
import { vagueTerm } from "../../../pipelines/datasets/ambrosia/vague-term.js";

describe("scopeTerm", () => {
  it.each([
    ["What bread does each bakery bake?", "Bakeries", [], "each bakery"],
    ["Show the bread for every village bakery", "Village Bakeries", [], "every village bakery"],
    ["Show the bread each shop sells.", "Corner Shops", [], "each shop"],
    ["List the ovens on all of our bread ships.", "Bread Ships", [], "all of our bread ships"],
    ["What flour does each chior use?", "Choirs", [], "each chior"],
    [
      "List all rolls that every bed and breakfast serves.",
      "Bed and Breakfast",
      [],
      "every bed and breakfast",
    ],
    [
      "Which rolls does each insurance company insure?",
      "Insurances",
      ["For each insurance company, list them."],
      "each insurance company",
    ],
    ["What does each writer write about?", "Writers", ["For each writer, list it."], "each writer"],
    ["Show the prices of each bakery's bread.", "Bakeries", [], "each bakery"],
    ["Tell me the bread of every B&B listed?", "Bed and Breakfast", [], "every B&B"],
    ["Tell me what was used in each film.", "Cinematographies", [], "each film"],
    ["Give a list of ovens at our bakeries", "Bakeries", [], "our bakeries"],
    [
      "What rolls does each IT support specialist eat?",
      "IT Support Specialists",
      [],
      "each IT support specialist",
    ],
  ])("finds the quantified phrase: %s", (request, entities, readings, term) => {
    expect(scopeTerm(request, entities, readings)).toEqual({ term, inRequest: true });
  });

  it("takes the annotation's words where the request has none of them", () => {
    expect(scopeTerm("What bread is there?", "Bakeries", [])).toEqual({ term: "Bakeries", inRequest: false });
  });
});

const SQL = {
  or: (value: string) => [
    `SELECT n FROM t WHERE (kind = "Baker" OR kind = "Miller") AND place = "${value}"`,
    `SELECT n FROM t WHERE kind = "Baker" OR kind = "Miller" AND place = "${value}"`,
  ],
};
const NAMES = { class1: "Baker", class2: "Miller", common_property: "Place", common_value: "Atlantis" };
const modifierOf = (request: string, value: string) => {
  const [joint = "", narrow = ""] = SQL.or(value);
  const attachment = readAttachment(joint, narrow);
  if (attachment === undefined) throw new Error("the SQL is of no known form");
  return openModifier(request, attachment, NAMES);
};

describe("openModifier", () => {
  it.each([
    ["Show bakers and millers who live in Riga.", "who live in Riga"],
    ["Show bakers and millers from Riga", "from Riga"],
    ["Show village bakers and town millers born in Riga.", "born in Riga"],
    ["Show bakers and millers fluent in Riga slang?", "fluent in Riga slang"],
    ["Show Riga-based bakers and millers.", "Riga-based"],
    ["Where were all Riga's bakers and millers?", "Riga's"],
    ["When do the bakers and millers hired by Riga retire?", "hired by Riga"],
    ["Show bakers and millers where Riga was the birthplace.", "where Riga was the birthplace"],
    ['Show bakers and millers of "Riga Bread".', 'of "Riga Bread"'],
    ["Show bakers and millers studying Riga Law.", "studying Riga Law"],
    ["Show bakers and millers with a $70k loan.", "with a $70k loan"],
  ])("finds the modifier: %s", (request, term) => {
    expect(modifierOf(request, "Riga")).toMatchObject({ term, inRequest: true });
  });

  it("names the two things in the SQL's order, whatever the request's", () => {
    expect(modifierOf("Show master bakers and young millers in Riga.", "Riga").things).toEqual([
      "master bakers",
      "young millers",
    ]);
    expect(modifierOf("Show Riga-based young millers and master bakers.", "Riga").things).toEqual([
      "master bakers",
      "young millers",
    ]);
  });

  it("never takes an annotated value that is in neither request nor SQL", () => {
    for (const request of [
      "Show bakers and millers who live in Riga.",
      "Show them.",
      "Show bakers and millers.",
    ]) {
      expect(modifierOf(request, "Riga").term).not.toContain("Atlantis");
    }
  });

  it("takes signs and quotation marks whole", () => {
    expect(modifierOf("Show $70 bakers and millers.", "70").term).toBe("$70");
    expect(modifierOf("Show bakers and millers with 5% shares", "5").term).toBe("with 5% shares");
  });
});

const vague = (request: string, focus: string, readings: string[] = [], categories = ["Street", "Town"]) =>
  vagueTerm(
    request,
    { focus, general_category1: categories[0] ?? "", general_category2: categories[1] ?? "" },
    readings,
  );

describe("vagueTerm", () => {
  const places = ["In which street is it?", "In which town is it?", "In which street and town is it?"];
  it.each([
    ["What is the location of the mill?", "Location", [], "location"],
    ["Show the locatoins of all mills", "Location", [], "locatoins"],
    ["Show mills and their running costs", "Running Cost", [], "running costs"],
    ["Show the size of the mill", "Mill Size", [], "size of the mill"],
    ["Show the level of noise", "Noise Level", [], "level of noise"],
    ["Show the side effects of milling", "Side Effect Profile", [], "side effects"],
    ["Show the career options of a miller", "Career Opportunities", [], "career options"],
    [
      "Who reported the fire?",
      "Reporter",
      ["Which newspaper saw the fire?", "Which boy saw the fire?"],
      "Who reported",
    ],
    ["Where is the mill located?", "Location", places, "Where is the mill located"],
    ["Where is the mill of the Berzins family located?", "Location", places, "Where"],
    ["Show all mills and where they stand", "Location", places, "where"],
    [
      "Who ground it and when?",
      "Timeline",
      ["In which month was it ground?", "In which year was it ground?"],
      "when",
    ],
    [
      "How long is the mill race?",
      "Duration",
      ["Give its length in days", "Give its number of legs"],
      "How long",
    ],
    ["What is the longest race about?", "Duration", [], "longest"],
    [
      "What is the book about?",
      "Story",
      ["Give the plot of the book", "Give the themes of the book"],
      "about",
    ],
    ["Describe the mill.", "Key Elements", ["Which colours has it?", "Which stones has it?"], "Describe"],
    ["Sort the books by writer", "Screenwriter", [], "writer"],
    [
      "Show mills and what millers they have",
      "Staff",
      ["Show mills and grinders", "Show mills and owners"],
      "millers",
    ],
  ])("finds what stands for the focus: %s", (request, focus, readings, term) => {
    expect(vague(request, focus, readings)).toEqual({ term, inRequest: true });
  });

  it("does not take a 'where' that opens a condition for the question", () => {
    expect(
      vague("Show the mills where wheels are older than 9 and their place", "Location", places).term,
    ).not.toBe("where");
  });

  it("takes the annotation's words where nothing else is left", () => {
    expect(vague("Show it", "Location", ["Show it", "Show it"])).toEqual({
      term: "Location",
      inRequest: false,
    });
  });
});

describe("every term", () => {
  const text = fc.string({ maxLength: 60 });
  it("that is said to stand in the request does, letter for letter, for any request at all", () => {
    fc.assert(
      fc.property(text, text, fc.array(text, { maxLength: 3 }), (request, name, readings) => {
        const found = [
          scopeTerm(request, name, readings),
          vague(request, name, readings),
          modifierOf(request, "Riga"),
        ];
        for (const { term, inRequest } of found) if (inRequest) expect(request).toContain(term);
      }),
    );
  });
});
