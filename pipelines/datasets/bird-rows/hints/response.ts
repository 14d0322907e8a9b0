/** A hint as a person would say it (spec 2, ew-bird, step 2): SQL in words, without backticks, with nothing added. */
import { isCode, isLiteral, wordsBeforeCode } from "./code-words.js";
import type { Definition } from "./definition.js";
import { isCondition, sayCode } from "./say-code.js";

const plain = (text: string): string => text.replaceAll("`", "").replace(/\s+/g, " ").trim();

/** What stands after "refers to", "means" or "=": a condition is said as a clause, a formula in words. */
function rightSide({ shape, right, connective, left }: Definition): string {
  const verb = plain(connective);
  // "element = 'o' means Oxygen, element = 's' means Sulfur": words come after code, and no clause of ours fits them.
  if (!isCode(right) || isCode(left)) return `${verb} ${plain(right)}`;
  if (!isCondition(right)) return `${shape === "formula" ? "is" : verb} ${sayCode(right)}`;
  if (shape === "formula") return `means that ${sayCode(right)}`;
  if (shape === "refers_to" || shape === "means") {
    return `${/^refer$|^refer to$|^mean$/i.test(verb) ? "mean" : "means"} that ${sayCode(right)}`;
  }
  return `${verb} ${plain(right).replace(/\b(?:AND|OR|BETWEEN|LIKE|WHERE)\b/g, (word) => word.toLowerCase())}`;
}

/** What a hint says as a whole, before it is made a sentence. */
function sayHint(hint: string, definition: Definition): string {
  const { left, shape, right } = definition;
  // A condition or a formula by itself ("DisplayName = 'x'", "SUBTRACT(a, b) where c = 1").
  if (shape === "formula" && isCode(left)) return sayCode(hint);
  if (shape === "formula" && !/\s/.test(left) && isLiteral(right)) return sayCode(hint);
  if (shape !== "bare") return `${leftSide(left)} ${rightSide(definition)}`;
  if (!isCode(hint)) return plain(hint);
  const before = wordsBeforeCode(hint);
  return before === undefined ? sayCode(hint) : `${before}: ${sayCode(hint.slice(before.length))}`;
}

/** A condition on the left ("element = 'c' means Carbon") is easier to hear as one name and one value. */
const leftSide = (left: string): string => plain(left.replace(/([<>!])\s+=/g, "$1="));

/**
 * The hint, said: comparisons, aggregates and BIRD's arithmetic functions in words, a slip in the defining verb mended, a
 * capital where a sentence begins and a full stop at its end.
 */
export function responseOf(hint: string, definition: Definition): string {
  const { left, mended } = definition;
  const said = sayHint(hint, mended === undefined ? definition : { ...definition, connective: mended })
    .replace(/\s+([,;:])/g, "$1")
    .trim();
  const word = left.split(/\s/)[0] ?? "";
  const sentence = /^\p{Ll}/u.test(said) && (said.startsWith("the ") || (!isCode(left) && !isCode(word)));
  const begun = sentence ? (said[0] ?? "").toUpperCase() + said.slice(1) : said;
  return /[.?!]$/.test(begun) ? begun : `${begun.replace(/[,:;]$/, "")}.`;
}
