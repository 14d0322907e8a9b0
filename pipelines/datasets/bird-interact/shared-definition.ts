/**
 * Whether one text spells out another's definition (spec 2, bird-interact, step 3), by content and not by names or by the
 * knowledge base's own links: an entry that only mentions a withheld one by name tells nothing of it.
 */

/** LaTeX as plain tokens: words, numbers, operators; commands that only set type are gone. */
function symbols(text: string): string[] {
  return (
    text
      .replace(/\\(?:text|mathrm|mathit|operatorname|left|right|,|;|!|quad)\b/g, " ")
      .replace(/\\[dt]?frac\b/g, "/")
      .replace(/\\times|\\cdot/g, "*")
      .replace(/\\(?:leq?|le)\b/g, "<=")
      .replace(/\\(?:geq?|ge)\b/g, ">=")
      .replace(/[–−]/g, "-")
      .replace(/[{}$()[\]]/g, " ")
      .toLowerCase()
      .match(/\\?[\p{L}_][\p{L}\p{N}_]*|\d+(?:\.\d+)?|[<>]=?|[-+*/=|^]/gu) ?? []
  );
}

/** The formulas of a definition, as tokens: what stands between dollar signs, without the name that it defines. */
export function formulasOf(definition: string): string[][] {
  return [...definition.matchAll(/\$([^$]+)\$/g)]
    .map(([, inside = ""]) => {
      const all = symbols(inside);
      const equals = all.indexOf("=");
      return equals > 0 && equals <= 3 ? all.slice(equals + 1) : all;
    })
    .filter((formula) => formula.length >= 3);
}

/** The longest run of tokens that two lists have in common. */
export function longestRun(a: readonly string[], b: readonly string[]): number {
  let best = 0;
  let row = new Array<number>(b.length + 1).fill(0);
  for (const token of a) {
    const next = new Array<number>(b.length + 1).fill(0);
    for (let at = 0; at < b.length; at++) {
      if (b[at] !== token) continue;
      next[at + 1] = (row[at] ?? 0) + 1;
      best = Math.max(best, next[at + 1] ?? 0);
    }
    row = next;
  }
  return best;
}

const isName = (token: string): boolean => /^[\p{L}_]/u.test(token);
const isArithmetic = (formula: readonly string[]): boolean =>
  formula.some((token) => "+-*/".includes(token)) && !formula.some((token) => /[<>]/.test(token));

/** Two pieces of arithmetic over the same two or more columns: the same formula in another spelling. */
function sameNames(a: readonly string[], b: readonly string[]): boolean {
  const [left, right] = [new Set(a.filter(isName)), new Set(b.filter(isName))];
  const shared = [...left].filter((name) => right.has(name)).length;
  return shared >= 2 && shared === left.size && shared === right.size && isArithmetic(a) && isArithmetic(b);
}

const SHINGLE = 4;
const words = (text: string): string[] => text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
const shingles = (text: string): Set<string> => {
  const all = words(text);
  return new Set(
    all.slice(0, Math.max(0, all.length - SHINGLE + 1)).map((_, at) => all.slice(at, at + SHINGLE).join(" ")),
  );
};

/** How much of a formula, or of the wording, must be there: most of it, and never a lone comparison by chance. */
const ENOUGH = 0.7;
const HALF = 0.5;

/**
 * `formula`: a run of at least 70 % of one of the definition's formulas stands in the text. `wording`: at least half of
 * the definition's four-word sequences do. null: neither.
 */
export function spellsOut(text: string, definition: string): "formula" | "wording" | null {
  const tokens = symbols(text);
  const theirs = formulasOf(text);
  for (const formula of formulasOf(definition)) {
    if (theirs.some((other) => sameNames(formula, other))) return "formula";
    const run = longestRun(formula, tokens);
    if (run >= 3 && run >= ENOUGH * formula.length) return "formula";
  }
  const own = shingles(definition);
  if (own.size < 3) return null;
  const there = shingles(text);
  const shared = [...own].filter((one) => there.has(one)).length;
  return shared >= HALF * own.size ? "wording" : null;
}
