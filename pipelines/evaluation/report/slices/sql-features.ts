import { isSignificant, type Token, tokens } from "../../../sql/index.js";

const AGGREGATES = new Set([
  "count",
  "sum",
  "avg",
  "min",
  "max",
  "total",
  "group_concat",
  "string_agg",
  "array_agg",
]);

const isWord = (token: Token | undefined, words: ReadonlySet<string>): boolean =>
  token?.kind === "identifier" && words.has(token.text.toLowerCase());

/** Words that mean a feature wherever they stand as a word of SQL, outside strings, comments and quoted names. */
const FEATURES: readonly (readonly [string, ReadonlySet<string>])[] = [
  ["join", new Set(["join"])],
  ["group by", new Set(["group"])],
  ["having", new Set(["having"])],
  ["order by", new Set(["order"])],
  ["limit", new Set(["limit"])],
  ["distinct", new Set(["distinct"])],
  ["set operation", new Set(["union", "intersect", "except"])],
  ["case", new Set(["case"])],
  ["window", new Set(["over"])],
  ["with", new Set(["with"])],
];

/**
 * What a statement is made of, by its tokens alone: SQL that no parser knows has features too. `plain` where it has none.
 */
export function sqlFeatures(sql: string): string[] {
  const words = [...tokens(sql)].filter(isSignificant);
  const found = FEATURES.filter(([, names]) => words.some((token) => isWord(token, names))).map(
    ([name]) => name,
  );
  const selects = words.filter((token) => isWord(token, new Set(["select"]))).length;
  const operations = words.filter((token) => isWord(token, FEATURES[6]![1])).length;
  if (selects > 1 + operations) found.push("subquery");
  const aggregates = words.some((token, at) => isWord(token, AGGREGATES) && words[at + 1]?.text === "(");
  if (aggregates) found.push("aggregate");
  return found.length === 0 ? ["plain"] : found;
}
