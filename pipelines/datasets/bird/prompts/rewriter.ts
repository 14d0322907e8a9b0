import type { ModelMessage } from "../../../model/index.js";
import type { OpenReading } from "../items.js";

/** The template and its version: it is part of every call's key, so a change of wording changes it. */
export const REWRITER_TEMPLATE = "bird-rewriter@1";

const SYSTEM = `You help to build a test for data assistants: can they notice that a request is open, and ask?
You are given a question about a database, a hint that explains its words, and a list of open points. For each point you are told what the person means and what somebody might take it for instead.
Write the question again as a person would type it who does not notice that these points are open.

The request
- is one natural question or instruction in English, about as long as the question you were given;
- leaves every listed point truly open: read alone, it fits what is meant and the other reading equally well, and no word of it decides between them;
- leaves nothing else open: every name, number, date and condition of the question that belongs to no listed point stays as it is. What the reader needs of the hint for the other parts goes into the request in plain words;
- holds no SQL, no table or column names, no quotes around single words, and does not say that anything is unclear.

For each point, in the order of the list, give
- "term": the words of your request that leave it open, copied letter for letter; two to five words, different for each point, so that someone could ask "what do you mean by …?";
- "aliases": up to three other ways to call the same thing in a question, without saying which reading is meant;
- "resolution": one sentence that says exactly what is meant, in plain words;
- "response": what the person would answer when asked about the term: one short sentence, no SQL, no question;
- "concepts": the nouns, columns and values that a question about this point might mention.
An answer about one point says nothing about another.

Answer with one JSON object and nothing after it:
{"request": "…", "ambiguities": [{"term": "…", "aliases": ["…"], "resolution": "…", "response": "…", "concepts": ["…"]}]}`;

function pointText({ reference, alternative, anchor }: OpenReading, at: number): string {
  const where = anchor === null ? "" : `\n   words of the question: "${anchor}"`;
  return `${at + 1}. meant: ${reference}\n   might be taken for: ${alternative}${where}`;
}

/** A reply that was not good, and why. */
export interface Refused {
  reply: string;
  complaint: string;
}

/**
 * The messages that ask for an ambiguous request.
 *
 * @param refused the first reply and what is wrong with it, where this is the second try
 */
export function rewriterMessages(
  question: string,
  evidence: string,
  readings: readonly OpenReading[],
  refused?: Refused,
): ModelMessage[] {
  const hint = evidence.trim() === "" ? "(none)" : evidence.trim();
  const points = readings.map(pointText).join("\n");
  const asked: ModelMessage[] = [
    { role: "system", content: SYSTEM },
    { role: "user", content: `Question:\n${question.trim()}\n\nHint:\n${hint}\n\nOpen points:\n${points}` },
  ];
  if (refused === undefined) return asked;
  const { reply, complaint } = refused;
  return [
    ...asked,
    { role: "assistant", content: reply },
    { role: "user", content: `That cannot be used: ${complaint}. Write the whole JSON object again.` },
  ];
}
