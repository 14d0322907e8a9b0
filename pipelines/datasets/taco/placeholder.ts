/** Places in a statement that its author, a language model, left to be filled in. */
import { isKeyword, nameOf, type Token, wordsOf } from "../../sql/index.js";

/** Letters of any script but the Latin one. */
const FOREIGN = /(?!\p{sc=Latin})\p{L}/u;
/** "Give the value here" in words: in brackets, in the model's own language, or as a name that is made up on its face. */
const STAND_IN =
  /^(?:<.*>|\{.*\}|\[.*\]|\.{3}|…|_+|\?+|x{3,}|(?:[Yy]our|[Ss]ome|[Ee]xample)(?:_\w+|\p{Lu}\w*)|placeholder|(?:指定|特定|具体|某个?|示例|请输入).*)$/su;

function unfilled(token: Token, before: Token | undefined, foreignScripts: boolean): string | undefined {
  if (token.kind === "variable") return `the parameter ${token.text} has no value`;
  if (token.kind === "identifier" && /^_+$/.test(token.text)) {
    const isAlias = isKeyword(before, "AS") || before?.text === ".";
    return isAlias ? undefined : `${token.text} stands where a value belongs`;
  }
  if (token.kind !== "string") return undefined;
  const text = nameOf(token);
  // `_` is a pattern of its own after LIKE.
  if (STAND_IN.test(text) && !isKeyword(before, "LIKE", "GLOB")) return `'${text}' stands for a value`;
  if (!foreignScripts && FOREIGN.test(text)) return `'${text}' is in a script that the data does not use`;
  return undefined;
}

/**
 * What is not filled in, in words; undefined when nothing is.
 *
 * @param options.foreignScripts whether literals may be in other scripts than the Latin one, as those of Beijing's part are
 */
export function findPlaceholder(sql: string, options: { foreignScripts: boolean }): string | undefined {
  const words = wordsOf(sql);
  for (const [at, token] of words.entries()) {
    const problem = unfilled(token, words[at - 1], options.foreignScripts);
    if (problem !== undefined) return problem;
  }
  return undefined;
}
