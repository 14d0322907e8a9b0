/**
 * A piece of SQL in words, for the template response (spec 2, bird-interact, step 4). Upstream's fragments are pieces:
 * unbalanced, with placeholders, with an alias of two words (spec 13). So nothing is parsed here that could fail: tokens
 * are grouped by their parentheses as far as these go, and each is said as it comes.
 */
import { tokenise } from "../../oracle/index.js";
import { isSignificant, tokens } from "../../sql/index.js";

type Node = string | { group: Node[] };

/** Tokens without qualifiers (`s.` in `s.SnrRatio`), type casts and quotes of names. */
function significant(sql: string): string[] {
  const plain = sql
    .replace(/\u2026|\.\.\./g, " ")
    .replace(/::\s*(?:double precision|character varying|[\w]+)(?:\s*\([\d\s,]*\))?(?:\[\])?/gi, "");
  const texts = [...tokens(plain)]
    .filter(isSignificant)
    .map(({ kind, text }) => (kind === "quoted_identifier" ? text.slice(1, -1) : text));
  return texts.filter((text, at) => !(text === "." || texts[at + 1] === "."));
}

/** Groups tokens by parentheses; one that never closes ends with the text, one that never opens is left out. */
function grouped(texts: readonly string[]): Node[] {
  const root: Node[] = [];
  const open: Node[][] = [root];
  for (const text of texts) {
    const top = open.at(-1) ?? root;
    if (text === "(") {
      const group: Node[] = [];
      top.push({ group });
      open.push(group);
    } else if (text === ")") {
      if (open.length > 1) open.pop();
    } else top.push(text);
  }
  return root;
}

const isGroup = (node: Node | undefined): node is { group: Node[] } => typeof node === "object";
const upper = (node: Node | undefined): string => (typeof node === "string" ? node.toUpperCase() : "");

/** Splits at a separator on this level. */
function split(nodes: readonly Node[], separator: string): Node[][] {
  const parts: Node[][] = [[]];
  for (const node of nodes) {
    if (upper(node) === separator) parts.push([]);
    else parts.at(-1)?.push(node);
  }
  return parts;
}

const OPERATORS: Readonly<Record<string, string>> = {
  "+": "plus",
  "-": "minus",
  "*": "times",
  "/": "divided by",
  "%": "modulo",
  "<": "is below",
  ">": "is above",
  "<=": "is at most",
  ">=": "is at least",
  "=": "is",
  "<>": "is not",
  "!=": "is not",
  "||": "followed by",
  "->": "",
  "->>": "",
  ",": ",",
  ";": "",
};

/** Keywords that are said otherwise than in lower case; the longest one that fits is taken. */
const PHRASES: readonly (readonly [readonly string[], string])[] = [
  [["ORDER", "BY"], "sorted by"],
  [["GROUP", "BY"], "for each"],
  [["PARTITION", "BY"], "within each"],
  [["IS", "NOT", "NULL"], "is known"],
  [["IS", "NULL"], "is unknown"],
  [["NULLS", "LAST"], "unknown ones last"],
  [["NULLS", "FIRST"], "unknown ones first"],
  [["DESC"], "from the highest down"],
  [["ASC"], "from the lowest up"],
  [["SELECT"], "take"],
  [["DISTINCT"], "different"],
  [["WHERE"], "where"],
  [["HAVING"], "where"],
  [["LIMIT"], "and of them only the first"],
  [["CASE"], "depending on the case:"],
  [["WHEN"], "if"],
  [["THEN"], "then"],
  [["ELSE"], "otherwise"],
  [["END"], ""],
  [["LIKE"], "looks like"],
  [["ILIKE"], "looks like"],
];

/** Functions said before their argument. */
const OF: Readonly<Record<string, string>> = {
  AVG: "the average of",
  SUM: "the total of",
  MAX: "the highest",
  MIN: "the lowest",
  ABS: "the absolute value of",
  STDDEV: "the standard deviation of",
  LN: "the logarithm of",
  LOG: "the logarithm of",
  SQRT: "the square root of",
  LENGTH: "the length of",
};
/** Functions that change how a value is written and not what it is. */
const SILENT = new Set([
  "LOWER",
  "UPPER",
  "TRIM",
  "COALESCE",
  "NULLIF",
  "REPLACE",
  "CAST",
  "TO_CHAR",
  "DATE",
]);
const GRAMMAR = new Set(
  "AND OR NOT IN BETWEEN IS ON OVER AS FROM BY NULL TRUE FALSE EXISTS FILTER INTERVAL".split(" "),
);

const plural = (count: string, noun: string): string => `${count} ${noun}${count === "1" ? "" : "s"}`;

function sayRound(group: readonly Node[]): string {
  const [value = [], places = []] = split(group, ",");
  const said = say(value);
  const how = places.length === 0 ? "to a whole number" : `to ${plural(say(places), "decimal place")}`;
  return said === "" ? `rounded ${how}` : `${said}, rounded ${how}`;
}

function sayCall(name: string, group: readonly Node[]): string {
  const [first = []] = split(group, ",");
  if (name === "ROUND") return sayRound(group);
  if (name === "COUNT") {
    const counted = first.length === 1 && first[0] === "*" ? "rows" : say(first);
    return `the number of ${counted}`;
  }
  if (name === "FILTER") return `counting only those ${say(group)}`;
  if (name === "EXTRACT") {
    const [part = [], ...from] = split(group, "FROM");
    const unit = upper(part[0]) === "EPOCH" ? "seconds" : say(part);
    return `the ${unit} of ${parenthesised(from.flat())}`;
  }
  // What follows AS in a cast is its type.
  if (SILENT.has(name)) return say(split(first, "AS")[0] ?? []);
  const before = OF[name];
  if (before !== undefined) return `${before} ${parenthesised(group)}`;
  return `the ${inWords(name)} of ${parenthesised(group)}`;
}

function parenthesised(nodes: readonly Node[]): string {
  const [only] = nodes;
  if (nodes.length === 1 && isGroup(only)) return parenthesised(only.group);
  const said = say(nodes);
  return nodes.length > 1 && /[-+*/]/.test(nodes.filter((node) => typeof node === "string").join(" "))
    ? `(${said})`
    : said;
}

/** A name in words; what has none in it (a stray sign) says nothing. */
const inWords = (name: string): string =>
  tokenise(name)
    .map(({ text }) => text)
    .join(" ");

function sayToken(text: string): string {
  const operator = OPERATORS[text];
  if (operator !== undefined) return operator;
  if (/^'.*'$/s.test(text)) {
    const inside = text.slice(1, -1).replaceAll("''", "'");
    return `"${inside}"`;
  }
  if (/^[\d.]/.test(text)) return text;
  return GRAMMAR.has(text.toUpperCase()) ? text.toLowerCase() : inWords(text);
}

/** A key of a JSON column after an arrow is a name, not a value. */
const isJsonKey = (nodes: readonly Node[], at: number): boolean =>
  (nodes[at - 1] === "->" || nodes[at - 1] === "->>") && typeof nodes[at] === "string";

function say(nodes: readonly Node[]): string {
  const said: string[] = [];
  for (let at = 0; at < nodes.length; at++) {
    const node = nodes[at];
    const phrase = PHRASES.find(([keywords]) => keywords.every((word, n) => upper(nodes[at + n]) === word));
    if (phrase !== undefined) {
      said.push(phrase[1]);
      at += phrase[0].length - 1;
    } else if (isGroup(node)) {
      const alone =
        nodes.length === 1 ||
        !/[-+*/<>=]/.test(node.group.filter((one) => typeof one === "string").join(" "));
      said.push(alone ? say(node.group) : `(${say(node.group)})`);
    } else if (upper(node) === "AS") {
      // The solution's own name for it, perhaps of two words: nobody would say it.
      while (at + 1 < nodes.length && nodes[at + 1] !== ",") at += 1;
    } else if (typeof node === "string") {
      const next = nodes[at + 1];
      if (
        isGroup(next) &&
        /^[A-Za-z_]\w*$/.test(node) &&
        (!GRAMMAR.has(upper(node)) || upper(node) === "FILTER")
      ) {
        said.push(sayCall(upper(node), next.group));
        at += 1;
      } else said.push(isJsonKey(nodes, at) ? inWords(node.replace(/^'|'$/g, "")) : sayToken(node));
    }
  }
  return said.filter(Boolean).join(" ").replaceAll(" ,", ",");
}

/**
 * A fragment in words. Empty where it has none.
 *
 * @example fragmentWords("s.SnrRatio - 0.1 * ABS(s.NoiseFloorDbm) AS SNQI")
 * // "snr ratio minus 0.1 times the absolute value of noise floor dbm"
 */
export function fragmentWords(sql: string): string {
  return say(grouped(significant(sql)))
    .replace(/\s+/g, " ")
    .trim();
}
