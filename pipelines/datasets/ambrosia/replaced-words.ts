/** What a request says in place of a focus that it does not name: words that the readings replace. */
import { isGrammatical, isQueryWord } from "../../oracle/index.js";
import { ASKS, keptBy, type Place, textAt } from "./question-words.js";
import type { Stretch } from "./similar-words.js";

/** Words of a request's frame, which readings word in their own way. */
const FRAME = new Set(
  "along alongside different corresponding correspond respective related associated available following located create provide retrieve rank split called own get got".split(
    " ",
  ),
);

/**
 * The first stretch of content words that at most `most` readings keep: what the readings replaced is what was vague.
 * After "what" or "which" it is preferred.
 */
export function replaced(place: Place, most: number): Stretch | undefined {
  const { tokens } = place;
  const gone = (at: number): boolean => {
    const key = tokens[at]?.key ?? "1";
    const says =
      key.length > 2 && !isGrammatical(key) && !isQueryWord(key) && !FRAME.has(key) && !/\d/.test(key);
    return says && keptBy(place, key) <= most;
  };
  const found: (Stretch & { asked: boolean })[] = [];
  for (let from = 0; from < tokens.length; from += 1) {
    let to = from;
    while (gone(to) && (to === from || tokens[to]?.pause === "")) to += 1;
    if (to === from) continue;
    const asking = ASKS.has(textAt(tokens, from - 1));
    found.push({
      from: asking ? from - 1 : from,
      to,
      asked: asking || ["what", "which"].includes(textAt(tokens, from - 1)),
    });
    from = to;
  }
  return found.sort((a, b) => Number(b.asked) - Number(a.asked) || a.from - b.from)[0];
}

/** "What was it about?", "what they do", "What did she study?": a "what" that only its verb or preposition explains. */
export function whatWithVerb({ tokens }: Place): Stretch | undefined {
  const what = tokens.findIndex(({ text }) => text === "what");
  if (what === -1) return undefined;
  if (["they", "he", "she", "it"].includes(textAt(tokens, what + 1)) && tokens.length > what + 2)
    return { from: what, to: what + 3 };
  const about = tokens.findIndex(({ text }, at) => at > what && text === "about");
  if (about !== -1) return { from: about, to: about + 1 };
  const asks = ["did", "does", "do", "can", "will"].includes(textAt(tokens, what + 1));
  return asks ? { from: tokens.length - 1, to: tokens.length } : undefined;
}

/** "Describe the jacket.": the verb is all that says what is wanted. */
export const opening = ({ tokens }: Place): Stretch | undefined =>
  textAt(tokens, 0) === "describe" ? { from: 0, to: 1 } : undefined;
