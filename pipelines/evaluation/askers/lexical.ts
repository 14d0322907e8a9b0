/**
 * The lexical asker (spec 4; ours): a baseline without a model, so that the embedded default asks real questions. It asks
 * about phrases of the request that fit several columns or values of the schema, the sharpest doubt first.
 */
import { tokenise } from "../../oracle/index.js";
import type { AgentView } from "../../record/views.js";
import { type Candidate, type Doubt, doubtsOf } from "./doubts.js";
import type { AgentAsker, Decision } from "./types.js";

/** Candidates that a question names. */
const MOST_NAMED = 4;

const inWords = (name: string): string => {
  const words = tokenise(name).map(({ text }) => text);
  return words.length === 0 ? name : words.join(" ");
};

const nameOf = ({ column, value }: Candidate): string =>
  value === undefined ? `the ${inWords(column)}` : `it as the ${inWords(column)}`;

const whose = (table: string): string => ` of the ${inWords(table)}`;

function questionOf({ phrase, candidates }: Doubt): string {
  const named = candidates.slice(0, MOST_NAMED);
  const [first] = named;
  // Said once where it is the same for all: "the full name or the given name of the singer".
  const one =
    first !== undefined && named.every(({ table }) => table === first.table) ? first.table : undefined;
  const choices = named.map(
    (candidate) => `${nameOf(candidate)}${one === undefined ? whose(candidate.table) : ""}`,
  );
  const last = choices.pop();
  const rest = choices.length === 0 ? "" : `${choices.join(", ")} or `;
  const ending = one === undefined ? "" : whose(one);
  const more = candidates.length > MOST_NAMED ? ", or something else" : "";
  return `When you say "${phrase}", do you mean ${rest}${last}${ending}${more}?`;
}

/** Questions about recent views: all episodes and turns of one task ask the same. */
class Remembered {
  readonly #known = new Map<string, readonly string[]>();
  readonly #most: number;

  constructor(most: number) {
    this.#most = most;
  }

  questions(view: AgentView): readonly string[] {
    // The handle names the run and the task, so one task is never taken for another.
    const key = `${view.handle}\u0000${view.database_id}\u0000${view.request}`;
    let questions = this.#known.get(key);
    if (questions === undefined) {
      questions = doubtsOf(view).map(questionOf);
      this.#known.set(key, questions);
      if (this.#known.size > this.#most) this.#known.delete(this.#known.keys().next().value!);
    }
    return questions;
  }
}

const remembered = new Remembered(512);

export const lexical = {
  reads: "agent",
  name: "lexical",
  decide(view, _dialogue, { turn }): Decision {
    const text = remembered.questions(view)[turn - 1];
    return text === undefined ? { kind: "stop" } : { kind: "question", text };
  },
} satisfies AgentAsker;
