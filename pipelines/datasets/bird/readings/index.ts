/**
 * Alternative readings of a question by edits of its SQL's syntax tree (spec 2, bird, step 1).
 *
 * @example
 * const proposed = proposeReadings(row.SQL, row.question, readingSchema(describeSqlite(path)));
 */

export { areCompatible, chooseReadings, LEAST_DOUBT, MOST_READINGS } from "./choose.js";
export { comparedColumns } from "./compared-columns.js";
export { type ColumnValues, type Edit, OPERATOR_NAMES, type OperatorName } from "./edit.js";
export { applyEdits, type Proposal, type Proposed, proposeReadings } from "./propose.js";
export { type ReadingSchema, readingSchema, wordsFromMeanings } from "./schema.js";
export { loadPolyglot, parseStatement, writeQuery } from "./tree/index.js";
