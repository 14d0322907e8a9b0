/** Column and table names as a person says them, and the words of a request that name a column. */
import { strengthOf, type Token, tokenise } from "../../oracle/index.js";
import { sameName } from "./one-column-two-names.js";

/** `Song_release_year` → `song release year`; a name without a word (`#`) stays as it is written. */
export function inWords(name: string): string {
  const words = tokenise(name).map(({ text }) => text);
  return words.length === 0 ? name : words.join(" ");
}

/** A stretch of the request: token positions, the end exclusive. */
interface Stretch {
  from: number;
  to: number;
}

const FILLERS = new Set([
  "the",
  "a",
  "an",
  "all",
  "each",
  "every",
  "any",
  "this",
  "that",
  "its",
  "their",
  "these",
  "those",
]);

/** Where the keys stand in a row in the request. Names run together in the schema match words set apart ("hometown"). */
function occurrences(request: readonly Token[], keys: readonly string[]): Stretch[] {
  const wanted = keys.join("");
  const found: Stretch[] = [];
  for (let from = 0; from < request.length; from += 1) {
    let joined = "";
    for (let to = from; to < request.length && joined.length < wanted.length; to += 1) {
      joined += request[to]!.key;
      if (joined === wanted) found.push({ from, to: to + 1 });
    }
  }
  return found;
}

/** "name of the song" for the column song_name: the last word, "of", fillers, the words before it. */
function turnedAround(request: readonly Token[], keys: readonly string[]): Stretch[] {
  if (keys.length < 2) return [];
  const last = keys.at(-1)!;
  const before = keys.slice(0, -1);
  const found: Stretch[] = [];
  request.forEach((token, from) => {
    if (token.key !== last || request[from + 1]?.text !== "of") return;
    let at = from + 2;
    while (FILLERS.has(request[at]?.text ?? "")) at += 1;
    if (before.every((key, index) => request[at + index]?.key === key))
      found.push({ from, to: at + before.length });
  });
  return found;
}

/** The noun of a bare word: "singer names", "names of the singers", for a word that any table could have. */
function withItsNoun(
  request: readonly Token[],
  stretch: Stretch,
  nouns: readonly (readonly string[])[],
): Stretch {
  for (const noun of nouns) {
    const from = stretch.from - noun.length;
    if (from >= 0 && noun.every((key, index) => request[from + index]?.key === key))
      return { from, to: stretch.to };
    if (request[stretch.to]?.text !== "of") continue;
    let at = stretch.to + 1;
    while (FILLERS.has(request[at]?.text ?? "")) at += 1;
    if (noun.every((key, index) => request[at + index]?.key === key))
      return { from: stretch.from, to: at + noun.length };
  }
  return stretch;
}

/** What of the schema the search for a term needs. */
export interface TermPlace {
  request: string;
  table: string;
  column: string;
  /** All columns of the database, to keep a column's word apart from the same word in another column's name. */
  columns: readonly { table: string; column: string }[];
}

/**
 * The words of the request that name the column (spec 2, ambiqt, step 5): its whole name, in its own order or turned
 * around ("name of the song"); else its name without the table's; else its last word, which is the noun of the name. A
 * stretch that is part of a longer name of another column ("song name" for `name`) is not taken. A bare everyday word
 * takes its noun along where the request has it ("names of the singers").
 *
 * @returns the term, and whether it stands in the request; the column's name in words where it does not
 */
export function findTerm({ request, table, column, columns }: TermPlace): {
  term: string;
  inRequest: boolean;
} {
  const tokens = tokenise(request);
  const keysOf = (name: string): string[] => tokenise(name).map(({ key }) => key);
  const own = keysOf(column);
  const tableKeys = keysOf(table);
  const nouns = [tableKeys, tableKeys.slice(-1)].filter((noun) => noun.length > 0);
  const others = columns
    .filter((other) => !sameName(other.column, column))
    .map((other) => keysOf(other.column))
    .filter((keys) => keys.length > own.length || keys.length > 1)
    .flatMap((keys) => occurrences(tokens, keys));
  const free = (stretch: Stretch): boolean =>
    !others.some(
      ({ from, to }) => from <= stretch.from && to >= stretch.to && to - from > stretch.to - stretch.from,
    );
  const stripped = own.filter((key) => !tableKeys.includes(key));
  const ways = [
    occurrences(tokens, own),
    turnedAround(tokens, own),
    stripped.length > 0 && stripped.length < own.length ? occurrences(tokens, stripped) : [],
    own.length > 1 ? occurrences(tokens, own.slice(-1)) : [],
    own.length > 1 ? occurrences(tokens, own.slice(0, 1)).filter(() => own[0]!.length > 3) : [],
  ];
  for (const way of ways) {
    const [stretch] = way.filter(free);
    if (stretch === undefined) continue;
    const keys = tokens.slice(stretch.from, stretch.to).map(({ key }) => key);
    const { from, to } = strengthOf(keys) === "bare" ? withItsNoun(tokens, stretch, nouns) : stretch;
    return { term: request.slice(tokens[from]!.start, tokens[to - 1]!.end), inRequest: true };
  }
  return { term: inWords(column), inRequest: false };
}

/**
 * What else the ambiguity is called: both alternatives and the original name, in words and as written, and each with the
 * table's noun, under which alone a bare word counts in a question (spec 3).
 */
export function aliasesOf(
  table: string,
  column: string,
  alternatives: readonly string[],
  term: string,
): string[] {
  const noun = inWords(table);
  const names = [...alternatives, column];
  const all = names.flatMap((name) => [inWords(name), name, `${noun} ${inWords(name)}`]);
  const seen = new Set([term]);
  return all.filter((alias) => {
    const fresh = alias.trim() !== "" && !seen.has(alias);
    seen.add(alias);
    return fresh;
  });
}

/** What the person means, said without SQL: the chosen column in words, or as written where the words are the same. */
export function responseOf(table: string, term: string, chosen: string, other: string): string {
  const same = inWords(chosen) === inWords(other);
  const name = same ? `"${chosen}"` : inWords(chosen);
  return `By "${term}" I mean the ${name} of the ${inWords(table)}.`;
}
