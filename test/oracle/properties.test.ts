import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  adversarialQuestion,
  canonicalQuestion,
  checkGuarantees,
  foldText,
  GENERIC_QUESTIONS,
  type IntentView,
  intentMatcher,
  intentResponder,
  normalKey,
  tokenise,
} from "../../pipelines/oracle/index.js";

const viewOf = (terms: readonly string[], aliases: readonly (readonly string[])[] = []): IntentView => ({
  ambiguities: terms.map((term, index) => ({
    ambiguity_id: `a${index}`,
    term,
    aliases: aliases[index] ?? [],
    counts: true,
    response: `response ${index}`,
  })),
});

/** Words of requests, of the protocol's own questions, with punctuation, digits, quotes, and of several scripts. */
const WORDS =
  `name names full song id type of by the want mean you clarify elaborate what exactly please could 2nd line 1 12 C C++
  U.S. don't singer's "best" 'top' \`x\` what? e-mail 年齢 名 größe ÅNGSTRÖM имя ηλικία عمر 나이 ﬁeld ½ % & - song_name
  fullName detail SQL it`.split(/\s+/);
const phrase = fc
  .array(fc.constantFrom(...WORDS), { minLength: 1, maxLength: 4 })
  .map((words) => words.join(" "));
const anyTerm = fc.oneof(phrase, phrase, fc.string({ unit: "grapheme", minLength: 1, maxLength: 25 }));
/** Distinct as the validation of records means it; a term without any word is distinct from others by its letters. */
const termSet = fc
  .uniqueArray(anyTerm, { minLength: 1, maxLength: 5, selector: (term) => normalKey(term) || foldText(term) })
  .filter((terms) => terms.every((term) => foldText(term) !== ""));
const question = fc.array(
  fc.oneof(fc.constantFrom(...WORDS), fc.string({ unit: "grapheme", maxLength: 8 })),
  {
    maxLength: 14,
  },
);

describe("guarantees", () => {
  it("hold for any set of terms that differ after normalisation", async () => {
    await fc.assert(
      fc.asyncProperty(termSet, async (terms) => {
        expect(await checkGuarantees(viewOf(terms), intentMatcher, intentResponder)).toEqual([]);
      }),
      { numRuns: 400 },
    );
  });

  it("hold when aliases are made of the frames' own words", async () => {
    const aliases = [
      ["mean", "you mean"],
      ["clarify", "exactly"],
      ["what you want", "could you", "elaborate"],
    ];
    const view = viewOf(["age", "country of birth", "want"], aliases);
    expect(await checkGuarantees(view, intentMatcher, intentResponder)).toEqual([]);
  });

  it("hold for terms that contain one another, end in a question mark, or are very long", async () => {
    const long = "the very long phrase ".repeat(300);
    const terms = [
      "name",
      "full name",
      "name by name",
      "which name?",
      long,
      `${long} again`,
      "Please elaborate",
    ];
    const view = viewOf(terms);
    expect(await checkGuarantees(view, intentMatcher, intentResponder)).toEqual([]);
  });

  it("credit terms that differ in punctuation only, each by its own canonical question", () => {
    const view = viewOf(["C", "C++", "C#", "%", "&"]);
    for (const { term, ambiguity_id } of view.ambiguities) {
      for (const asked of [canonicalQuestion(term), adversarialQuestion(term)]) {
        expect(intentMatcher.match(asked, [], view).credits).toEqual([ambiguity_id]);
      }
    }
  });
});

describe("any question", () => {
  it("earns one credit at most, and the action names the credited term", () => {
    fc.assert(
      fc.property(termSet, question, (terms, words) => {
        const view = viewOf(terms);
        const { credits, action } = intentMatcher.match(words.join(" "), [], view);
        expect(credits.length).toBeLessThanOrEqual(1);
        const term = view.ambiguities.find((one) => one.ambiguity_id === credits[0])?.term;
        expect(action).toEqual(term === undefined ? { kind: "unanswerable" } : { kind: "labeled", term });
      }),
      { numRuns: 400 },
    );
  });

  it("earns none when it has no word in common with a term", () => {
    const letters = (unit: string) =>
      fc.string({ unit: fc.constantFrom(...unit), minLength: 1, maxLength: 6 });
    fc.assert(
      fc.property(
        fc.uniqueArray(letters("abcdeABC"), { minLength: 1, maxLength: 4, selector: normalKey }),
        fc.array(letters("mnop"), { maxLength: 10 }),
        (terms, words) => {
          for (const asked of [
            words.join(" "),
            `'${words.join("' '")}'`,
            canonicalQuestion(words.join(" ")),
          ]) {
            fc.pre(
              !tokenise(asked).some((token) => terms.some((term) => normalKey(term).includes(token.key))),
            );
            expect(intentMatcher.match(asked, [], viewOf(terms)).credits).toEqual([]);
          }
        },
      ),
    );
  });

  it("is read the same in any case and with any white space", () => {
    const plain = fc.array(
      fc.constantFrom(..."age song name of the singer full country which mean by you do what".split(" ")),
      { minLength: 1, maxLength: 10 },
    );
    const view = viewOf(
      ["age", "full name", "country", "name"],
      [["singer age"], [], ["song country"], ["singer name"]],
    );
    fc.assert(
      fc.property(plain, fc.constantFrom("", "?", "."), (words, end) => {
        const expected = intentMatcher.match(words.join(" ") + end, [], view);
        for (const changed of [
          words.join(" ").toUpperCase(),
          `  ${words.join("\t ")}`,
          words.map((word) => word[0]?.toUpperCase() + word.slice(1)).join("  "),
        ]) {
          expect(intentMatcher.match(changed + end, [], view)).toEqual(expected);
        }
      }),
    );
  });

  it("never earns credit when it is a generic one, alone or repeated, in any case", () => {
    fc.assert(
      fc.property(
        termSet,
        fc.array(fc.constantFrom(...GENERIC_QUESTIONS), { minLength: 1, maxLength: 4 }),
        (terms, asked) => {
          for (const text of [asked.join(" "), asked.join("\n").toUpperCase()]) {
            expect(intentMatcher.match(text, [], viewOf(terms)).credits).toEqual([]);
          }
        },
      ),
    );
  });
});
