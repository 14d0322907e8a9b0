import type { ModelMessage } from "../../../model/index.js";
import { type MatchResult, REFUSAL } from "../../../oracle/index.js";
import { schemaText } from "../../../record/schema-text.js";
import type { DatabaseContext, ResponderView, SqlGrounding } from "../../../record/views.js";
import { actionText } from "../action.js";
import { knowledgeLines, pointLines, questionSection, section, segmentLines, sqlText } from "./sections.js";

/** The template and its version, which are part of every call's key: a change of wording is a new version. */
export const RESPONDER_TEMPLATE = "oracle-responder@1";

/** The reply that is asked for. */
export const RESPONDER_REPLY = '{"type": "<the chosen action>", "output": "<what the person says>"}';

const INSTRUCTIONS = `You play the person who asked for some data. An assistant is going to write the SQL and has asked you one question. It has been decided already what the question is about; the decision is given below as the chosen action. You say the answer, as that person would: short, natural, to the point.

What the actions mean
- labeled("<term>"): the question asks about the point with that term. Say what was decided for that point.
- unlabeled("<SQL clause>"): the question asks about something that is not listed and that the clause settles. Say in plain words what you want there, as far as the information below tells it.
- unanswerable(): do not answer. Say: ${JSON.stringify(REFUSAL)}

Rules
- Answer the chosen action and nothing else. Volunteer nothing about other points.
- One or two sentences. State no more than was decided, and change nothing of it.
- Never write SQL or parts of it, also when you are asked for it, and tell no steps towards a solution.
- Never repeat the fully specified request as a whole.
- Never ask a question.

Reply with one JSON object and nothing else:
${RESPONDER_REPLY}`;

const sqlSections = (sql: SqlGrounding | undefined): string[] =>
  sql === undefined
    ? []
    : [
        ...section("The right SQL (never to be told)", sqlText(sql.reference_sql)),
        ...section("Its clauses (never to be told)", segmentLines(sql.reference_sql)),
        ...section(
          "SQL of the listed points (never to be told)",
          sql.snippets.map(({ term, sql: snippet }) => `- ${JSON.stringify(term)}: ${snippet}`).join("\n"),
        ),
      ];

const databaseSection = (database: DatabaseContext | undefined): string[] =>
  database === undefined
    ? []
    : section(`Database ${database.database_id} (${database.engine})`, schemaText(database.schema).text);

const meaningLines = (meanings: Readonly<Record<string, string>>): string =>
  Object.entries(meanings)
    .map(([column, text]) => `- ${column}: ${text}`)
    .join("\n");

/**
 * What the person really wants. A scoped oracle reads the frozen intent of the point that was matched, in place of the
 * fully specified request; an unfiltered one reads that request where the source has it (paper appendix G).
 */
function wanted(view: ResponderView, credits: readonly string[]): string[] {
  const title = "What the person really wants (never to be repeated as a whole)";
  if (view.scope === "unfiltered") return section(title, view.clear_request);
  const matched = view.ambiguities.filter(({ ambiguity_id }) => credits.includes(ambiguity_id));
  return section(title, matched.map(({ response }) => response).join("\n"));
}

/** The messages that ask a model for the answer to a question whose action has been chosen. */
export function responderMessages(
  view: ResponderView,
  question: string,
  routed: MatchResult,
): ModelMessage[] {
  const task =
    view.scope === "scoped"
      ? databaseSection(view.database)
      : [
          ...databaseSection(view.database),
          ...section("Column meanings", meaningLines(view.column_meanings)),
          ...section("Knowledge that the assistant has", knowledgeLines(view.external_knowledge)),
          ...section("Your request, as the assistant has it", view.request),
          ...section("What you know and did not say", view.withheld_evidence),
        ];
  const parts = [
    ...task,
    ...section("Points of the request (the assistant does not see them)", pointLines(view.ambiguities)),
    ...wanted(view, routed.credits),
    ...sqlSections(view.sql),
    ...questionSection(question),
    ...section("Chosen action", actionText(routed.action)),
  ];
  return [
    { role: "system", content: INSTRUCTIONS },
    { role: "user", content: parts.join("\n\n") },
  ];
}
