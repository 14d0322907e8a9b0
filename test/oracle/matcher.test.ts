import { describe, expect, it } from "vitest";
import {
  checkGuarantees,
  type IntentView,
  intentMatcher,
  intentResponder,
  type Matcher,
  REFUSAL,
} from "../../pipelines/oracle/index.js";

const viewOf = (phrases: Record<string, readonly string[]>): IntentView => ({
  ambiguities: Object.entries(phrases).map(([term, aliases]) => ({
    ambiguity_id: `#${term}`,
    term,
    aliases,
    counts: true,
    response: `  The answer on ${term};\n"verbatim". `,
  })),
});
const routed = (question: string, view: IntentView) => {
  const { credits, why } = intentMatcher.match(question, [], view);
  return [credits.join(), why.split(":")[0]];
};

describe("the order of rules", () => {
  const view = viewOf({
    country: [],
    age: ["years old"],
    "song release year": ["release year"],
    "full name": [],
    name: [],
  });

  it.each([
    ["Is the country related to the age?", "#country", "earliest"],
    ["Is the country related to the 'age'?", "#age", "quoted"],
    ["Is the “country” related to the ‘age’?", "#country", "quoted"],
    ["For `years_old`, is the country needed?", "#age", "quoted"],
    ["Is the 'country and age' pair needed for song release years?", "#country", "earliest"],
    ["Does 'USA' restrict the country?", "#country", "earliest"],
    ["Is 'the full name' needed for the country?", "#full name", "quoted"],
    ["Is the full name needed for the country?", "#full name", "earliest"],
    ["Don't the singers' ages matter in the teachers' country?", "#age", "earliest"],
    ["What's the average?", "", "none"],
    ["Could you clarify what exactly you mean by singers of a country and age?", "#country", "earliest"],
  ])("%s", (question, credit, rule) => {
    expect(routed(question, view)).toEqual([credit, rule]);
  });

  it("lets the longer mention win at the same place", () => {
    expect(routed("Is release year span what counts?", viewOf({ release: [], "release year": [] }))).toEqual([
      "#release year",
      "earliest",
    ]);
  });

  it("reads the longest phrase of a quoted span", () => {
    const nested = viewOf({ release: [], "release year": [], country: [] });
    expect(routed("Is the country or 'the first release year shown' meant?", nested)).toEqual([
      "#release year",
      "quoted",
    ]);
  });

  it("refuses a tie, even when a later mention is single", () => {
    const tied = viewOf({ speed: ["pace"], tempo: ["pace"], country: [] });
    expect(routed("Does the pace depend on the country?", tied)).toEqual(["", "tie"]);
    expect(routed("Does the country depend on the pace?", tied)).toEqual(["#country", "earliest"]);
  });

  it("prefers the phrase as it is written to its other number", () => {
    const both = viewOf({ order: ["purchase"], purchases: [] });
    expect(routed("How do the purchases go?", both)).toEqual(["#purchases", "earliest"]);
    expect(routed("How does a purchase go?", both)).toEqual(["#order", "earliest"]);
  });
});

describe("mentions", () => {
  it.each([
    ["age", "What is the average?", false],
    ["age", "What about ages?", true],
    ["full name", "Do you want fullname?", true],
    ["full_name", "Do you want fullName?", true],
    ["song name", "Should I show the song, name and country?", false],
    ["song name", "Is it song.name?", true],
    ["song name", "Show me the song. Name the singer.", false],
    ["singer name", "Is it the singer's name?", true],
    ["singer name", "Is it the name of every singer?", true],
    ["singer name", "Is it the name for each singer?", true],
    ["singer name", "Is it the name in the singer table?", true],
    ["singer name", "Is it the song name of the singer?", false],
    ["singer name", "Is it the name of the singer song?", false],
    ["singer name", "Is it the name in each singer?", false],
    ["membership level", "Is it the level of membership?", true],
    ["level of membership", "Is it the membership level?", true],
    ["order number", "Is it the number of orders?", false],
    ["order number", "Is it the number of the order?", true],
    ["show name", "Should I show names and countries?", false],
    ["show name", "Is it the show name that you want?", true],
    ["show name", "What do you mean by show names?", true],
    ["record id", "Should a record id be shown?", true],
    ["record id", "Should a medical record id be shown?", false],
    ["年齢", "年齢とは何ですか", true],
    ["line 1", "Should line 12 be shown?", false],
    ["U.S. airports", "Only US airports?", true],
  ])("%s in: %s", (term, question, mentioned) => {
    expect(intentMatcher.match(question, [], viewOf({ [term]: [] })).credits.length === 1).toBe(mentioned);
  });
});

describe("intentResponder", () => {
  const view = viewOf({ age: [], country: [] });
  it("returns the frozen response letter for letter, and the refusal without credit", () => {
    expect(intentResponder.respond("", ["#age"], [], view)).toBe(`  The answer on age;\n"verbatim". `);
    expect(intentResponder.respond("", [], [], view)).toBe(REFUSAL);
  });
  it("does not make up a response for an id that the view does not hold", () => {
    expect(() => intentResponder.respond("", ["#name"], [], view)).toThrow("#name");
  });
});

describe("checkGuarantees", () => {
  const codes = async (view: IntentView, matcher: Matcher = intentMatcher, responder = intentResponder) => [
    ...new Set((await checkGuarantees(view, matcher, responder)).map((one) => one.code)),
  ];

  it("finds shared phrases", async () => {
    expect(await codes(viewOf({ age: ["years"], "years old": ["year"] }))).toEqual(["shared_phrase"]);
  });
  it("finds terms that are the same after normalisation", async () => {
    const twice = viewOf({ age: [], other: [] });
    const view = { ambiguities: twice.ambiguities.map((one) => ({ ...one, term: "age" })) };
    expect(await codes(view)).toEqual(["shared_phrase", "canonical_uncredited"]);
  });
  it("finds a matcher that credits generic questions or the wrong ambiguity", async () => {
    const view = viewOf({ age: [], country: [] });
    const always: Matcher = {
      name: "always the first",
      match: () => ({ credits: ["#age"], action: { kind: "labeled", term: "age" }, why: "" }),
    };
    expect(await codes(view, always)).toEqual([
      "canonical_misrouted",
      "generic_credited",
      "generic_answered",
    ]);
  });
  it("finds a responder that is not verbatim", async () => {
    const view = viewOf({ age: [] });
    const trims = {
      name: "trims",
      respond: (...args: Parameters<typeof intentResponder.respond>) =>
        intentResponder.respond(...args).trim(),
    };
    expect(await codes(view, intentMatcher, trims)).toEqual(["response_not_verbatim"]);
  });
});
