import { isSignificant, type Token, tokens } from "./tokens.js";

/** A statement with every tie broken by the output columns, smallest first and largest first. */
export interface TieBroken {
  ascending: string;
  descending: string;
  /** Whether some LIMIT has no ORDER BY before it. */
  unorderedLimit: boolean;
  /** Whether the statement has a LIMIT whose rows are put in order by it. */
  orderedLimit: boolean;
}

const wordOf = (token: Token | undefined): string =>
  token?.kind === "identifier" ? token.text.toUpperCase() : "";

/** A query of a statement: what stands in one pair of parentheses, or outside of all. */
interface Query {
  select: number | undefined;
  /** Output columns; undefined where a `*` stands among them. */
  columns: number | undefined;
  counting: boolean;
  orderBy: boolean;
}

const fresh = (): Query => ({ select: undefined, columns: undefined, counting: false, orderBy: false });

/** Where an order may be added, and behind what. */
interface Place {
  offset: number;
  columns: number;
  orderBy: boolean;
}

/** Takes up one token of a query's own level. */
function note(query: Query, words: readonly Token[], at: number): void {
  const token = words[at];
  const word = wordOf(token);
  const operator = token?.kind === "operator" ? token.text : "";
  if (word === "SELECT") {
    // The first SELECT of a compound names its columns.
    if (query.select === undefined) Object.assign(query, { select: at, columns: 1, counting: true });
    query.orderBy = false;
  } else if (
    query.counting &&
    ["FROM", "WHERE", "ORDER", "LIMIT", "UNION", "EXCEPT", "INTERSECT", "GROUP"].includes(word)
  ) {
    query.counting = false;
  } else if (query.counting && operator === "," && query.columns !== undefined) query.columns += 1;
  else if (query.counting && operator === "*" && isStar(words, at)) query.columns = undefined;
  if (word === "ORDER" && wordOf(words[at + 1]) === "BY") query.orderBy = true;
}

/** `*` or `t.*` as an output column, not a product. */
function isStar(words: readonly Token[], at: number): boolean {
  const before = words[at - 1];
  return (
    before?.text === "." || before?.text === "," || ["SELECT", "DISTINCT", "ALL"].includes(wordOf(before))
  );
}

/** Every LIMIT with what stands before it, and the end of the outermost query where that has no LIMIT. */
function placesOf(words: readonly Token[], outputs: number): { limits: Place[]; end: Place | undefined } {
  const open: Query[] = [fresh()];
  const limits: Place[] = [];
  let outerLimit = false;
  for (const [at, token] of words.entries()) {
    if (token.kind === "operator" && token.text === "(") open.push(fresh());
    else if (token.kind === "operator" && token.text === ")") {
      if (open.length > 1) open.pop();
    } else {
      const query = open.at(-1) as Query;
      note(query, words, at);
      if (wordOf(token) !== "LIMIT" || query.select === undefined) continue;
      const outer = open.length === 1;
      outerLimit ||= outer;
      const columns = outer ? outputs : query.columns;
      if (columns !== undefined) limits.push({ offset: token.offset, columns, orderBy: query.orderBy });
    }
  }
  const last = words.at(-1);
  const [outermost] = open;
  const isWhole = open.length === 1 && outermost?.select !== undefined && last !== undefined && !outerLimit;
  const end = isWhole
    ? { offset: last.offset + last.text.length, columns: outputs, orderBy: outermost.orderBy }
    : undefined;
  return { limits, end };
}

/** The statement with an order added at each place. */
function withOrders(
  sql: string,
  places: readonly Place[],
  direction: "ASC" | "DESC",
  collate: string,
): string {
  let text = sql;
  for (const { offset, columns, orderBy } of places.toSorted((a, b) => b.offset - a.offset)) {
    const terms = Array.from({ length: columns }, (_, at) => `${at + 1}${collate} ${direction}`).join(", ");
    text = `${text.slice(0, offset)} ${orderBy ? `, ${terms}` : `ORDER BY ${terms}`} ${text.slice(offset)}`;
  }
  return text;
}

/**
 * A statement twice over, each LIMIT's rows put in a whole order by their output columns behind what orders them already,
 * once upwards and once downwards. Both are right readings of the statement: it leaves open which of tied rows are kept. A
 * LIMIT that cuts no tie, or one of equal rows, gives the same both times, and only such a one does. Undefined where there
 * is no tie to break.
 *
 * @param outputs how many columns the whole statement gives
 * @param ordered break the ties of the outermost ORDER BY too, where nothing limits it: its order counts
 * @param collate SQLite sorts text by the column's collation, under which different texts may be tied
 */
export function tieBroken(
  sql: string,
  outputs: number,
  { ordered = false, collate = true }: { ordered?: boolean; collate?: boolean } = {},
): TieBroken | undefined {
  const words = tokens(sql).filter(isSignificant);
  while (words.at(-1)?.text === ";") words.pop();
  const { limits, end } = placesOf(words, outputs);
  const places = ordered && end !== undefined ? [...limits, end] : limits;
  if (places.length === 0) return undefined;
  const binary = collate ? " COLLATE BINARY" : "";
  return {
    ascending: withOrders(sql, places, "ASC", binary),
    descending: withOrders(sql, places, "DESC", binary),
    unorderedLimit: limits.some(({ orderBy }) => !orderBy),
    orderedLimit: limits.some(({ orderBy }) => orderBy),
  };
}
