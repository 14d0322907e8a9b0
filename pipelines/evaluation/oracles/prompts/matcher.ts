import type { ModelMessage } from "../../../model/index.js";
import type { MatcherView } from "../../../record/views.js";
import { knowledgeLines, pointLines, questionSection, section, segmentLines } from "./sections.js";

/** The template and its version, which are part of every call's key: a change of wording is a new version. */
export const MATCHER_TEMPLATE = "oracle-matcher@1";

/** The reply that is asked for. */
export const MATCHER_REPLY = '{"action": "<one action>", "cot": "<why, step by step>"}';

const INTRODUCTION = `You stand in for the person who asked for some data. An assistant is going to write the SQL and asks that person a question first. You decide what the question is about. You do not answer it: somebody else does.

The person's request has points that can be read in more than one way. They are listed below with their terms; the assistant does not see the list. Choose exactly one action:

1. labeled("<term>"): the question asks about a listed point. Copy its term exactly as it is listed.`;

const UNLABELED = {
  scoped: `2. unlabeled("<SQL clause>"): the question is about none of the listed points and still asks for something that the right SQL depends on. Name the clause that it would settle, such as ORDER BY.`,
  unfiltered: `2. unlabeled("<SQL clause>"): the question is about none of the listed points and still asks for something that the right SQL depends on. Copy the clause that settles it from the clauses below.`,
} as const;

const RULES = `3. unanswerable(): the question is about neither; or it names no particular part of the request ("Please elaborate."); or it asks for the SQL or the solution itself.

Rules
- One action only. Of several points that a question names, choose the one that it asks about most directly; if it asks about all alike, the first that it names.
- A question is about a point when its answer would be what was decided for that point, whatever words it uses. Sharing a word with a term is not enough.
- Choose by the question in front of you alone.
- Neither the action nor your reasoning may give away a solution or parts of the SQL, but for the clause of an unlabeled action.

Reply with one JSON object and nothing else:
${MATCHER_REPLY}`;

/** The messages that ask a model what a question is about. */
export function matcherMessages(view: MatcherView, question: string): ModelMessage[] {
  const points = section("Listed points (the assistant does not see them)", pointLines(view.ambiguities));
  const task =
    view.scope === "scoped"
      ? []
      : [
          ...section("The person's request", view.request),
          ...section("Knowledge that the assistant has", knowledgeLines(view.external_knowledge)),
          ...section("What the person knows and did not say", view.withheld_evidence),
          ...section(
            "Clauses of the right SQL (the assistant does not see them)",
            segmentLines(view.reference_sql),
          ),
        ];
  return [
    { role: "system", content: `${INTRODUCTION}\n${UNLABELED[view.scope]}\n${RULES}` },
    {
      role: "user",
      content: [...task, ...points, ...questionSection(question)].join("\n\n"),
    },
  ];
}
