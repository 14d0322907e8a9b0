import { strengthOf } from "../../oracle/index.js";
import { readAttachment } from "./attached-sql.js";
import { type OpenModifier, openModifier } from "./attachment-term.js";
import type { ConceptsOf, Meaning, Said } from "./meaning.js";
import { contentKeys, inWords, keysOf, sameStem, sameWord } from "./similar-words.js";

/** With its noun a property names the open modifier; alone it is in questions about the answer's columns too. */
const CONDITION = ["condition", "filter", "restriction", "requirement", "criterion", "constraint"];

/**
 * Whether a narrow reading's sentence says the opposite of its SQL: "all interviews and also press releases for …" where
 * the SQL restricts the interviews. It does where the thing that is free stands between the other and the modifier.
 */
function saysOpposite(sentence: string, { term, things }: OpenModifier, restricted: 0 | 1): boolean {
  const [narrowed, free] = [things[restricted], things[restricted === 0 ? 1 : 0]];
  if (narrowed === undefined || free === undefined) return false;
  const said = keysOf(sentence);
  const own = contentKeys(term);
  const modifier = said.findLastIndex((key) => own.some((word) => sameWord(word, key)));
  const mentions = (mine: string, other: string): number[] => {
    // A word of the modifier tells nothing: "construction workers" before "who work for …".
    const others = contentKeys(`${other} ${term}`);
    const names = contentKeys(mine).filter((key) => !others.some((word) => sameStem(word, key)));
    return said.flatMap((key, at) => (names.some((word) => sameStem(word, key)) ? [at] : []));
  };
  const of = mentions(narrowed, free);
  const between = mentions(free, narrowed).findLast((at) => at < modifier) ?? -1;
  return of.length > 0 && of.every((at) => at < between);
}

/** A term in quotation marks; one that holds such marks itself is set in others. */
const quoted = (term: string): string => (term.includes('"') ? `“${term}”` : `"${term}"`);

/** Attachment: does the modifier go with both things or with the one beside it? */
export function meaningOfAttachment(
  request: string,
  concepts: ConceptsOf<"attachment">,
  readings: readonly Said[],
): Meaning {
  const [first, second] = readings;
  const attachment = first && second && readAttachment(first.sql, second.sql);
  const { common_property, common_value } = concepts;
  const said = ` ${keysOf(request).join(" ")} ${readings.flatMap(({ sql }) => keysOf(sql)).join(" ")} `;
  const isSaid = (value: string): boolean => said.includes(` ${keysOf(value).join(" ")} `);
  if (attachment === undefined) {
    const term = isSaid(common_value) ? common_value : common_property;
    const inRequest = ` ${keysOf(request).join(" ")} `.includes(` ${keysOf(term).join(" ")} `);
    return {
      ...{ term, inRequest, aliases: [], namedInRequest: [] },
      ...{ decided: readings.map(() => undefined), contradicted: readings.map(() => false) },
    };
  }
  const found = openModifier(request, attachment, concepts);
  const { term, inRequest, things } = found;
  const restricted = attachment.branches[0].restricted ? 0 : 1;
  const [narrowed, free] = [things[restricted], things[restricted === 0 ? 1 : 0]];
  const both =
    narrowed === undefined || free === undefined
      ? `${quoted(term)} goes with both of the things that I name.`
      : `${quoted(term)} goes with both: the ${free} and the ${narrowed}.`;
  const only =
    narrowed === undefined || free === undefined
      ? `${quoted(term)} goes with one of the two things that I name only; of the other I want all.`
      : `${quoted(term)} goes only with the ${narrowed}; of the ${free} I want all.`;
  // A number alone is in questions about anything ("the first 50 rows").
  const values = [...attachment.values, common_value].filter(
    (value) => /\p{L}/u.test(value) && isSaid(value),
  );
  const properties = [common_property, ...attachment.columns]
    .map(inWords)
    .filter((name) => strengthOf(keysOf(name)) === "specific");
  return {
    term,
    inRequest,
    aliases: [...values, ...properties.flatMap((name) => CONDITION.map((noun) => `${name} ${noun}`))],
    decided: readings.map((_, at) => (at === attachment.joint ? both : only)),
    contradicted: readings.map(
      ({ sentence }, at) => at !== attachment.joint && saysOpposite(sentence, found, restricted),
    ),
    namedInRequest: [],
  };
}
