import type { ColumnValues, Edit } from "./edit.js";
import { OPERATORS } from "./operators/index.js";
import { readQuestion } from "./question.js";
import { doubtOf } from "./rank.js";
import type { ReadingSchema } from "./schema.js";
import { parseStatement, placesOf, type Query, scopesOf, writeQuery } from "./tree/index.js";

/** One other reading of a question, as data: what `proposeReadings` gives. */
export interface Proposal {
  edit: Edit;
  /** The edited statement. */
  sql: string;
  /** Higher is more doubtful; see rank.ts. */
  doubt: number;
}

export type Proposed =
  | { query: Query; parser: "node-sql-parser" | "polyglot"; proposals: Proposal[] }
  | { unreadable: string };

/** The statement with several edits: those that are built from other parts of it come last. */
export function applyEdits(query: Query, edits: readonly Edit[]): Query {
  const ordered = [...edits].sort((a, b) => Number(a.structural === true) - Number(b.structural === true));
  return ordered.reduce((made, edit) => edit.apply(made), query);
}

/**
 * Every other reading of a question that the operators know, most doubtful first, each statement once. Nothing is run:
 * a proposal may fail, or give the same result.
 */
export function proposeReadings(
  sql: string,
  question: string,
  schema: ReadingSchema,
  values: ColumnValues = () => undefined,
): Proposed {
  const parsed = parseStatement(sql);
  if ("unreadable" in parsed) return parsed;
  const { query, parser } = parsed;
  const input = {
    query,
    places: placesOf(query),
    scopes: scopesOf(query),
    schema,
    question: readQuestion(question),
    values,
  };
  const seen = new Set([writeQuery(query)]);
  const proposals: Proposal[] = [];
  for (const operator of OPERATORS) {
    for (const edit of operator.edits(input)) {
      const made = writeQuery(edit.apply(query));
      if (seen.has(made)) continue;
      seen.add(made);
      proposals.push({ edit, sql: made, doubt: doubtOf(edit) });
    }
  }
  // A stable sort: equals stay in the order of the operators and of the places in the statement.
  proposals.sort((a, b) => b.doubt - a.doubt);
  return { query, parser, proposals };
}
