import { REFUSAL } from "./canonical.js";

/**
 * The stored answers of the credited ambiguities, in annotation order (spec 5, resp*), one a line; the standard refusal
 * when there is no credit. This project's matchers credit one at most, but any matcher may be paired with any responder.
 *
 * @param answerOf the stored answer; undefined where the view leaves it out, which is a bug of whoever paired them
 */
export function frozenAnswers<A extends { readonly ambiguity_id: string }>(
  credits: readonly string[],
  ambiguities: readonly A[],
  answerOf: (ambiguity: A) => string | undefined,
): string {
  if (credits.length === 0) return REFUSAL;
  const credited = ambiguities.filter(({ ambiguity_id }) => credits.includes(ambiguity_id));
  const unknown = credits.find((id) => !credited.some(({ ambiguity_id }) => ambiguity_id === id));
  if (unknown !== undefined) throw new Error(`${unknown} was credited, and the view holds no such ambiguity`);
  return credited
    .map((ambiguity) => {
      const answer = answerOf(ambiguity);
      if (answer !== undefined) return answer;
      throw new Error(`${ambiguity.ambiguity_id} was credited, and the view holds no answer for it`);
    })
    .join("\n");
}
