import type { ModelMessage } from "../../model/types.js";
import type { RegisteredAmbiguity } from "./items.js";

/** The version of the prompt below: part of every request's key. A changed prompt gets a new number. */
export const AUTHOR_TEMPLATE = "response-author@1";

/** What the author may read (paper Table 5): the request, the schema, the reference SQL and the annotation. */
export interface AuthorSetting {
  request: string;
  clear_request: string | null;
  columns: readonly string[];
  reference_sql: readonly string[];
  ambiguity: RegisteredAmbiguity;
  /** The withheld definition in plain text; empty where there is none. */
  definition: string;
  /** Terms of the record's other ambiguities, whose answers must not be given away. */
  others: readonly string[];
}

const ROLE = `You write the lines of a person who asked a data team for figures and now gets a question back.
The person knows the business and what they want. They do not know SQL, and they do not know the names of tables or columns.

For one unclear term of the person's request you are told what the person means by it. Write what the person would say when
asked "What do you mean by this term?".

Rules:
- One to three sentences of plain English, in the first person. No question back.
- Say all that is decided: every threshold, unit, direction, formula and condition, so that somebody who hears it can act on it.
- Formulas are said in words. No SQL, no function calls, no table or column names with underscores, dots or quotes.
- Name the term itself, exactly as it is written.
- Say nothing about the other unclear terms of the request, and do not repeat the whole request.
- Nothing that is not in what you are told.

Answer with one JSON object and nothing else: {"response": "…"}`;

const section = (title: string, lines: readonly string[]): string =>
  lines.length === 0 ? "" : `## ${title}\n${lines.join("\n")}\n\n`;

/** The prompt for one ambiguity; with `complaint`, what was wrong with the earlier reply. */
export function authorMessages(
  { request, clear_request, columns, reference_sql, ambiguity, definition, others }: AuthorSetting,
  retry?: { reply: string; complaint: string },
): ModelMessage[] {
  const { term, fragments } = ambiguity;
  const told =
    section("The request", [request]) +
    section("The same request, fully specified", clear_request === null ? [] : [clear_request]) +
    section("Tables and columns", columns) +
    section("The SQL that answers it", reference_sql) +
    section("The unclear term", [term]) +
    section("What decides it: pieces of SQL", fragments) +
    section("What decides it: definition", definition === "" ? [] : [definition]) +
    section("Other unclear terms, not to be answered", others);
  const messages: ModelMessage[] = [
    { role: "system", content: ROLE },
    { role: "user", content: told.trimEnd() },
  ];
  if (retry !== undefined) {
    messages.push(
      { role: "assistant", content: retry.reply },
      {
        role: "user",
        content: `That cannot be used: ${retry.complaint}. Write it again, by all the rules, as one JSON object.`,
      },
    );
  }
  return messages;
}
