/** A hint as a person would say it (spec 2, ew-bird, step 2): SQL in words, without backticks, with nothing added. */
import { isCode, isIdentifier, isLiteral, wordsBeforeCode } from "./code-words.js";
import type { Definition } from "./definition.js";
import { isCondition, sayCode } from "./say-code.js";

const plain = (text: string): string => text.replaceAll("`", "").replace(/\s+/g, " ").trim();

/** What stands after "refers to", "means" or "=": a condition is said as a clause, a formula in words. */
function rightSide({ shape, right, connective, left }: Definition): string {
  const verb = plain(connective);
  // "element = 'o' means Oxygen, element = 's' means Sulfur": words come after code, and no clause of ours fits them.
  // Nor where the right side defines something more ("before 1980 and refers to NationalAccountsBaseYear < 1980").
  if (!isCode(right) || isCode(left) || /\b(?:refers? to|means)\b/.test(right))
    return `${verb}${/^[,.;:]/.test(right) ? "" : " "}${plain(right)}`;
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
  if (shape !== "bare") {
    const [before, after] = [leftSide(left), rightSide(definition)];
    return `${before}${before === "" || after.startsWith(":") ? "" : " "}${after}`;
  }
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
  const { left, shape, mended } = definition;
  const said = sayHint(hint, mended === undefined ? definition : { ...definition, connective: mended });
  const [word = ""] = said.split(/\s/);
  // A column's name keeps its letters, and so does a condition that is defined ("element = 'c' means Carbon").
  const asWritten = isIdentifier(word) || (isCode(left) && shape !== "bare" && shape !== "formula");
  const begun = asWritten ? said : said.replace(/^\p{Ll}/u, (letter) => letter.toUpperCase());
  return /[.?!]$/.test(begun) ? begun : `${begun.replace(/[,:;]$/, "")}.`;
}
