import type { ModelMessage } from "../../../model/index.js";

export const JUDGE_TEMPLATE = "bird-judge@1";

const SYSTEM = `You are an experienced data analyst. A colleague from another department sends you a request. You have the database, but not the colleague's mind.
For each listed term you are shown two readings of it. Nobody tells you which one is meant.
Say for each term whether you would have to ask the colleague before you answer.

- Ask is true where both readings are plausible to a careful person, the request and the schema do not settle the matter, and the answer would come out differently.
- Ask is false where the request, plain usage or the schema makes one of the readings clearly the one that is meant, or where no sensible person would mean one of them.
- Judge each term by itself.

First think in a sentence or two for each term, then answer with one JSON object and nothing after it; one entry for each term, in their order:
{"items": [{"item": 1, "why": "<short>", "ask": true}]}`;

/** A term with its two readings in the order in which the judge is shown them. */
export interface JudgedTerm {
  term: string;
  readings: readonly [string, string];
}

/**
 * The messages that ask whether each term is truly open. The judge is told nothing of which reading is the reference: who
 * calls this draws the order.
 *
 * @param schema from `schemaText`
 */
export function judgeMessages(schema: string, request: string, terms: readonly JudgedTerm[]): ModelMessage[] {
  const listed = terms.map(
    ({ term, readings: [first, second] }, at) =>
      `${at + 1}. "${term}"\n   reading A: ${first}\n   reading B: ${second}`,
  );
  return [
    { role: "system", content: SYSTEM },
    {
      role: "user",
      content: `SQLite schema:\n\n${schema}\n\nRequest:\n${request}\n\nTerms:\n${listed.join("\n")}`,
    },
  ];
}
