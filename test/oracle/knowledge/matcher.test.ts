import { describe, expect, it } from "vitest";
import {
  adversarialQuestion,
  canonicalQuestion,
  checkGuarantees,
  GENERIC_QUESTIONS,
  KNOWLEDGE_PROMISES,
  type KnowledgeView,
  knowledgeMatcher,
  knowledgeResponder,
  type Matcher,
  REFUSAL,
  type Turn,
} from "../../../pipelines/oracle/index.js";
import { RECORDS } from "./records.js";

const resolvedBefore = (...credits: string[]): Turn[] =>
  credits.map((id) => ({ question: "asked before", response: "answered", credits: [id] }));
const credited = (question: string, view: KnowledgeView, history: readonly Turn[] = []) => {
  const { credits, why } = knowledgeMatcher.match(question, history, view);
  return [credits.join(), why.split(":")[0]];
};

describe("the ranking", () => {
  const { ferries, choir } = RECORDS;

  it.each([
    // quoted before plain, wherever it stands
    ["Is the high season what 'small vessels' are counted in?", "small vessels", "quoted"],
    // a whole term before any number of concepts
    ["By capacity 120 and delay_min 15, how is the high season reckoned?", "high season", "plain"],
    // more concepts before fewer
    ["Which capacity is small for vessels that have a long delay?", "small vessels", "concepts"],
    // earliest of equals
    ["Do small vessels sail in the high season?", "small vessels", "plain"],
    ["In the high season, do small vessels sail?", "high season", "plain"],
  ])("%s", (question, term, rule) => {
    expect(credited(question, ferries)).toEqual([term, rule]);
  });

  it("prefers at equal score what is not resolved yet, and restates what alone is asked about", () => {
    const both = "Do small vessels sail in the high season?";
    expect(credited(both, ferries, resolvedBefore("small vessels"))).toEqual(["high season", "plain"]);
    expect(credited(both, ferries, resolvedBefore("small vessels", "high season"))[0]).toBe("small vessels");
    const one = "What are small vessels?";
    expect(credited(one, ferries, resolvedBefore("small vessels"))).toEqual(["small vessels", "plain"]);
    // A column that two hints share tells neither from the other.
    const shared = "Which values does marital take?";
    expect(credited(shared, choir)).toEqual(["married members", "concepts"]);
    expect(credited(shared, choir, resolvedBefore("married members"))).toEqual([
      "single members",
      "concepts",
    ]);
  });

  it("does not let what is resolved keep a stronger hit from being restated", () => {
    expect(
      credited("What are 'small vessels' in high season?", ferries, resolvedBefore("small vessels")),
    ).toEqual(["small vessels", "quoted"]);
  });

  it("reads of the dialogue the credits alone", () => {
    const told: Turn[] = [{ question: "What are small vessels?", response: "capacity < 120", credits: [] }];
    expect(credited("Do small vessels sail in the high season?", ferries, told)[0]).toBe("small vessels");
  });

  it("weighs a word by how few of the record's ambiguities have it", () => {
    const hints = ["tall plants", "tall trees", "old trees"].map((term) => ({
      ambiguity_id: term,
      term,
      aliases: [],
      counts: true,
      concepts: term.split(" "),
      resolution: term,
    }));
    // "old" is one hint's, "tall" and "trees" are two's.
    expect(credited("Which trees are tall, and what is old?", { ambiguities: hints })[0]).toBe("old trees");
  });
});

describe("knowledgeResponder", () => {
  const view = RECORDS.shelter;
  it("returns the stored resolution letter for letter, again on a repeat, and the refusal without credit", () => {
    const hint = view.ambiguities[1]!;
    expect(knowledgeResponder.respond("", ["rehomed"], [], view)).toBe(hint.resolution);
    expect(knowledgeResponder.respond("", ["rehomed"], resolvedBefore("rehomed"), view)).toBe(
      hint.resolution,
    );
    expect(knowledgeResponder.respond("", [], [], view)).toBe(REFUSAL);
  });
  it("answers several credits in annotation order, whatever the order of the credits", () => {
    const [first, second] = view.ambiguities.map(({ resolution }) => resolution);
    expect(knowledgeResponder.respond("", ["rehomed", "senior dogs"], [], view)).toBe(`${first}\n${second}`);
  });
  it("does not make up a resolution for an id that the view does not hold", () => {
    expect(() => knowledgeResponder.respond("", ["#name"], [], view)).toThrow("#name");
    const bare = { ambiguities: view.ambiguities.map(({ resolution: _, ...one }) => one) };
    expect(() => knowledgeResponder.respond("", ["rehomed"], [], bare)).toThrow("no answer");
  });
});

describe("the guarantees", () => {
  const check = (view: KnowledgeView, matcher: Matcher<KnowledgeView> = knowledgeMatcher) =>
    checkGuarantees(view, matcher, knowledgeResponder, KNOWLEDGE_PROMISES);

  it.each(Object.entries(RECORDS))("hold on %s", async (_name, view) => {
    expect(await check(view)).toEqual([]);
  });

  it("hold where a term is quoted in another, is a bare word, or is nothing but protocol words", async () => {
    const terms = [
      "TR009",
      "the bond like 'TR009_%'",
      "involved atom 12",
      "percentage",
      "what you want",
      "name",
    ];
    const view = {
      ambiguities: terms.map((term) => ({
        ambiguity_id: term,
        term,
        aliases: [],
        counts: true,
        concepts: ["please", "elaborate", "clarify", "want", "exact SQL", "detail", term],
        resolution: `${term} refers to detail = 'want'`,
      })),
    };
    expect(await check(view)).toEqual([]);
    for (const term of terms) {
      expect(credited(canonicalQuestion(term), view)).toEqual([term, "canonical"]);
      expect(credited(adversarialQuestion(term), view)).toEqual([term, "canonical"]);
    }
    for (const generic of GENERIC_QUESTIONS) expect(credited(generic, view)).toEqual(["", "none"]);
  });

  it("find a matcher without preference, one that forgets, and one that credits the generic", async () => {
    const first = RECORDS.ferries.ambiguities[0]!.ambiguity_id;
    const codes = async (matcher: Matcher<KnowledgeView>) =>
      new Set((await check(RECORDS.ferries, matcher)).map(({ code }) => code));
    const blind: Matcher<KnowledgeView> = {
      name: "blind to history",
      match: (question, _history, view) => knowledgeMatcher.match(question, [], view),
    };
    expect([...(await codes(blind))]).toEqual(["unresolved_not_preferred"]);
    const once: Matcher<KnowledgeView> = {
      name: "answers once",
      match(question, history, view) {
        const result = knowledgeMatcher.match(question, history, view);
        const before = history.flatMap(({ credits }) => credits);
        return result.credits.some((id) => before.includes(id)) ? { ...result, credits: [] } : result;
      },
    };
    expect([...(await codes(once))]).toEqual(["repeat_differs"]);
    const always: Matcher<KnowledgeView> = {
      name: "always the first",
      match: () => ({ credits: [first], action: { kind: "labeled", term: first }, why: "" }),
    };
    expect([...(await codes(always))]).toEqual([
      "canonical_misrouted",
      "unresolved_not_preferred",
      "generic_credited",
      "generic_answered",
    ]);
  });
});
