import { nameOf, wordsOf } from "../../sql/index.js";
import type { FromTable } from "./items.js";
import { foldName } from "./schema.js";

/**
 * The first `"table.column"` in one pair of quotes (spec 2, taco, step 1; spec 9): stock SQLite finds no such column and
 * takes it for text, so the statement would return its own words.
 */
export function quotedQualifiedName(
  sql: string,
  { table, alias }: FromTable,
  columns: readonly string[],
): string | undefined {
  const listed = new Set(columns.map(foldName));
  const owners = [table, ...(alias === null ? [] : [alias])].map((name) => `${foldName(name)}.`);
  const words = wordsOf(sql);
  return words.find((token, at) => {
    if (token.kind !== "quoted_identifier") return false;
    // `t."a.b"` is a column whose name has a dot.
    if (words[at - 1]?.text === "." || words[at + 1]?.text === ".") return false;
    const name = foldName(nameOf(token));
    return listed.has(name) || owners.some((owner) => name.startsWith(owner) && name.length > owner.length);
  })?.text;
}
