/**
 * How much of a private text's wording stands in a public one, by pairs of neighbouring words: a text that is copied with a
 * word changed, left out or put in keeps most of its pairs, while texts about the same things share few.
 */

/** Of all pairs of a private text, so many must be there. On clean real data the most was 0.60 (see SHARED_PAIRS). */
export const NEAR_SHARE = 0.7;
/**
 * And at least so many. Over the requests, column meanings and knowledge entries of 4,300 clean records (AmbiQT, Ambrosia,
 * EW-Bird, BIRD-Interact) nothing reaches both; a copy of ten words with one of them changed has 7 of 9.
 */
export const SHARED_PAIRS = 5;

/** The words of a text, as they are compared. */
export const wordsOf = (text: string): string[] =>
  text
    .normalize("NFKC")
    .toLowerCase()
    .match(/[\p{L}\p{N}]+/gu) ?? [];

/** Pairs of neighbouring words. */
export function pairsOf(words: readonly string[]): Set<string> {
  const pairs = new Set<string>();
  for (let at = 0; at + 1 < words.length; at += 1) pairs.add(`${words[at]} ${words[at + 1]}`);
  return pairs;
}

/** How much of one text stands in another. */
export interface Overlap {
  /** Pairs that both have, and how many were looked for. */
  shared: number;
  of: number;
  /** The longest run of words that both have. */
  words: string;
}

/** The longest run of words all of whose pairs are in the other text. */
function longestRun(words: readonly string[], pairs: ReadonlySet<string>): string {
  let best: readonly string[] = [];
  let from = 0;
  for (let at = 1; at <= words.length; at += 1) {
    if (at < words.length && pairs.has(`${words[at - 1]} ${words[at]}`)) continue;
    if (at - from > best.length) best = words.slice(from, at);
    from = at;
  }
  return best.slice(0, 12).join(" ");
}

/**
 * The overlap of a private text with a public one, where it reaches both thresholds.
 *
 * @param given pairs that are public by right (terms, aliases, the request itself): they are looked for nowhere
 */
export function nearVerbatim(
  words: readonly string[],
  there: ReadonlySet<string>,
  given: ReadonlySet<string>,
): Overlap | undefined {
  let of = 0;
  let shared = 0;
  for (const pair of pairsOf(words)) {
    if (given.has(pair)) continue;
    of += 1;
    if (there.has(pair)) shared += 1;
  }
  if (shared < SHARED_PAIRS || shared < NEAR_SHARE * of) return undefined;
  return { shared, of, words: longestRun(words, there) };
}

/** Says an overlap with its thresholds. */
export const overlapText = ({ shared, of, words }: Overlap): string =>
  `${shared} of ${of} word pairs (from ${NEAR_SHARE * 100} % and ${SHARED_PAIRS} pairs on), such as "${words}"`;
