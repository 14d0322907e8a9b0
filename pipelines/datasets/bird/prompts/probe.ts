import type { ModelMessage } from "../../../model/index.js";

export const PROBE_TEMPLATE = "bird-probe@1";

const SYSTEM = `You write SQL for analysts. You are given the schema of a SQLite database, a request for data and, at times, what the person who asks has said about it since.
Write one SQLite SELECT statement that gives what is asked for.

- Use only tables and columns that the schema shows, spelled exactly as there; put names with blanks or odd characters in double quotes.
- Give exactly what the request asks for, in the order in which it asks, and nothing more.
- What the person has said about the request counts before your own reading of it. Where nothing is said, take the reading that is most likely meant.
- Write a single statement, without comments.

First think in a few sentences, then answer with one JSON object and nothing after it:
{"reasoning": "<your thoughts, short>", "type": "final_sql", "output": "<the statement>"}`;

/** A term of the request and what the person answers when asked about it. */
export interface Clarification {
  term: string;
  response: string;
}

/**
 * The messages that ask the probe for SQL, with all clarifications or with none; everything else is the same.
 *
 * @param schema from `schemaText`
 */
export function probeMessages(
  schema: string,
  request: string,
  clarifications: readonly Clarification[],
): ModelMessage[] {
  const said = clarifications.map(({ term, response }) => `- about "${term}": ${response}`).join("\n");
  const more = said === "" ? "" : `\n\nThe person has said since:\n${said}`;
  return [
    { role: "system", content: SYSTEM },
    { role: "user", content: `SQLite schema:\n\n${schema}\n\nRequest:\n${request}${more}` },
  ];
}
