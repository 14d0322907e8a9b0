/**
 * The lexical asker (spec 4; ours): a baseline without a model, so that the embedded default asks real questions. It asks
 * about phrases of the request that fit several columns, tables or values of the schema, the best supported first.
 */
import { isGrammatical, isQueryWord, type Token, tokenise } from "../../oracle/index.js";
import type { AgentView } from "../../record/views.js";
import type { AgentAsker } from "./types.js";

/** Something of the schema that a phrase may mean. */
interface Candidate {
  kind: "column" | "table" | "value";
  /** As a person says it: "artist name of the singer". */
  words: string;
  keys: readonly string[];
  table: string;
}

interface Doubt {
  phrase: string;
  at: number;
  candidates: readonly Candidate[];
}

const inWords = (name: string): string => {
  const words = tokenise(name).map(({ text }) => text);
  return words.length === 0 ? name : words.join(" ");
};
const keysOf = (text: string): string[] => tokenise(text).map(({ key }) => key);

function candidatesOf(view: AgentView): Candidate[] {
  const all: Candidate[] = [];
  for (const table of view.schema) {
    all.push({ kind: "table", words: inWords(table.name), keys: keysOf(table.name), table: table.name });
    for (const { name, key } of table.columns) {
      if (!key) {
        const words = `${inWords(name)} of the ${inWords(table.name)}`;
        all.push({ kind: "column", words, keys: keysOf(name), table: table.name });
      }
      for (const value of table.examples?.[name] ?? []) {
        const words = `${value} as ${inWords(name)}`;
        if (/\p{L}/u.test(value)) all.push({ kind: "value", words, keys: keysOf(value), table: table.name });
      }
    }
  }
  return all.filter(({ keys }) => keys.length > 0);
}

const contains = (whole: readonly string[], part: readonly string[]): boolean =>
  whole.some((_, from) => part.every((key, index) => whole[from + index] === key));

/** A phrase fits a name that it is, or whose words it is part of; a value only as a whole. */
function fits(phrase: readonly string[], candidate: Candidate): boolean {
  if (candidate.kind === "value") return phrase.join(" ") === candidate.keys.join(" ");
  return contains(candidate.keys, phrase);
}

/** Whether a phrase says exactly one thing: then the other names that merely contain it raise no doubt. */
function isExact(phrase: readonly string[], candidates: readonly Candidate[]): boolean {
  const exact = candidates.filter(({ keys }) => keys.join(" ") === phrase.join(" "));
  return exact.length === 1;
}

function phrasesOf(tokens: readonly Token[], longest: number): { from: number; to: number }[] {
  const found: { from: number; to: number }[] = [];
  for (let length = longest; length >= 1; length -= 1) {
    for (let from = 0; from + length <= tokens.length; from += 1) {
      const words = tokens.slice(from, from + length);
      const content = (token: Token): boolean => !isGrammatical(token.key) && !isQueryWord(token.key);
      if (content(words[0]!) && content(words.at(-1)!)) found.push({ from, to: from + length });
    }
  }
  return found;
}

/** The request's doubtful phrases: longer ones first, then the ones with fewer candidates, which are the sharper doubts. */
export function doubtsOf(view: AgentView): Doubt[] {
  const tokens = tokenise(view.request);
  const candidates = candidatesOf(view);
  const taken = new Set<number>();
  const doubts: Doubt[] = [];
  for (const { from, to } of phrasesOf(tokens, 3)) {
    if (tokens.slice(from, to).some((_, index) => taken.has(from + index))) continue;
    const phrase = tokens.slice(from, to).map(({ key }) => key);
    const fitting = candidates.filter((candidate) => fits(phrase, candidate));
    if (fitting.length === 0) continue;
    // What fits is spoken for, doubtful or not, so that a part of it is not asked about again.
    for (let at = from; at < to; at += 1) taken.add(at);
    if (fitting.length < 2 || isExact(phrase, fitting)) continue;
    doubts.push({
      phrase: view.request.slice(tokens[from]!.start, tokens[to - 1]!.end),
      at: from,
      candidates: fitting,
    });
  }
  return doubts.sort((a, b) => a.candidates.length - b.candidates.length || a.at - b.at);
}

function questionOf({ phrase, candidates }: Doubt): string {
  const shown = candidates.slice(0, 4).map(({ words }) => `the ${words}`);
  const last = shown.pop();
  const more = candidates.length > 4 ? ", or something else" : "";
  return `When you say "${phrase}", do you mean ${shown.join(", ")} or ${last}${more}?`;
}

/** Doubts of recent views: all episodes and turns of one task ask for the same. */
function remembered(compute: (view: AgentView) => Doubt[], most: number): (view: AgentView) => Doubt[] {
  const known = new Map<string, Doubt[]>();
  return (view) => {
    const key = `${view.database_id}\u0000${view.request}`;
    let doubts = known.get(key);
    if (doubts === undefined) {
      doubts = compute(view);
      known.set(key, doubts);
      if (known.size > most) known.delete(known.keys().next().value!);
    }
    return doubts;
  };
}

const recall = remembered(doubtsOf, 512);

export const lexical: AgentAsker = {
  reads: "agent",
  name: "lexical",
  decide(view, _dialogue, { turn }) {
    const doubt = recall(view)[turn - 1];
    return doubt === undefined ? { kind: "stop" } : { kind: "question", text: questionOf(doubt) };
  },
};
