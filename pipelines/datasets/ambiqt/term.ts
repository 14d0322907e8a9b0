import { isGrammatical, strengthOf, type Token, tokenise } from "../../oracle/index.js";
import { inWords } from "./wording.js";

/** A stretch of the request: token positions, the end exclusive. */
interface Stretch {
  from: number;
  to: number;
}

type Keys = readonly string[];

const FILLERS = new Set("the a an all each every any this that its their these those".split(" "));
/** Columns that hold what their table's things are called: a request that says "countries" means `country.name`. */
const NAMING = new Set(["name", "title"]);
/** Endings by which a request's word may differ from the column's and still be its verb or noun ("weigh", weight). */
const ENDINGS = new Set(["", "t", "d", "ed", "er", "or", "ing", "ion", "ation", "y"]);

const keysOf = (text: string): string[] => tokenise(text).map(({ key }) => key);

/** Position after words that only introduce a noun ("of all the singers"). */
function pastFillers(request: readonly Token[], at: number): number {
  let next = at;
  while (FILLERS.has(request[next]?.text ?? "")) next += 1;
  return next;
}

/**
 * Where the keys stand in the request in their order. Names run together in the schema match words set apart
 * ("hometown"), and after "of" the words that introduce a noun are passed over ("date of each treatment").
 */
function occurrences(request: readonly Token[], keys: Keys): Stretch[] {
  const wanted = keys.join("");
  const found: Stretch[] = [];
  if (wanted === "") return found;
  for (let from = 0; from < request.length; from += 1) {
    let joined = "";
    for (let to = from; to < request.length && joined.length < wanted.length; to += 1) {
      joined += request[to]!.key;
      if (joined === wanted) found.push({ from, to: to + 1 });
      else if (request[to]!.text === "of") to = pastFillers(request, to + 1) - 1;
    }
  }
  return found;
}

/** "name of the song" for the column song_name: the last word, "of", fillers, the words before it. */
function turnedAround(request: readonly Token[], keys: Keys): Stretch[] {
  if (keys.length < 2) return [];
  return occurrences(request, [...keys.slice(-1), "of", ...keys.slice(0, -1)]);
}

/** A word of the same stem as the column's only or last word: "weigh" for weight, "injuries" for injured. */
function sameStem(request: readonly Token[], key: string): Stretch[] {
  const found: Stretch[] = [];
  request.forEach((token, at) => {
    let shared = 0;
    while (shared < key.length && token.key[shared] === key[shared]) shared += 1;
    const endings = [token.key.slice(shared), key.slice(shared)];
    if (shared >= 5 && endings.every((ending) => ENDINGS.has(ending))) found.push({ from: at, to: at + 1 });
  });
  return found;
}

/** A bare word's noun: "singer names", "names of the singers", for a word that any table could have. */
function withItsNoun(request: readonly Token[], stretch: Stretch, nouns: readonly Keys[]): Stretch {
  const standsAt = (noun: Keys, at: number): boolean =>
    noun.every((key, index) => request[at + index]?.key === key);
  for (const noun of nouns) {
    const before = stretch.from - noun.length;
    if (before >= 0 && standsAt(noun, before)) return { from: before, to: stretch.to };
    if (request[stretch.to]?.text !== "of") continue;
    const after = pastFillers(request, stretch.to + 1);
    if (standsAt(noun, after)) return { from: stretch.from, to: after + noun.length };
  }
  return stretch;
}

/** What the search for a term reads of the row and of the schema. */
export interface TermPlace {
  request: string;
  table: string;
  /** The column as the database writes it, and other ways in which the source says it. */
  names: readonly [string, ...string[]];
  /** All columns of the database, to keep a column's word apart from the same word in another column's name. */
  columns: readonly { table: string; column: string }[];
}

/** Ways to name a column, best first, as stretches of the request. */
function* ways(request: readonly Token[], table: Keys, names: readonly Keys[]): Generator<Stretch[]> {
  for (const keys of names) yield occurrences(request, keys);
  for (const keys of names) yield turnedAround(request, keys);
  const ofItsOwn = names.map((keys) => keys.filter((key) => !table.includes(key)));
  for (const keys of ofItsOwn) yield occurrences(request, keys);
  // The head of "cost of treatment" is the cost.
  for (const keys of names) yield occurrences(request, keys.slice(0, Math.max(0, keys.indexOf("of"))));
  const longest = Math.max(...names.map((keys) => keys.length));
  for (let length = longest - 1; length > 0; length -= 1) {
    for (const keys of names.filter((one) => one.length > length && !isGrammatical(one.at(-length) ?? "")))
      yield occurrences(request, keys.slice(-length));
  }
  for (const keys of [...ofItsOwn, ...names]) yield occurrences(request, keys.slice(0, 1));
  for (const keys of names) {
    const last = keys.at(-1);
    if (last !== undefined) yield sameStem(request, last);
  }
  const naming = names.some((keys) => NAMING.has(keys.at(-1) ?? ""));
  if (naming) {
    yield occurrences(request, table);
    yield occurrences(request, table.slice(-1));
  }
}

/**
 * The words of the request that name the column (spec 2, ambiqt, step 5): its whole name, in its own order or turned
 * around ("name of the song"); else its name without the table's words; else its last words, as many as there are, or its
 * first; else a word of the same stem; for a column that holds its things' names, the table's noun ("countries"). A stretch that is part of a longer
 * name of another column ("song name" for `name`) is not taken, nor is one of grammar alone ("by" for `directed_by`). A
 * bare everyday word takes its noun along where the request has it ("names of the singers").
 *
 * @returns the term, and whether it stands in the request; the column's name in words where it does not
 */
export function findTerm({ request, table, names, columns }: TermPlace): {
  term: string;
  inRequest: boolean;
} {
  const tokens = tokenise(request);
  const own = [...new Set(names.map((name) => JSON.stringify(keysOf(name))))].map(
    (keys) => JSON.parse(keys) as string[],
  );
  const ownJoined = new Set(own.map((keys) => keys.join(" ")));
  const tableKeys = keysOf(table);
  const others = columns
    .map(({ column }) => keysOf(column))
    .filter((keys) => keys.length > 1 && !ownJoined.has(keys.join(" ")))
    .flatMap((keys) => occurrences(tokens, keys));
  const free = ({ from, to }: Stretch): boolean =>
    !others.some((other) => other.from <= from && other.to >= to && other.to - other.from > to - from);
  const says = ({ from, to }: Stretch): boolean =>
    tokens.slice(from, to).some(({ key }) => !isGrammatical(key));
  for (const way of ways(tokens, tableKeys, own)) {
    const stretch = way.find((one) => free(one) && says(one));
    if (stretch === undefined) continue;
    const keys = tokens.slice(stretch.from, stretch.to).map(({ key }) => key);
    const nouns = [tableKeys, tableKeys.slice(-1)].filter((noun) => noun.length > 0);
    const { from, to } = strengthOf(keys) === "bare" ? withItsNoun(tokens, stretch, nouns) : stretch;
    return { term: request.slice(tokens[from]!.start, tokens[to - 1]!.end), inRequest: true };
  }
  return { term: inWords(names[0]), inRequest: false };
}
