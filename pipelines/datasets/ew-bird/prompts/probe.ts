import type { ModelMessage } from "../../../model/types.js";

/** The template and its version: it is part of every probe call's key, so a change of wording changes it. */
export const PROBE_TEMPLATE = "ew-bird-probe@1";

const SYSTEM = `You write SQL for analysts. You are given the schema of a SQLite database and one question about its data.
Write one SQLite SELECT statement that answers the question.

- Use only tables and columns that the schema shows, spelled exactly as there; put names with blanks or odd characters in double quotes.
- Return exactly what the question asks for, in the order in which it asks, and nothing more.
- Where the hint explains a word of the question, follow the hint. Where there is no hint, decide by the schema, the columns' meanings and the values.
- Write a single statement, without comments and without a trailing explanation.

First think in a few sentences, then answer with one JSON object and nothing after it:
{"reasoning": "<your thoughts, short>", "type": "final_sql", "output": "<the statement>"}`;

/**
 * The messages that ask a probe for SQL, with the row's evidence or without it; everything else is the same.
 *
 * @param schema from `schemaText`
 * @param evidence the withheld text; null to ask without it
 */
export function probeMessages(schema: string, question: string, evidence: string | null): ModelMessage[] {
  const hint = evidence === null ? "" : `\n\nHint from the person who asks:\n${evidence}`;
  return [
    { role: "system", content: SYSTEM },
    { role: "user", content: `SQLite schema:\n\n${schema}\n\nQuestion:\n${question}${hint}` },
  ];
}
