/** The columns, literals and content words of a hint: what the knowledge oracle recognises it by besides its term. */
import { isGrammatical, normalKey, tokenise } from "../../../oracle/index.js";
import { isIdentifier, isSqlWord, nameInWords } from "./code-words.js";

const LITERAL = /'([^']+)'|"([^"]+)"/g;
const NAME = /`([^`]+)`|\b\d{2,}(?:\.\d+)?\b|[\p{L}_][\p{L}\p{N}_]*(?:\.[\p{L}_][\p{L}\p{N}_]*)?/gu;
/** Verbs by which hints define, as tokens' keys. */
const DEFINING = new Set([
  "refer",
  "refers",
  "mean",
  "means",
  "stand",
  "represent",
  "represents",
  "denote",
  "indicate",
]);

/**
 * Concepts in the hint's order, each once: a column as written (`table.column` as its column), a literal without its
 * quotation marks, a content word as it stands. Of bare numbers those with several digits: "2010" tells one hint from another, "1" does not.
 */
export function conceptsOf(hint: string): string[] {
  const concepts = new Map<string, string>();
  const add = (concept: string): void => {
    const key = normalKey(concept);
    if (key !== "" && !concepts.has(key)) concepts.set(key, concept);
  };
  const literals = [...hint.matchAll(LITERAL)].map((match) => match[1] ?? match[2] ?? "");
  const rest = hint.replace(LITERAL, " ");
  for (const match of rest.matchAll(NAME)) {
    const name = match[1] ?? match[0].split(".").at(-1) ?? "";
    if (match[1] !== undefined || isIdentifier(name)) {
      add(name);
      continue;
    }
    if (isSqlWord(name)) continue;
    for (const { key } of tokenise(nameInWords(name))) {
      if (!isGrammatical(key) && !DEFINING.has(key)) add(name);
    }
  }
  for (const literal of literals) add(literal.trim());
  return [...concepts.values()];
}
