/** LaTeX of knowledge definitions as plain text, for people: `\frac{a}{b}` as `(a) / (b)`, `\text{x}` as `x`. */

/** Where the brace that opens at `from` closes; the text's end where it does not. */
function closingBrace(text: string, from: number): number {
  let depth = 0;
  for (let at = from; at < text.length; at++) {
    if (text[at] === "{") depth++;
    else if (text[at] === "}" && --depth === 0) return at;
  }
  return text.length;
}

/** An argument that needs no parentheses of its own. */
const isSimple = (text: string): boolean => /^[\p{L}\p{N}_.]+$/u.test(text.trim());
const grouped = (text: string): string => (isSimple(text) ? text.trim() : `(${text.trim()})`);

function withoutFractions(text: string): string {
  const start = text.search(/\\[dt]?frac\s*\{/);
  if (start < 0) return text;
  const open = text.indexOf("{", start);
  const middle = closingBrace(text, open);
  const second = text.indexOf("{", middle);
  if (second < 0) return text.replace(/\\[dt]?frac/, "");
  const end = closingBrace(text, second);
  const [above, below] = [text.slice(open + 1, middle), text.slice(second + 1, end)].map(withoutFractions);
  const whole = `${grouped(above ?? "")} / ${grouped(below ?? "")}`;
  return text.slice(0, start) + whole + withoutFractions(text.slice(end + 1));
}

const SYMBOLS: readonly [RegExp, string][] = [
  [/\\(?:times|cdot)(?![a-zA-Z])/g, "×"],
  [/\\(?:leq|le)(?![a-zA-Z])/g, "≤"],
  [/\\(?:geq|ge)(?![a-zA-Z])/g, "≥"],
  [/\\(?:neq|ne)(?![a-zA-Z])/g, "≠"],
  [/\\approx(?![a-zA-Z])/g, "≈"],
  [/\\sum(?![a-zA-Z])/g, "the sum of "],
  [/\\sqrt(?![a-zA-Z])/g, "the square root of "],
  [/\\(?:log|ln)(?![a-zA-Z])/g, "log "],
];

/** The definition without its dollar signs and commands. What is no LaTeX is left as it is. */
export function latexText(definition: string): string {
  let text = withoutFractions(
    definition.replace(/\\(?:text|mathrm|mathit|mathbf|operatorname)\s*\{([^{}]*)\}/g, "$1"),
  );
  for (const [pattern, said] of SYMBOLS) text = text.replace(pattern, said);
  return text
    .replace(/\\([%$_&#{}])/g, "$1")
    .replace(/\\(?:left|right|quad|,|;|!)/g, "")
    .replace(/\\([a-zA-Z]+)/g, "$1 ")
    .replace(/\$/g, "")
    .replace(/[{}]/g, "")
    .replace(/\s+/g, " ")
    .trim();
}
