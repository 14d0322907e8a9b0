/**
 * One key for the singular and the plural of an English word (spec 3: "simple plural/singular variants match"). Keys
 * are compared with keys only, so they need not be words: "movies" and "movie" are both "movy".
 */

const IRREGULAR: ReadonlyMap<string, string> = new Map([
  ["ids", "id"],
  ["people", "person"],
  ["persons", "person"],
  ["children", "child"],
  ["men", "man"],
  ["women", "woman"],
]);

/** Singular words that end in a plain s. */
const SINGULAR_IN_S = new Set(
  "alias always atlas bias canvas does lens news perhaps series species texas kansas arkansas whereas christmas".split(
    " ",
  ),
);

/** Last letters after which a plural is "-es", so that "boxe(s)" and "box" must come to the same. */
const SIBILANT_E = /(?:ch|sh|s|x|z|o)e$/;

/** Words in -ss, -us and -is (address, status, this) are singular; so is a short word in s (gas, bus, was). */
function isPlural(word: string): boolean {
  return word.length >= 4 && word.endsWith("s") && !/[sui]s$/.test(word) && !SINGULAR_IN_S.has(word);
}

/** `singularKey("cities") === singularKey("city")`; takes and returns folded text, one word. */
export function singularKey(word: string): string {
  const irregular = IRREGULAR.get(word);
  if (irregular !== undefined) return irregular;
  const stem = isPlural(word) ? word.slice(0, -1) : word;
  if (stem.length < 4) return stem;
  if (stem.endsWith("ie")) return `${stem.slice(0, -2)}y`;
  return SIBILANT_E.test(stem) ? stem.slice(0, -1) : stem;
}
