/**
 * The prompts of the model askers (spec 6; paper Table 9 and appendix G): direct, checklist (chat), checklist (ledger).
 * Contents are the paper's, words are ours. The first message holds all that stays the same over an episode, so that
 * a server can reuse what it has read; what was asked and answered follows after it.
 */
import type { ModelMessage } from "../../model/types.js";
import type { AgentView } from "../../record/views.js";
import type { Budget, Exchange } from "../askers/types.js";
import { engineName, section, taskSections } from "./context.js";
import { isRefusal } from "./refusal.js";

export const ASKING_STYLES = ["direct", "checklist-chat", "checklist-ledger"] as const;
export type AskingStyle = (typeof ASKING_STYLES)[number];

/** A template's name and version; a change of its words is a new version, because it decides answers. */
export const askerTemplate = (style: AskingStyle): string => `asker/${style}@1`;

const REPLY = `Reply with one JSON object and nothing else. To ask:
{"type":"clarification","output":"<your one question>"}
To stop asking:
{"type":"done","output":null}`;

const CHECKLIST = `Do this in every turn before you reply:
1. Draw up the checklist anew. Go through the request word by word, with schema, column meanings and knowledge beside it, and list every item that is
   - a term of the trade whose meaning is given nowhere,
   - a phrase that could stand for more than one column, table or value, or
   - an operation whose rule is left open: a threshold, a range, rounding, missing values, ranking and ties, how tables are joined.
   Listing too little is the mistake that costs most: requests like this one usually hide several items, and an item that nobody lists is never cleared up.`;

const METHOD: Record<AskingStyle, string> = {
  direct: `Look for what in the request is unclear: what could be understood in more than one way, or is not defined in the material below. Ask the user about one such point in a turn, in plain words, and never about a point that was asked before. Stop when the request is clear, or when nothing different is left to ask.`,
  "checklist-chat": `${CHECKLIST}
2. Strike off what the user has answered in an earlier turn. It is settled: neither ask about it again nor put the same question in other words.
3. If an item is open that you have not asked about, ask about it: one question, about one item.
4. Stop when every item is settled, or when no different item is left that you have not asked about. One or two answers are no reason to stop while an item is open: asking about what is truly ambiguous is better than guessing.`,
  "checklist-ledger": `${CHECKLIST}
2. Strike off what stands in either of the two lists below the request: what was asked and resolved, and what was asked and the user could not answer. Neither ask about those again nor put the same questions in other words.
3. If an item is still open, ask about it: one question, about one item.
4. Stop only when every item is resolved or could not be answered. One or two answers are no reason to stop while an item is open: asking about what is truly ambiguous is better than guessing.`,
};

/** The first message: who the asker is, how it works, and the task. */
function opening(style: AskingStyle, view: AgentView, maxTurn: number, budget: number): string {
  const part = `You are a data scientist who knows ${engineName(view)} well, and you work on the database "${view.database_id}". A user has sent the request below, which leaves something open: terms, conditions or quantities in it are undefined or can be read in several ways. You find out from the user what is meant, all of it, before any SQL is written. You do not write the SQL: a separate model does, from the material below and from your questions with their answers.
You have ${maxTurn} turns. In each you may ask the user one question; the last turn is for stopping.`;
  return [
    section("Your part", part),
    section("How you proceed", METHOD[style]),
    section("How you reply", REPLY),
    taskSections(view, budget),
  ].join("\n\n");
}

/** The request to decide: which turn it is, how many are left with it, and on the last one that it is for stopping. */
function turnText(style: AskingStyle, { turn, maxTurn }: Budget): string {
  const left = maxTurn - turn + 1;
  const heading = `Turn ${turn} of ${maxTurn} (${left} ${left === 1 ? "turn" : "turns"} left)`;
  if (left === 1)
    return section(heading, 'This is the last turn: stop now. Reply {"type":"done","output":null}.');
  const what = {
    direct: "Ask about one point that is unclear, or stop.",
    "checklist-chat": "Ask about one open item of your checklist, or stop if none is left.",
    "checklist-ledger":
      "Ask about one item of your checklist that is in neither list, or stop if every item is in one of them.",
  }[style];
  return section(heading, what);
}

const listed = (dialogue: readonly Exchange[]): string =>
  dialogue
    .map(({ question, response }) => `- You asked: ${question}\n  The user answered: ${response}`)
    .join("\n");

/** The dialogue as two lists, by whether the visible answer is a refusal; credits have no say in it. */
function ledger(dialogue: readonly Exchange[]): string {
  const refused = dialogue.filter(({ response }) => isRefusal(response));
  const resolved = dialogue.filter(({ response }) => !isRefusal(response));
  return [
    section("Asked and resolved: do not ask about these again", listed(resolved)),
    section("Asked, and the user could not answer: do not ask about these again", listed(refused)),
  ].join("\n\n");
}

const user = (content: string): ModelMessage => ({ role: "user", content });

/** The messages after the first one. */
function dialogueMessages(style: AskingStyle, dialogue: readonly Exchange[], budget: Budget): ModelMessage[] {
  if (style === "checklist-ledger") return [user(`${ledger(dialogue)}\n\n${turnText(style, budget)}`)];
  if (style === "direct") {
    const asked = section("Asked so far", listed(dialogue));
    return [user(`${asked}\n\n${turnText(style, budget)}`)];
  }
  const at = (turn: number): string => turnText(style, { turn, maxTurn: budget.maxTurn });
  return [
    user(at(1)),
    ...dialogue.flatMap(({ question, response }, index): ModelMessage[] => [
      { role: "assistant", content: JSON.stringify({ type: "clarification", output: question }) },
      user(`The user answered: ${response}\n\n${at(index + 2)}`),
    ]),
  ];
}

/** First messages of the tasks under way: the longest part of a prompt is made once a task, not once a turn. */
const openings = new WeakMap<AgentView, Map<string, string>>();

/**
 * What a model asker is sent in one turn.
 *
 * @param schemaTokens the budget of the schema's text
 */
export function askerMessages(
  style: AskingStyle,
  view: AgentView,
  dialogue: readonly Exchange[],
  budget: Budget,
  schemaTokens: number,
): ModelMessage[] {
  const made = openings.get(view) ?? new Map<string, string>();
  openings.set(view, made);
  const key = `${style}/${budget.maxTurn}/${schemaTokens}`;
  const first = made.get(key) ?? opening(style, view, budget.maxTurn, schemaTokens);
  made.set(key, first);
  return [{ role: "system", content: first }, ...dialogueMessages(style, dialogue, budget)];
}

/** The messages that ask once more after a reply that could not be read. */
export function askerRetry(
  messages: readonly ModelMessage[],
  reply: string | undefined,
  why: string,
): ModelMessage[] {
  const before: ModelMessage[] = reply === undefined ? [] : [{ role: "assistant", content: reply }];
  return [...messages, ...before, user(`Your reply could not be read: ${why}. ${REPLY}`)];
}
