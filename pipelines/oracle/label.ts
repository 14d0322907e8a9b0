/** Which registered ambiguity a routing action's label names: one rule for live oracles and for the offline scorer. */
import { foldText, normalKey } from "./normalise.js";

/**
 * The position of the ambiguity whose term the label is, letter for letter first, then after normalisation; undefined
 * where there is none, or more than one.
 */
export function labelledAmbiguity(
  label: string,
  ambiguities: readonly { readonly term: string }[],
): number | undefined {
  for (const same of [foldText, normalKey]) {
    const wanted = same(label);
    const places = ambiguities.flatMap(({ term }, place) =>
      wanted !== "" && same(term) === wanted ? [place] : [],
    );
    if (places.length > 0) return places.length === 1 ? places[0] : undefined;
  }
  return undefined;
}
