/** Column and table names as a person says them. */
import { tokenise } from "../../oracle/index.js";

/** `Song_release_year` → `song release year`; a name without a word (`#`) stays as it is written. */
export function inWords(name: string): string {
  const words = tokenise(name).map(({ text }) => text);
  return words.length === 0 ? name : words.join(" ");
}

/**
 * What else the ambiguity is called: both alternatives and the original name, in words and as written, and each with the
 * table's noun, under which alone a bare word counts in a question (spec 3).
 */
export function aliasesOf(table: string, names: readonly string[], term: string): string[] {
  const noun = inWords(table);
  const all = names.flatMap((name) => [inWords(name), name, `${noun} ${inWords(name)}`]);
  const seen = new Set([term]);
  return all.filter((alias) => {
    const fresh = alias.trim() !== "" && !seen.has(alias);
    seen.add(alias);
    return fresh;
  });
}

/** What the person means, said without SQL: the chosen column in words, or as written where the words are the same. */
export function responseOf(table: string, term: string, chosen: string, other: string): string {
  const same = inWords(chosen) === inWords(other);
  const name = same ? `"${chosen}"` : inWords(chosen);
  return `By "${term}" I mean the ${name} of the ${inWords(table)}.`;
}
