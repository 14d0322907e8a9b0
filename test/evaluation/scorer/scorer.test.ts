import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type RecordedTurn, scoreTranscript, scoreTurn } from "../../../pipelines/evaluation/scorer/index.js";
import {
  adversarialQuestion,
  canonicalQuestion,
  GENERIC_QUESTIONS,
  type IntentView,
  intentMatcher,
  intentResponder,
  REFUSAL,
} from "../../../pipelines/oracle/index.js";

const ambiguity = (term: string, aliases: readonly string[] = [], counts = true) => ({
  ambiguity_id: `#${term}`,
  term,
  aliases,
  counts,
  response: `Read it as the hidden intent of ${term}.`,
});
const view = {
  ambiguities: [
    ambiguity("top scorer", ["best player"]),
    ambiguity("recent season", ["latest season"]),
    ambiguity("name", ["player name"]),
    ambiguity("sort order", ["ordering"], false),
  ],
} satisfies IntentView;

const turn = (over: Partial<RecordedTurn>): RecordedTurn => ({
  question: "Anything else?",
  response: "No.",
  action: { kind: "unanswerable" },
  why: "nothing fits",
  ...over,
});

describe("scoreTurn", () => {
  it.each<[string, Partial<RecordedTurn>, string, string]>([
    [
      "takes an exact label before all texts",
      {
        action: { kind: "labeled", term: "Recent Season" },
        question: "Who is the 'top scorer'?",
        response: "The top scorer is the best player.",
        why: "top scorer",
      },
      "#recent season",
      "label",
    ],
    [
      "does not take an alias, or a part, for a label",
      { action: { kind: "labeled", term: "latest season" }, question: "Who is the top scorer?" },
      "#top scorer",
      "question",
    ],
    [
      "reads the question before the response",
      { question: "Which is the latest season?", response: "The top scorer.", why: "player name" },
      "#recent season",
      "question",
    ],
    [
      "reads the response before the rationale: a volunteered resolution earns credit",
      { response: "By the way, the best player is who scored most.", why: "asks about the latest season" },
      "#top scorer",
      "response",
    ],
    ["reads the rationale last", { why: "It is about the latest season." }, "#recent season", "rationale"],
    [
      "reads texts for an unlabeled action too",
      { action: { kind: "unlabeled", clause: "ORDER BY goals" }, question: "Who is the best player?" },
      "#top scorer",
      "question",
    ],
    [
      "does not take an everyday word that is only mentioned",
      { question: "Should I sort by name?", response: "By name, please.", why: "sorting by name" },
      "",
      "none",
    ],
    [
      "stops at a text that maps to an ambiguity which does not count",
      { question: "Is the ordering important?", response: "The top scorer goes first." },
      "",
      "none",
    ],
    [
      "gives nothing for a label that does not count, whatever the question names",
      { action: { kind: "labeled", term: "sort order" }, question: "Who is the top scorer?" },
      "",
      "none",
    ],
  ])("%s", (_, over, credit, source) => {
    expect(scoreTurn(turn(over), view)).toEqual({ credited: credit === "" ? [] : [credit], source });
  });
});

/** An episode with the deterministic oracle, as a run records it. */
function recorded(questions: readonly string[], oracle: IntentView): RecordedTurn[] {
  return questions.map((question) => {
    const { credits, action, why } = intentMatcher.match(question, [], oracle);
    return { question, response: intentResponder.respond(question, credits, [], oracle), action, why };
  });
}
const creditsOf = (questions: readonly string[], oracle: IntentView = view) =>
  scoreTranscript(recorded(questions, oracle), oracle).map(({ credited }) => credited);

describe("a transcript of the deterministic oracle", () => {
  it("scores every counted term of the full and the full-adversarial asker", () => {
    for (const wording of [canonicalQuestion, adversarialQuestion]) {
      expect(creditsOf(view.ambiguities.map(({ term }) => wording(term)))).toEqual([
        ["#top scorer"],
        ["#recent season"],
        ["#name"],
        [],
      ]);
    }
  });

  it("earns nothing by generic questions, even when the terms are words of the refusal and of the reasons", () => {
    const words =
      `${REFUSAL} none nothing registered is named clarify elaborate want`.match(/[a-z]+/gi) ?? [];
    fc.assert(
      fc.property(fc.uniqueArray(fc.constantFrom(...words), { minLength: 1, maxLength: 4 }), (terms) => {
        const oracle = { ambiguities: terms.map((term) => ambiguity(term)) };
        expect(creditsOf(GENERIC_QUESTIONS, oracle)).toEqual([[], []]);
      }),
    );
  });

  it("earns nothing by a question that the matcher refused", () => {
    const asked = ["Should I sort by name?", "Should I show the stadium name?", "How many rows?"];
    expect(creditsOf(asked)).toEqual([[], [], []]);
    const tied = { ambiguities: [ambiguity("speed", ["pace"]), ambiguity("tempo", ["pace"])] };
    expect(creditsOf(["What is the pace?"], tied)).toEqual([[]]);
  });

  it("never scores another ambiguity than the one the matcher credited", () => {
    const words =
      "what do you mean by the top scorer recent season name player latest of 'best player' order".split(" ");
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...words), { maxLength: 12 }), (asked) => {
        const question = asked.join(" ");
        const { credits } = intentMatcher.match(question, [], view);
        expect(creditsOf([question])).toEqual([credits.filter((id) => id !== "#sort order")]);
      }),
    );
  });
});
