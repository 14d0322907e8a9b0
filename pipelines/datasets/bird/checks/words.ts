/** What two readings of one point have apart, in words: by it a request gives a reading away, and a resolution states one. */
import { isGrammatical, tokenise } from "../../../oracle/index.js";
import type { OpenReading } from "../items.js";

/** Words of our own descriptions of readings, which say nothing of the matter itself. */
const DESCRIBING = new Set(
  `just even others other share anywhere exactly recorded included include includes value values counted counting count
   matching different single added rest however whatever either neither both first come comes left case cases plain
   known means taken meant reading one two three more less least than not no none only all same nothing anything number`
    .split(/\s+/)
    .flatMap((word) => tokenise(word).map(({ key }) => key)),
);

const matter = (text: string) =>
  tokenise(text).filter(
    ({ key, text: word }) => !isGrammatical(key) && !DESCRIBING.has(key) && word.length > 1,
  );

/** The keys of a text's words that are about the matter. */
export const matterOf = (text: string): string[] => matter(text).map(({ key }) => key);

/** The same words as they are written, but for case. */
export const matterWords = (text: string): string[] => matter(text).map(({ text: word }) => word);

export interface Apart {
  reference: string[];
  alternative: string[];
}

/** The keys of the words that only the one reading has. */
export function apart({ telling }: OpenReading): Apart {
  const keys = (text: string): string[] => [...new Set(matterOf(text))];
  return { reference: keys(telling.reference), alternative: keys(telling.alternative) };
}

export const keysOf = (text: string): ReadonlySet<string> => new Set(tokenise(text).map(({ key }) => key));

/** Whether a phrase stands in a text word by word, whatever its case. */
export function says(text: string, phrase: string): boolean {
  const words = tokenise(phrase).map(({ key }) => key);
  const tokens = tokenise(text);
  return (
    words.length > 0 && tokens.some((_, from) => words.every((key, step) => tokens[from + step]?.key === key))
  );
}
