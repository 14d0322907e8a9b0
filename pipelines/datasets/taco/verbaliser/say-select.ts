/** A query in one sentence. */

import { type Expression, type Item, type Query, sumsUp } from "./query.js";
import { type Speaker, say, series, standing } from "./speaker.js";
import type { ValueFilter } from "./value-filter.js";

const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

const isColumn = (item: Item): item is Expression & { kind: "column" } => item.kind === "column";

/** "the town, acres and status", or each with an article of its own where they are not all columns. */
function sayItems(speaker: Speaker, items: readonly Item[]): string {
  if (items.every(isColumn))
    return `the ${series(items.map(({ column }) => speaker.columns.of(column).text))}`;
  return series(
    items.map((item) => {
      if (item.kind === "everything") return `all ${say(speaker, "details")}`;
      return standing(speaker, item);
    }),
  );
}

/** "each town", "each combination of town and status". */
function sayEach(speaker: Speaker, expressions: readonly Expression[]): string {
  const names = expressions.map((one) => {
    if (one.kind === "column") return speaker.columns.of(one.column).text;
    return standing(speaker, one);
  });
  const [only] = expressions;
  if (names.length > 1) return `${say(speaker, "combination")} of ${series(names)}`;
  return only?.kind === "column" ? names.join("") : `${say(speaker, "value")} of ${names.join("")}`;
}

/** "the records with a certain status where the acres are greater than 5". */
function sayRecords(
  speaker: Speaker,
  where: Expression | null,
  term: string,
  value: ValueFilter | null,
): string {
  const open = value === null ? "" : ` with ${value.term}`;
  return `${term}${open}${where === null ? "" : ` where ${speaker.condition(where, false)}`}`;
}

function sayHead(speaker: Speaker, query: Query, records: string): { head: string; distinctSaid: boolean } {
  const { items, groups, distinct } = query;
  const show = say(speaker, "show");
  if (groups.length > 0) {
    const text = `For each ${sayEach(speaker, groups)} among ${records}, ${show} ${sayItems(speaker, items)}`;
    return { head: text, distinctSaid: false };
  }
  const [only, ...more] = items;
  const summed = sumsUp(query);
  if (more.length === 0 && only?.kind === "call" && only.name === "COUNT" && only.star) {
    return { head: `${capital(say(speaker, "tally"))} ${records}`, distinctSaid: false };
  }
  if (distinct && !summed && items.every(isColumn)) {
    const each = `${capital(show)} each ${say(speaker, "different")} ${sayEach(speaker, items)}`;
    return { head: `${each} among ${records}`, distinctSaid: true };
  }
  return {
    head: `${capital(show)} ${sayItems(speaker, items)} ${summed ? "over" : "for"} ${records}`,
    distinctSaid: false,
  };
}

function sayTail(speaker: Speaker, query: Query, distinctSaid: boolean): string[] {
  const tail: string[] = [];
  if (query.having !== null) {
    const kept = query.groups.length > 0 ? `only for ${say(speaker, "group")} where` : "only if";
    tail.push(`but ${kept} ${speaker.condition(query.having, false)}`);
  }
  if (query.distinct && !distinctSaid) tail.push(say(speaker, "repeats"));
  if (query.orders.length > 0) {
    const orders = query.orders.map(({ by, descending, nulls }) => {
      const how = descending ? ` ${say(speaker, "descending")}` : "";
      const missing =
        nulls === null
          ? ""
          : ` with ${say(speaker, "missing")} ones ${nulls === "first" ? "before" : "after"} all`;
      return `by ${standing(speaker, by)}${how}${missing}`;
    });
    tail.push(`${say(speaker, "sorted")} ${orders.join(", then ")}`);
  }
  const { limit, offset } = query;
  if (offset > 0) {
    const skipped = `${say(speaker, "skip")} the ${say(speaker, "first")} ${offset}`;
    const kept =
      limit === null ? "" : ` and ${say(speaker, "keep")} only the ${say(speaker, "next")} ${limit}`;
    tail.push(skipped + kept);
  } else if (limit !== null) tail.push(`${say(speaker, "keep")} only the ${say(speaker, "first")} ${limit}`);
  return tail;
}

/**
 * The query in one English sentence, with the table said as `term` ("the records").
 *
 * @param value a filter that is said without its value; it is not part of `query.where` any more
 */
export function saySelect(speaker: Speaker, query: Query, term: string, value: ValueFilter | null): string {
  const records = sayRecords(speaker, query.where, term, value);
  const { head, distinctSaid } = sayHead(speaker, query, records);
  return `${[head, ...sayTail(speaker, query, distinctSaid)].join(", ")}.`;
}
