/** Which phrases of a request fit several things of a schema: what the lexical asker asks about (spec 4; ours). */
import { isGrammatical, isQueryWord, type Token, tokenise } from "../../oracle/index.js";
import { type AgentView, examplesOf } from "../../record/views.js";

/** A column, or a value that stands in one, that a phrase may mean. */
export interface Candidate {
  readonly kind: "column" | "value";
  readonly table: string;
  readonly column: string;
  /** The value as it is stored; a column has none. */
  readonly value?: string;
  readonly keys: readonly string[];
}

/** A phrase of the request, as it is written there, with two candidates or more. */
export interface Doubt {
  readonly phrase: string;
  readonly candidates: readonly Candidate[];
}

const LONGEST_PHRASE = 3;
/** Words before a noun that count or select things and belong to no name. */
const COUNTING =
  /^(?:\d.*|different|various|respective|corresponding|including|average|mean|maximum|minimum|overall|highest|lowest|largest|smallest|biggest|oldest|youngest|latest|earliest|greatest|expected|top)$/;

const keysOf = (text: string): string[] => tokenise(text).map(({ key }) => key);
const joined = (keys: readonly string[]): string => keys.join("");

/** Words that can name something: not the asking's, not grammar's and not those of an answer's parts. */
const isContent = ({ key }: Token): boolean => !isGrammatical(key) && !isQueryWord(key);

function candidatesOf(view: AgentView): Candidate[] {
  const all: Candidate[] = [];
  for (const described of view.schema) {
    const { name: table } = described;
    for (const { name: column, key } of described.columns) {
      // Nobody means a key: it stands for the thing itself.
      if (!key) all.push({ kind: "column", table, column, keys: keysOf(column) });
      for (const value of examplesOf(described, column)) {
        if (/\p{L}/u.test(value)) all.push({ kind: "value", table, column, value, keys: keysOf(value) });
      }
    }
  }
  return all.filter(({ keys }) => keys.length > 0);
}

/** A stretch of tokens, `to` not included. */
interface Span {
  from: number;
  to: number;
}

/** Where the request names tables: by the whole name, or else by its last word ("makers" for car_makers). */
function tableMentions(view: AgentView, tokens: readonly Token[]): Map<string, Span> {
  const found = new Map<string, Span>();
  for (const { name } of view.schema) {
    const keys = keysOf(name);
    for (const wanted of [joined(keys), keys.at(-1) ?? ""]) {
      for (let from = 0; from < tokens.length && !found.has(name); from += 1) {
        for (let to = from + 1; to <= Math.min(tokens.length, from + LONGEST_PHRASE); to += 1) {
          if (joined(tokens.slice(from, to).map(({ key }) => key)) === wanted) found.set(name, { from, to });
        }
      }
    }
  }
  return found;
}

/** Phrases of content words without a pause in them, longer ones first, then as they come. */
function phrasesOf(tokens: readonly Token[]): Span[] {
  const found: Span[] = [];
  for (let length = LONGEST_PHRASE; length >= 1; length -= 1) {
    for (let from = 0; from + length <= tokens.length; from += 1) {
      const words = tokens.slice(from, from + length);
      if (words.every(isContent) && words.slice(1).every(({ pause }) => pause === "")) {
        found.push({ from, to: from + length });
      }
    }
  }
  return found;
}

const contains = (whole: readonly string[], part: readonly string[]): boolean =>
  whole.some((_, from) => part.every((key, index) => whole[from + index] === key));

/** What a phrase fits: columns that it names or whose names hold it, and values that it is. */
function fitting(keys: readonly string[], candidates: readonly Candidate[]): readonly Candidate[] {
  const same = candidates.filter((one) => joined(one.keys) === joined(keys));
  // Named exactly once: other names that merely hold the phrase raise no doubt.
  if (same.length > 0) return same;
  return candidates.filter((one) => one.kind === "column" && contains(one.keys, keys));
}

/** The table that a phrase is said to belong to: "names of the singers", "singers' names", "singer names". */
function ownerOf(
  { from, to }: Span,
  tokens: readonly Token[],
  mentions: ReadonlyMap<string, Span>,
): string | undefined {
  let after = to;
  if (tokens[after]?.key === "of") {
    after += 1;
    while (tokens[after] !== undefined && isGrammatical(tokens[after]!.key)) after += 1;
  } else after = -1;
  for (const [table, span] of mentions) if (span.to === from || span.from === after) return table;
  return undefined;
}

/**
 * The request's doubtful phrases, the sharpest first: those with the fewest candidates, then as they come. A phrase fits
 * columns of the tables that the request names (of all tables where it names none), of its own table where it says whose
 * it is ("names of the singers"). A longer phrase that fits nothing as a whole is taken by its last word ("first name").
 */
export function doubtsOf(view: AgentView): Doubt[] {
  const tokens = tokenise(view.request);
  const all = candidatesOf(view);
  const mentions = tableMentions(view, tokens);
  const named = all.filter(({ table }) => mentions.size === 0 || mentions.has(table));
  const taken = new Set<number>();
  for (const { from, to } of mentions.values()) for (let at = from; at < to; at += 1) taken.add(at);
  const doubts: { at: number; doubt: Doubt }[] = [];
  const known = new Set<string>();
  for (const span of phrasesOf(tokens)) {
    const { from, to } = span;
    const words = tokens.slice(from, to);
    if (words.some((_, index) => taken.has(from + index))) continue;
    const keys = words.map(({ key }) => key);
    const owner = ownerOf(span, tokens, mentions);
    const scope = owner === undefined ? named : all.filter(({ table }) => table === owner);
    let fits = fitting(keys, scope);
    if (fits.length === 0 && keys.length > 1 && !COUNTING.test(keys[0]!)) {
      fits = fitting(keys.slice(-1), scope);
      // One thing that its last word fits may still be another thing: "cell phone" is no "home phone".
      if (fits.length === 1) continue;
    }
    if (fits.length === 0) continue;
    // What fits is spoken for, doubtful or not, so that a part of it is not asked about again.
    for (let at = from; at < to; at += 1) taken.add(at);
    if (fits.length < 2 || known.has(joined(keys))) continue;
    known.add(joined(keys));
    const phrase = view.request.slice(words[0]!.start, words.at(-1)!.end);
    doubts.push({ at: from, doubt: { phrase, candidates: fits } });
  }
  return doubts
    .sort((a, b) => a.doubt.candidates.length - b.doubt.candidates.length || a.at - b.at)
    .map(({ doubt }) => doubt);
}
