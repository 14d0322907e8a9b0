/**
 * Where a hint says what it defines (spec 2, ew-bird, step 2): "<phrase> refers to <column>", "<column> = '<v>' means
 * <phrase>", "<phrase> = <formula>" and their kin, slips of the pen included.
 */
import { type Enclosure, enclosures } from "./enclosures.js";

/** How a hint is built; `bare` is one without any word that defines. Counted by the build. */
export const HINT_SHAPES = [
  "refers_to",
  "means",
  "stands_for",
  "represents",
  "other_verb",
  "is",
  "formula",
  "bare",
] as const;
export type HintShape = (typeof HINT_SHAPES)[number];

export interface Definition {
  shape: HintShape;
  left: string;
  right: string;
  /** The words between the two, as written; "" in a bare hint, whose text is all in `left`. */
  connective: string;
  /** What the connective should have been, where it is a slip of the pen. */
  mended?: string;
}

interface Connective {
  shape: HintShape;
  pattern: RegExp;
  mend?: string;
}

/** Verbs that do nothing but define. They win over a weaker word that comes before them. */
const STRONG: readonly Connective[] = [
  {
    shape: "refers_to",
    pattern: /\b(?:refers?|referred|referring)(?: to)?\b/i,
  },
  // Slips of the pen: "referes to", "refes to", "refesr to", "referse to".
  { shape: "refers_to", pattern: /\bref(?!erence|er(?:s|red|ring)?\b)[a-z]{1,6} to\b/i, mend: "refers to" },
  { shape: "other_verb", pattern: /\bmapps to\b/i, mend: "maps to" },
  { shape: "stands_for", pattern: /\bstands? for\b/i },
  {
    shape: "represents",
    pattern: /\b(?:represents?|denotes?|indicates?|implies|imply|signif(?:y|ies)|suggests?)\b(?: that\b)?/i,
  },
  { shape: "means", pattern: /\b(?:means?|meant)\b(?: that\b)?/i },
  {
    shape: "other_verb",
    pattern:
      /\b(?:maps? to|pertains? to|relates? to|describes|reveals|belongs? to|corresponds? to|can (?:also )?be (?:computed|calculated|acquired|found|presented|regarded|represented|expressed|obtained)(?: as| by| in| from)?)\b/i,
  },
];

/** Words that say many other things besides. */
const WEAK: readonly Connective[] = [
  { shape: "is", pattern: /\b(?:is|are|was|were)\b/i },
  {
    shape: "other_verb",
    pattern:
      /\b(?:(?:may |should )?(?:contains?|includes?|comprises?|shares?|appears?)|has|have|shows?|equals?(?: to)?|(?:can|could|should|will|must)(?: be)?)\b/i,
  },
  // Not a part of <=, >=, != or ==, however they are spaced.
  { shape: "formula", pattern: /(?<![<>!=]\s?)=(?!\s?=)/ },
  { shape: "other_verb", pattern: /(?<=[\p{L}\p{N}]):(?=\s)/u },
];

interface Place {
  connective: Connective;
  start: number;
  end: number;
}

/** The first place outside quotations and brackets where one of the connectives stands. */
function earliest(
  text: string,
  closed: readonly Enclosure[],
  list: readonly Connective[],
): Place | undefined {
  let first: Place | undefined;
  for (const connective of list) {
    for (const match of text.matchAll(new RegExp(connective.pattern, `${connective.pattern.flags}g`))) {
      const { index } = match;
      if (closed.some(({ start, end }) => start < index && index < end)) continue;
      if (first === undefined || index < first.start) {
        first = { connective, start: index, end: index + match[0].length };
      }
      break;
    }
  }
  return first;
}

/** "age at the time an employee was hired = SUBTRACT(…)": what is followed by a formula is what is defined. */
function formulaPlace(text: string, closed: readonly Enclosure[]): Place | undefined {
  const formulas = WEAK.filter(({ shape }) => shape === "formula");
  const place = earliest(text, closed, formulas);
  return place !== undefined && /^\s*\(*[a-z]+\s*\(/i.test(text.slice(place.end)) ? place : undefined;
}

/** Takes a hint apart at the words that define. */
export function readDefinition(hint: string): Definition {
  const closed = enclosures(hint);
  const place = earliest(hint, closed, STRONG) ?? formulaPlace(hint, closed) ?? earliest(hint, closed, WEAK);
  if (place === undefined) return { shape: "bare", left: hint, right: "", connective: "" };
  const { connective, start, end } = place;
  const { shape, mend } = connective;
  return {
    shape,
    left: hint.slice(0, start).trim(),
    right: hint.slice(end).trim(),
    connective: hint.slice(start, end),
    ...(mend === undefined ? {} : { mended: mend }),
  };
}
