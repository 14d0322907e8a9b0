/**
 * SQL in words (spec 2, taco, step 3): one SELECT over one table becomes one English sentence that says everything but
 * the table. The same statement always gives the same sentence, and statements that mean different things give different
 * ones. What the parser does not read has no sentence, which says nothing against the statement.
 *
 * @example
 * const query = readSelect("SELECT site FROM parks_2019 WHERE acres > 5", ["site", "acres"]);
 * const speaker = speakerFor(["site", "acres"], ["parks_2019", "parks_2020"]);
 * saySelect(speaker, query, recordsTerm(speaker), null); // Show the site for the records where the acres are greater than 5.
 */
import { ColumnNames } from "./column-names.js";
import { Words } from "./lexicon.js";
import { sayCondition } from "./say-condition.js";
import { sayValue } from "./say-value.js";
import { type Speaker, say } from "./speaker.js";
import { tableKeys } from "./withheld.js";

export { columnWords } from "./column-names.js";
export { LEXICON } from "./lexicon.js";
export { NoSentence } from "./no-sentence.js";
export type { Expression, Item, Literal, Query } from "./query.js";
export { readSelect } from "./read-select.js";
export { saySelect } from "./say-select.js";
export type { Speaker } from "./speaker.js";
export { textEqualities, usesColumn, type ValueFilter, withoutCondition } from "./value-filter.js";
export { holdsPhrase, namedWords, sharedYears, tableKeys } from "./withheld.js";
export { writeSelect } from "./write-select.js";

/**
 * @param columns of the table, as the database writes them
 * @param tables every table on which the statement runs: the sentence must not tell between them, so that it is the same
 *   whichever of them is meant
 */
export function speakerFor(columns: readonly string[], tables: readonly string[]): Speaker {
  const avoided = new Set(tables.flatMap(tableKeys));
  const speaker: Speaker = {
    columns: new ColumnNames(columns, avoided),
    words: new Words(avoided),
    value: (expression) => sayValue(speaker, expression),
    condition: (expression, nested) => sayCondition(speaker, expression, nested),
  };
  return speaker;
}

/** How the withheld table is called: "the records". */
export function recordsTerm(speaker: Speaker): string {
  return `the ${say(speaker, "records")}`;
}
