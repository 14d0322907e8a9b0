/**
 * Character folding (spec 3: NFKC, lower case). NFKC is applied to one cluster at a time, which keeps every folded
 * character's offset in the original text and makes the result of a piece independent of what stands around it.
 */

/** A character with whatever can compose with it: combining marks, Hangul vowels and finals, half-width forms. */
const CLUSTER = /[\s\S][\p{M}\u1160-\u11FF\u3131-\u318E\uD7B0-\uD7FB\uFF9E\uFF9F\uFFA0-\uFFDC]*/gu;
const ASCII = /^[\0-\x7F]*$/;

/**
 * Compatibility-composed text; `starts[i]` and `ends[i]` bound, in the original, what code unit `i` came from. Both may be
 * longer than the text.
 */
export interface ComposedText {
  readonly text: string;
  readonly starts: readonly number[];
  readonly ends: readonly number[];
}

/** Offsets of text in which each unit stands for itself, as long as the longest that was seen; all such texts share them. */
const starting: number[] = [];
const ending: number[] = [];

/** NFKC with offsets. Case is kept, because camelCase still has to be seen. */
export function compose(original: string): ComposedText {
  if (ASCII.test(original)) {
    for (let at = starting.length; at < original.length; at += 1) {
      starting.push(at);
      ending.push(at + 1);
    }
    return { text: original, starts: starting, ends: ending };
  }
  let text = "";
  const starts: number[] = [];
  const ends: number[] = [];
  for (const { 0: cluster, index } of original.matchAll(CLUSTER)) {
    const composed = cluster.normalize("NFKC");
    text += composed;
    for (let unit = 0; unit < composed.length; unit += 1) {
      starts.push(index);
      ends.push(index + cluster.length);
    }
  }
  return { text, starts, ends };
}

/**
 * Case folding of composed text, by code point: upper case first, so that "ß" and "SS" and the two small sigmas agree;
 * no locale, and no rule that looks at the neighbours.
 */
export function foldCase(text: string): string {
  if (ASCII.test(text)) return text.toLowerCase();
  return Array.from(text, (point) => point.toUpperCase().toLowerCase()).join("");
}
