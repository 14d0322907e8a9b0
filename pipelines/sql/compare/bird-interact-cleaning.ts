/**
 * The three edits that BIRD-Interact's evaluator makes to both SQL texts before it runs them (spec 13.6), with their
 * oddities: none knows strings or names, so each can break valid SQL. They are for that comparison only and are made on
 * a copy; nothing else may edit SQL by pattern (spec 10).
 */

/** Removes block comments and, where a line end follows, line comments; collapses blank lines; trims. */
export function removeComments(sql: string): string {
  return sql
    .replace(/\/\*[\s\S]*?\*\//g, "")
    .replace(/--.*?(\r\n|\r|\n)/g, "$1")
    .replace(/\n\s*\n+/g, "\n")
    .trim();
}

/** Drops the pieces between single spaces that read DISTINCT: not one before a line end, nor one after a parenthesis. */
export function removeDistinct(sql: string): string {
  return sql
    .split(" ")
    .filter((piece) => piece.toLowerCase() !== "distinct")
    .join(" ");
}

/** Where the call whose parenthesis opens before `from` closes, and where its first argument ends; -1 when never. */
function callEnd(sql: string, from: number): { firstArgument: number; end: number } {
  let depth = 1;
  let firstArgument = -1;
  for (let at = from; at < sql.length; at++) {
    const character = sql[at];
    if (character === "(") depth++;
    else if (character === ")") {
      depth--;
      if (depth === 0) return { firstArgument: firstArgument < 0 ? at : firstArgument, end: at };
    } else if (character === "," && depth === 1 && firstArgument < 0) firstArgument = at;
  }
  return { firstArgument, end: -1 };
}

/** Replaces ROUND(x, …) by x, first call first, until none is left or one does not close. GROUND( counts as well. */
export function removeRound(sql: string): string {
  let text = sql;
  for (;;) {
    const call = /ROUND\s*\(/i.exec(text);
    if (call === null) return text;
    const start = call.index + call[0].length;
    const { firstArgument, end } = callEnd(text, start);
    if (end < 0) return text;
    text = text.slice(0, call.index) + text.slice(start, firstArgument).trim() + text.slice(end + 1);
  }
}

/** All three, in the evaluator's order. */
export function cleanForBirdInteract(sql: string): string {
  return removeRound(removeDistinct(removeComments(sql)));
}
