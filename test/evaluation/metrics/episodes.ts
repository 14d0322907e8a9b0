import fc from "fast-check";
import type { Episode } from "../../../pipelines/evaluation/metrics/index.js";
import { VERDICTS } from "../../../pipelines/evaluation/metrics/index.js";

/** `credits` as a string: one question a word, one ambiguity a letter, "-" for no credit. `episode("a - ab", 3)`. */
export function episode(credits: string, ambiguities: number, over: Partial<Episode> = {}): Episode {
  const questions = credits.split(" ").filter((word) => word !== "");
  return {
    record: "r",
    seed: 0,
    credits: questions.map((word) => (word === "-" ? [] : [...word])),
    ambiguities,
    fallback_stop: false,
    verdict: "match",
    ...over,
  };
}

/** Any episode that the protocol allows: at most |Amb| + 2 questions. */
export const anyEpisode: fc.Arbitrary<Episode> = fc.integer({ min: 0, max: 5 }).chain((ambiguities) =>
  fc.record({
    record: fc.string({ minLength: 1, maxLength: 5 }),
    seed: fc.integer({ min: 0, max: 3 }),
    credits: fc.array(
      fc.subarray([..."abcde"].slice(0, ambiguities), { maxLength: Math.min(2, ambiguities) }),
      {
        maxLength: ambiguities + 2,
      },
    ),
    ambiguities: fc.constant(ambiguities),
    fallback_stop: fc.boolean(),
    verdict: fc.constantFrom(...VERDICTS),
  }),
);
