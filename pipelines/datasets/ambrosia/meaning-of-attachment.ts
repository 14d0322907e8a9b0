import { strengthOf } from "../../oracle/index.js";
import { readAttachment } from "./attached-sql.js";
import { openModifier } from "./attachment-term.js";
import type { ConceptsOf, Meaning, Said } from "./meaning.js";
import { inWords, keysOf } from "./similar-words.js";

/** With its noun a property names the open modifier; alone it is in questions about the answer's columns too. */
const CONDITION = ["condition", "filter", "restriction", "requirement", "criterion", "constraint"];

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
    return { term, inRequest, aliases: [], decided: readings.map(() => undefined), namedInRequest: [] };
  }
  const { term, inRequest, things } = openModifier(request, attachment, concepts);
  const restricted = attachment.branches[0].restricted ? 0 : 1;
  const [narrowed, free] = [things[restricted], things[restricted === 0 ? 1 : 0]];
  const both =
    narrowed === undefined || free === undefined
      ? `"${term}" goes with both of the things that I name.`
      : `"${term}" goes with both: the ${free} and the ${narrowed}.`;
  const only =
    narrowed === undefined || free === undefined
      ? `"${term}" goes with one of the two things that I name only; of the other I want all.`
      : `"${term}" goes only with the ${narrowed}; of the ${free} I want all.`;
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
    namedInRequest: [],
  };
}
