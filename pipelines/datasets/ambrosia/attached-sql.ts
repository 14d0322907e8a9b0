import { isKeyword, nameOf, type Token, wordsOf } from "../../sql/index.js";
import { namesAfterFrom } from "./sql-words.js";

/** One of the things that the readings' SQL puts together: an arm of its UNION, or a side of its OR. */
export interface Branch {
  /** What the branch says of the thing itself: its table's name, its own literals. */
  names: string[];
  /** The condition under attachment stands in this branch too. */
  restricted: boolean;
}

/** What the SQL of both readings says of the open modifier. */
export interface Attachment {
  /** Literals of the modifier's condition, without quotes or LIKE's signs. */
  values: string[];
  /** Names of the columns that the condition compares. */
  columns: string[];
  /** The two branches of the narrow reading, in the SQL's order. */
  branches: [Branch, Branch];
}

type Words = readonly Token[];

/** Cuts at the keyword where it stands outside brackets; BETWEEN's own AND is no cut. */
function cut(words: Words, keyword: string): Words[] {
  const parts: Token[][] = [[]];
  let depth = 0;
  let between = false;
  for (const word of words) {
    if (word.text === "(") depth += 1;
    if (word.text === ")") depth -= 1;
    if (depth === 0 && isKeyword(word, "BETWEEN")) between = true;
    if (depth === 0 && isKeyword(word, keyword)) {
      if (!(between && keyword === "AND")) {
        parts.push([]);
        continue;
      }
      between = false;
    }
    parts.at(-1)?.push(word);
  }
  return parts;
}

const ENDS_WHERE = ["GROUP", "ORDER", "LIMIT", "HAVING", "UNION"];

/** The condition of a statement with one SELECT; empty where it has none. */
function conditionOf(words: Words): Words {
  const from = words.findIndex((word) => isKeyword(word, "WHERE"));
  if (from === -1) return [];
  const length = words.slice(from + 1).findIndex((word) => isKeyword(word, ...ENDS_WHERE));
  return words
    .slice(from + 1, length === -1 ? undefined : from + 1 + length)
    .filter(({ text }) => text !== ";");
}

/** A condition without the brackets around the whole of it. */
function bare(words: Words): Words {
  if (words[0]?.text !== "(" || words.at(-1)?.text !== ")") return words;
  let depth = 0;
  for (const [at, { text }] of words.entries()) {
    if (text === "(") depth += 1;
    if (text === ")") depth -= 1;
    if (depth === 0 && at < words.length - 1) return words;
  }
  return bare(words.slice(1, -1));
}

/** Literals of a condition. A double-quoted word that is no part of a dotted name is one, as upstream writes them. */
function literals(words: Words): string[] {
  return words.flatMap((word, at) => {
    if (word.kind === "number") return [word.text];
    const dotted = words[at - 1]?.text === "." || words[at + 1]?.text === ".";
    const quoted = word.kind === "string" || (word.kind === "quoted_identifier" && !dotted);
    return quoted ? [nameOf(word).replaceAll("%", "").trim()] : [];
  });
}

/** The last part of each dotted or plain name. */
function columns(words: Words): string[] {
  return words.flatMap((word, at) => {
    if (word.kind !== "identifier" || words[at + 1]?.text === "." || words[at + 1]?.text === "(") return [];
    return /^(AND|OR|NOT|IN|LIKE|BETWEEN|IS|NULL)$/i.test(word.text) ? [] : [word.text];
  });
}

const textOf = (words: Words): string => words.map(({ text }) => text.toLowerCase()).join(" ");

/** `(A OR B) AND C` against `A OR B AND C`. */
function ofSides(joint: Words, narrow: Words): Attachment | undefined {
  const sides = cut(bare(conditionOf(narrow)), "OR").map((side) => cut(bare(side), "AND"));
  const [one, other, ...more] = sides;
  if (one === undefined || other === undefined || more.length > 0) return undefined;
  const conditions = cut(bare(conditionOf(joint)), "AND");
  const isShared = (part: Words): boolean =>
    conditions.some((whole) => textOf(bare(whole)) === textOf(bare(part)));
  const open = [...one, ...other].filter(isShared).flat();
  const branch = (side: Words[]): Branch => ({
    names: side.filter((part) => !isShared(part)).flatMap(literals),
    restricted: side.some(isShared),
  });
  return { values: literals(open), columns: columns(open), branches: [branch(one), branch(other)] };
}

/** Two SELECTs, both with the condition, against two of which one lacks it. */
function ofArms(joint: Words, narrow: Words): Attachment | undefined {
  const whole = cut(joint, "UNION").map((arm) => cut(bare(conditionOf(arm)), "AND"));
  const arms = cut(narrow, "UNION");
  const [one, other, ...more] = arms;
  if (one === undefined || other === undefined || more.length > 0 || whole.length !== 2) return undefined;
  const parts = arms.map((arm) => cut(bare(conditionOf(arm)), "AND").filter((part) => part.length > 0));
  const lost = whole.flatMap((conditions, at) =>
    conditions.filter((part) => !parts[at]?.some((kept) => textOf(kept) === textOf(part))),
  );
  const open = lost.flat();
  const lostIn = whole.map((conditions, at) => conditions.length > (parts[at]?.length ?? 0));
  const values = literals(open);
  const branch = (arm: Words, at: number): Branch => ({
    names: [...namesAfterFrom(arm), ...literals(conditionOf(arm)).filter((value) => !values.includes(value))],
    restricted: lostIn[at] === false,
  });
  return { values, columns: columns(open), branches: [branch(one, 0), branch(other, 1)] };
}

/**
 * Reads off the two readings' SQL which condition is open and which of the two things has it in the narrow reading.
 * AMBROSIA writes attachment as `(A OR B) AND C` against `A OR B AND C`, or as a UNION whose arms both have C against one
 * of which one has it.
 *
 * @param first,second the readings' SQL, in any order
 * @returns the attachment and which of the two is the joint reading, or undefined where the SQL is of neither form
 */
export function readAttachment(first: string, second: string): (Attachment & { joint: 0 | 1 }) | undefined {
  const words = [first, second].map(wordsOf);
  for (const joint of [0, 1] as const) {
    const [whole, part] = [words[joint] ?? [], words[joint === 0 ? 1 : 0] ?? []];
    const union = whole.some((word) => isKeyword(word, "UNION"));
    const found = union ? ofArms(whole, part) : ofSides(whole, part);
    if (found === undefined) continue;
    const [one, other] = found.branches;
    if (one.restricted !== other.restricted && found.values.length > 0) return { ...found, joint };
  }
  return undefined;
}
