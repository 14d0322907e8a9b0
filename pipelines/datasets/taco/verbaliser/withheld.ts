/** Which words of a table's name a request must not hold, and whether it does. */
import { isGrammatical, normalKey, tokenise } from "../../../oracle/index.js";

/** A year in a table's name may stand in the request (spec 2, taco, step 3). */
const YEAR = /^(?:1[89]|20)\d\d$/;

/** The words of a name that would give it away: all but those of grammar and years. */
export function tableKeys(table: string): string[] {
  return tokenise(table)
    .map(({ key }) => key)
    .filter((key) => !isGrammatical(key) && !YEAR.test(key));
}

/** The words of the table's name that a text holds; the whole name run together counts, too. */
export function namedWords(text: string, table: string): string[] {
  const tokens = tokenise(text);
  const held = new Set(tokens.map(({ key }) => key));
  const words = tableKeys(table).filter((key) => held.has(key));
  const whole = normalKey(tableKeys(table).join(" "));
  if (words.length === 0 && whole.length > 4 && tokens.some(({ key }) => key.includes(whole)))
    words.push(whole);
  return [...new Set(words)];
}

/** The years of the table's name that the text has, too. */
export function sharedYears(text: string, table: string): string[] {
  const held = new Set(tokenise(text).map(({ key }) => key));
  return tokenise(table)
    .map(({ key }) => key)
    .filter((key) => YEAR.test(key) && held.has(key));
}

/** Whether the words of a phrase stand in the text, in their order. */
export function holdsPhrase(text: string, phrase: string): boolean {
  const keys = (of: string): string =>
    ` ${tokenise(of)
      .map(({ key }) => key)
      .join(" ")} `;
  return tokenise(phrase).length > 0 && keys(text).includes(keys(phrase));
}
