/** Whether a part of a user's own does what the protocol expects of it, tried on a small task before a run is begun. */
import { agentView, type OracleView, oracleView } from "../../record/views.js";
import { EpisodeCut } from "../model-calls.js";
import type { Read } from "../prompts/reply.js";
import { CALLS, loadPart, type OwnPart, type PartKind } from "./load.js";
import { readDecisionReply, readMatchReply, readResponseReply, readSolverReply } from "./replies.js";

/** One thing that was tried. `note`: what came back, or what is wrong with it. */
export interface PartCheck {
  readonly part: PartKind;
  readonly address: string;
  readonly check: string;
  readonly ok: boolean;
  readonly note: string;
}

const VIEW = agentView(
  {
    public: {
      request: "Show the name and length of every boat.",
      database: { engine: "sqlite", database_id: "harbour", path: "harbour/harbour.sqlite" },
      column_meanings: { "boats.home": "the port that the boat belongs to" },
      external_knowledge: [
        { id: "k1", name: "berth", description: "a place at the quay", definition: "boats.berth" },
      ],
    },
  },
  "task-conformance",
  [
    {
      name: "boats",
      columns: ["name", "hull_length", "overall_length", "home"].map((name) => ({
        name,
        type: "TEXT",
        key: false,
      })),
      foreign_keys: [],
      examples: { name: ["Anna", "Bob"] },
    },
  ],
);

const ORACLE: OracleView = oracleView(
  {
    dataset: "ambiqt",
    oracle: {
      ambiguities: [
        {
          ambiguity_id: "a1",
          term: "length",
          aliases: ["how long"],
          kind: "column_choice",
          counts: true,
          resolution: "length is the overall length",
          response: "By length I mean the overall length.",
          response_status: "authored",
        },
      ],
    },
  },
  "intent",
);

const QUESTION = "Could you clarify what exactly you mean by length?";
const DIALOGUE = [{ question: QUESTION, response: "By length I mean the overall length." }] as const;
const TURN = { question: QUESTION, response: DIALOGUE[0].response, credits: ["a1"] } as const;

/** A call that is tried: what is sent, how the reply is read, and what is known of a right one. */
interface Trial {
  readonly check: string;
  readonly call: object;
  readonly args: readonly unknown[];
  read(reply: unknown): Read<unknown>;
}

function deciding(check: string, dialogue: readonly object[], turn: number, max_turn: number): Trial {
  const call = { view: VIEW, dialogue, budget: { turn, max_turn }, seed: 0 };
  return {
    check,
    call,
    args: [VIEW, dialogue, { turn, maxTurn: max_turn }, { seed: 0 }],
    read: readDecisionReply,
  };
}

function solving(check: string, clarifications: readonly object[]): Trial {
  const call = { view: VIEW, clarifications, seed: 0 };
  return { check, call, args: [VIEW, clarifications, { seed: 0 }], read: readSolverReply };
}

function matching(check: string, question: string, history: readonly object[]): Trial {
  const call = { question, history, view: ORACLE };
  return { check, call, args: [question, history, ORACLE], read: (reply) => readMatchReply(reply, ORACLE) };
}

function responding(check: string, credits: readonly string[], history: readonly object[]): Trial {
  const call = { question: QUESTION, credits, history, view: ORACLE };
  return { check, call, args: [QUESTION, credits, history, ORACLE], read: readResponseReply };
}

const TRIALS: Record<PartKind, readonly Trial[]> = {
  asker: [
    deciding("the first turn", [], 1, 4),
    deciding("after an answer", DIALOGUE, 2, 4),
    deciding("the last turn", DIALOGUE, 4, 4),
  ],
  solver: [solving("without clarifications", []), solving("with a clarification", DIALOGUE)],
  matcher: [
    matching("a question about a term", QUESTION, []),
    matching("a generic question", "Please elaborate.", [TURN]),
  ],
  responder: [
    responding("a credited question", ["a1"], []),
    responding("a question without credit", [], [TURN]),
  ],
};

const shown = (value: unknown): string => {
  const text = JSON.stringify(value) ?? String(value);
  return text.length > 120 ? `${text.slice(0, 119)}…` : text;
};

/** An impatient call: somebody waits. */
const LONGEST_MS = 60_000;

async function tryOne(part: OwnPart, { check, call, args, read }: Trial): Promise<PartCheck> {
  const result = (ok: boolean, note: string): PartCheck => ({
    part: part.kind,
    address: part.address,
    check: `${CALLS[part.kind]}: ${check}`,
    ok,
    note,
  });
  try {
    const reply = await part.invoke(call, args, AbortSignal.timeout(LONGEST_MS));
    const meaning = read(reply);
    return "value" in meaning ? result(true, shown(meaning.value)) : result(false, meaning.problem);
  } catch (error) {
    if (error instanceof EpisodeCut || error instanceof Error) return result(false, error.message);
    throw error;
  }
}

/**
 * Tries every kind of call on a part.
 *
 * @param address a module's path or an HTTP address
 * @throws UserError when there is no such module or it exports no such part
 */
export async function checkPart(kind: PartKind, address: string): Promise<PartCheck[]> {
  const part = await loadPart(kind, address);
  const checks: PartCheck[] = [];
  for (const trial of TRIALS[kind]) checks.push(await tryOne(part, trial));
  return checks;
}
