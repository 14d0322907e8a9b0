import { isKeyword, wordsOf } from "../../sql/index.js";
import type { ConceptsOf, Meaning, Said } from "./meaning.js";
import { scopeTerm } from "./scope-term.js";
import { contentKeys, inWords, sameWord } from "./similar-words.js";
import { namesAfterFrom } from "./sql-words.js";

/** The collective reading counts its groups against all of them: `HAVING COUNT(…) = (SELECT COUNT(*) …)`. */
const isCollective = ({ sql }: Said): boolean => wordsOf(sql).some((word) => isKeyword(word, "HAVING"));

/** The noun of a quantified phrase. */
const nounOf = (term: string): string =>
  term.replace(/^(?:each|every|all|any|both)\s+(?:of\s+)?(?:(?:the|our|your|their|these|those|my)\s+)?/i, "");

/** A name's last word in the other number; names that need more than an ending keep it. */
const singular = (name: string): string =>
  name
    .replace(/(?<=.{2})ies$/, "y")
    .replace(/(?<=ch|sh|ss|x)es$/, "")
    .replace(/(?<=[^sui])s$/, "");
const plural = (name: string): string =>
  /s$/.test(name)
    ? name
    : name
        .replace(/(?<=[^aeiou])y$/, "ie")
        .replace(/(?:ch|sh|x)$/, "$&e")
        .concat("s");

/** How questions name what is quantified; a bare noun would credit questions about the things themselves. */
const quantified = (name: string): string[] => [
  ...["each", "every", "per"].map((quantifier) => `${quantifier} ${singular(name)}`),
  ...["all", "all the", "all of the"].map((quantifier) => `${quantifier} ${plural(name)}`),
];

/** Scope: is only what is common to all wanted, or a list for each? The annotation names the things quantified over. */
export function meaningOfScope(
  request: string,
  { entities }: ConceptsOf<"scope">,
  readings: readonly Said[],
): Meaning {
  const { term, inRequest } = scopeTerm(
    request,
    entities,
    readings.map(({ sentence }) => sentence),
  );
  const own = contentKeys(entities);
  const tables = readings
    .flatMap(({ sql }) => namesAfterFrom(wordsOf(sql)))
    .filter((name) => contentKeys(name).every((key) => own.some((word) => sameWord(key, word))));
  const nouns = [...new Set([nounOf(term), ...[entities, ...tables].map(inWords)])];
  const collective = readings.map(isCollective);
  const known = collective.filter(Boolean).length === 1;
  return {
    term,
    inRequest,
    aliases: nouns.flatMap(quantified),
    decided: collective.map((together) => {
      if (!known) return undefined;
      return together
        ? `By "${term}" I mean all of them together: only what is common to every one of them.`
        : `By "${term}" I mean each one separately: a list for each of them.`;
    }),
    contradicted: readings.map(() => false),
    namedInRequest: [],
  };
}
