import { isGrammatical, isQueryWord, type Token } from "../../oracle/index.js";
import type { Attachment } from "./attached-sql.js";
import { isGrammar, opens, RELATIVE, type Text } from "./modifier-opening.js";
import type { FoundTerm } from "./scope-term.js";
import {
  contentKeys,
  keysOf,
  occurrences,
  plainTokens,
  type Stretch,
  sameStem,
  sameWord,
  written,
} from "./similar-words.js";

/** What the annotation says of an attachment. */
export interface AttachmentNames {
  class1: string;
  class2: string;
  common_property: string;
  common_value: string;
}

/** The open modifier and the two things it may belong to, in the words of the request where they stand there. */
export interface OpenModifier extends FoundTerm {
  /** In the order of the SQL's branches; undefined where the request's words for it were not found. */
  things: [string | undefined, string | undefined];
}

const AUXILIARY = new Set("is are was were be do does did have has had can will should".split(" "));
/** Words before the first thing that are no part of it. */
const INTRODUCES = new Set(
  "all the any every each both me us a an list of provide describe display present name identify please won request requested offer".split(
    " ",
  ),
);

/** Where the request mentions a thing: nearest to the joint, by one of its names, else by a word of them. */
function mentionOf(
  tokens: readonly Token[],
  lists: readonly string[][],
  joint: number,
  side: -1 | 1,
): Stretch | undefined {
  const inside = ({ from, to }: Stretch): boolean => (side === 1 ? from > joint : to <= joint);
  const distance = ({ from, to }: Stretch): number => (side === 1 ? from - joint : joint - to);
  const nearest = (all: Stretch[]): Stretch | undefined =>
    all.filter(inside).sort((a, b) => distance(a) - distance(b))[0];
  for (const same of [sameWord, sameStem]) {
    const whole = nearest(lists.flatMap((keys) => occurrences(tokens, keys, same)));
    const part = nearest(lists.flatMap((keys) => keys.flatMap((key) => occurrences(tokens, [key], same))));
    if (whole !== undefined && (part === undefined || distance(whole) <= distance(part) + 3)) return whole;
    if (part !== undefined) return part;
  }
  return undefined;
}

/** The noun that a mention is part of goes on to the next opener, pause or word of grammar: "sci-fi" → "sci-fi movies". */
function wholeNoun(text: Text, mention: Stretch, end: number): Stretch {
  const { tokens } = text;
  let { from, to } = mention;
  while (to < end && tokens[to]?.pause === "" && !opens(text, to) && !isGrammar(text, tokens[to])) to += 1;
  while (from > 0 && tokens[from]?.pause === "") {
    const before = tokens[from - 1];
    const key = before?.key ?? "";
    if (isGrammar(text, before) || isQueryWord(key) || INTRODUCES.has(key) || opens(text, from - 1)) break;
    if (/.{3}ed$/.test(before?.text ?? "") && RELATIVE.has(tokens[from - 2]?.text ?? "")) break;
    from -= 1;
  }
  return { from, to };
}

/** The coordination: the "and" or "or" nearest to both things, and which branch stands before it. */
function coordination(tokens: readonly Token[], names: readonly [string[][], string[][]]) {
  const joints = tokens.flatMap(({ text }, at) => (text === "and" || text === "or" ? [at] : []));
  const found = joints.flatMap((joint) =>
    ([0, 1] as const).flatMap((left) => {
      const one = mentionOf(tokens, names[left], joint, -1);
      const other = mentionOf(tokens, names[left === 0 ? 1 : 0], joint, 1);
      if (other === undefined) return [];
      const distance = other.from - joint + (one === undefined ? 100 : joint - one.to);
      return [{ left, joint, one, other, distance }];
    }),
  );
  return found.sort((a, b) => a.distance - b.distance)[0];
}

/** The modifier after the second thing: from its opener (else from its value) to where the sentence goes on without it. */
function trailing(text: Text, from: number, value: Stretch | undefined): Stretch | undefined {
  const { tokens } = text;
  let start = from;
  while (start < tokens.length && !opens(text, start)) start += 1;
  if (start >= tokens.length) {
    if (value === undefined || value.from < from) return undefined;
    start = value.from;
  }
  const settled = Math.max(value?.to ?? 0, start + 2);
  let end = tokens.length;
  if (!RELATIVE.has(tokens[start]?.text ?? ""))
    for (let at = settled; at < end; at += 1) if (AUXILIARY.has(tokens[at]?.text ?? "")) end = at;
  const asks =
    AUXILIARY.has(tokens[1]?.text ?? "") &&
    ["when", "where", "how", "what", "which"].includes(tokens[0]?.text ?? "");
  const verbLast = asks && ["do", "does", "did"].includes(tokens[1]?.text ?? "") && value !== undefined;
  if (verbLast && value.to === end - 1) end = value.to;
  return { from: start, to: end };
}

/** A stretch with the words that are written together with it: "Riga" in "Riga-based". */
function writtenTogether({ request, tokens }: Text, { from, to }: Stretch): Stretch {
  const touches = (at: number): boolean =>
    at > 0 && at < tokens.length && !/\s/.test(request.slice(tokens[at - 1]?.end, tokens[at]?.start));
  let [start, end] = [from, to];
  while (touches(start)) start -= 1;
  while (touches(end)) end += 1;
  return { from: start, to: end };
}

/** The modifier before the first thing: "Spanish-speaking pilots and gate agents". */
function leading(text: Text, first: Stretch, value: Stretch | undefined): Stretch | undefined {
  const { tokens } = text;
  let from = first.from;
  while (from > 1 && tokens[from]?.pause === "") {
    const { key, text: word } = tokens[from - 1] as Token;
    if (isGrammatical(key) || isQueryWord(key) || INTRODUCES.has(word)) break;
    from -= 1;
  }
  if (value !== undefined && value.to <= first.from) return writtenTogether(text, value);
  return from === first.from ? undefined : { from, to: first.from };
}

/** Where the request says one of the condition's values, as written or at least its longest word. */
function valueIn(tokens: readonly Token[], values: readonly string[]): Stretch | undefined {
  for (const value of values) {
    const [whole] = occurrences(tokens, keysOf(value));
    if (whole !== undefined) return whole;
  }
  for (const value of values) {
    const [longest] = [...contentKeys(value)].sort((a, b) => b.length - a.length);
    const part = longest === undefined ? undefined : occurrences(tokens, [longest]).at(-1);
    if (part !== undefined) return part;
  }
  return undefined;
}

/**
 * The modifier whose attachment is open (spec 2, ambrosia, step 3): "filmed in New Zealand" after "sci-fi movies and
 * fantasy movies", "Spanish-speaking" before "pilots and gate agents". It is found between the things that the SQL's
 * branches name and the request's end or beginning; the condition's value tells where it must lie. An annotated value
 * that is in neither request nor SQL is never taken.
 */
export function openModifier(request: string, attachment: Attachment, names: AttachmentNames): OpenModifier {
  const tokens = plainTokens(request);
  const text = { request, tokens };
  const [one, other] = attachment.branches.map((branch) => branch.names);
  const classes = [names.class1, names.class2];
  const own = (mine: readonly string[] = [], others: readonly string[] = []): string[][] => {
    const distinct = mine.filter((name) => !others.includes(name));
    const words = distinct.flatMap(contentKeys);
    const annotated = classes.filter((name) =>
      contentKeys(name).some((key) => words.some((word) => sameStem(word, key))),
    );
    return [...distinct, ...(annotated.length === 1 ? annotated : [])]
      .map(contentKeys)
      .filter((keys) => keys.length > 0);
  };
  const found = coordination(tokens, [own(one, other), own(other, one)]);
  const value = valueIn(tokens, attachment.values);
  if (found === undefined) {
    const term =
      value === undefined ? (attachment.values[0] ?? names.common_property) : written(request, tokens, value);
    return { term, inRequest: value !== undefined, things: [undefined, undefined] };
  }
  const { joint } = found;
  const second = wholeNoun(text, found.other, tokens.length);
  const nearFirst = found.one ?? { from: joint - 1, to: joint };
  const modifier = trailing(text, second.to, value) ?? leading(text, nearFirst, value) ?? value;
  const first = wholeNoun(text, nearFirst, joint);
  const before = modifier !== undefined && modifier.to <= first.to;
  const bare = before ? { from: Math.max(first.from, modifier.to), to: first.to } : first;
  const said = [
    bare.to > bare.from ? written(request, tokens, bare) : undefined,
    written(request, tokens, second),
  ];
  const things: OpenModifier["things"] = found.left === 0 ? [said[0], said[1]] : [said[1], said[0]];
  if (modifier === undefined)
    return { term: attachment.values[0] ?? names.common_property, inRequest: false, things };
  return { term: written(request, tokens, modifier), inRequest: true, things };
}
