import type { Edit, Operator, OperatorInput } from "../edit.js";
import { columnInside, findColumn, plural } from "../lookup.js";
import { cue, wordsFor } from "../question.js";
import {
  type CallNode,
  type ColumnNode,
  isAggregate,
  nameInScope,
  type Place,
  replaceAt,
  type Scope,
} from "../tree/index.js";

const SAID: Readonly<Record<string, string>> = {
  AVG: "the average",
  SUM: "the total",
};
/** What a person may have meant instead. */
const INSTEAD: Readonly<Record<string, readonly string[]>> = {
  AVG: ["SUM"],
  SUM: ["AVG"],
};
const SETTLED: Readonly<Record<string, RegExp>> = {
  AVG: /\b(?:average|avg|mean)\b/i,
  SUM: /\b(?:total|sum|altogether|in all|combined|overall)\b/i,
};

/** AVG(x) and SUM(x) in what is shown: "the spending of a customer" may be all of it, or what it comes to on average. */
function swapped(place: Place, call: CallNode, input: OperatorInput): Edit[] {
  const column = call.args[0] === undefined ? null : columnInside(call.args[0]);
  const found = column === null ? null : findColumn(column, place.scope, input.schema);
  if (found === null || found.column.kind !== "number" || call.distinct) return [];
  const settled = cue(input.question, SETTLED[call.name] ?? /$^/);
  return (INSTEAD[call.name] ?? []).map((name) => ({
    operator: "other-aggregate",
    form: `${call.name} or ${name}`,
    touches: [place.path],
    apply: (query) => replaceAt(query, place.path, { ...call, name }),
    reference: `${SAID[call.name]} ${found.column.words}`,
    alternative: `${SAID[name]} ${found.column.words}`,
    anchor: settled ?? wordsFor(input.question, found.column.words),
    telling: { reference: SAID[call.name] ?? "", alternative: SAID[name] ?? "" },
    signals: {
      settled: settled !== null,
      contradicted: cue(input.question, SETTLED[name] ?? /$^/) !== null && settled === null,
    },
  }));
}

/** The key in FROM of the table whose rows are asked for, where the ordered measure belongs to a table joined to it. */
function ownerKey(
  scope: Scope,
  measure: ColumnNode,
  input: OperatorInput,
): { key: ColumnNode; owner: string } | null {
  const measured = findColumn(measure, scope, input.schema);
  for (const { expression } of scope.query.items) {
    const shown = expression.kind === "column" ? findColumn(expression, scope, input.schema) : null;
    if (shown === null || measured === null || shown.source === measured.source) return null;
    const key = shown.table.columns.find(({ primary }) => primary);
    const many = measured.table.columns.some(({ refers }) => refers === shown.table.name);
    if (key === undefined || !many) return null;
    return {
      key: { kind: "column", table: nameInScope(shown.source), name: key.name },
      owner: shown.table.words,
    };
  }
  return null;
}

/** ORDER BY t.cost LIMIT 1 over a join: who had the single dearest purchase, or who spent most in all? */
function summed(scope: Scope, input: OperatorInput): Edit[] {
  const { orders, groups, limit, items, having, distinct } = scope.query;
  const [order] = orders;
  if (
    order === undefined ||
    orders.length > 1 ||
    groups.length > 0 ||
    limit === null ||
    having !== null ||
    distinct
  )
    return [];
  if (order.by.kind !== "column" || items.some(({ expression }) => isAggregate(expression))) return [];
  const found = findColumn(order.by, scope, input.schema);
  const owner = ownerKey(scope, order.by, input);
  if (found === null || owner === null || found.column.kind !== "number") return [];
  const { by } = order;
  const superlative = order.descending ? "highest" : "lowest";
  return [
    {
      operator: "other-aggregate",
      form: "single or summed",
      touches: [
        [...scope.path, "orders"],
        [...scope.path, "groups"],
      ],
      apply: (query) =>
        replaceAt(
          replaceAt(query, [...scope.path, "groups"], [owner.key]),
          [...scope.path, "orders"],
          [{ ...order, by: { kind: "call", name: "SUM", distinct: false, args: [by] } }],
        ),
      reference: `the ${superlative} single ${found.column.words}`,
      alternative: `the ${superlative} total of the ${found.column.words}, added up for each ${owner.owner}`,
      anchor:
        wordsFor(input.question, found.column.words) ??
        cue(input.question, /\b(?:most|highest|lowest|least|largest)\b/i),
      signals: { open: cue(input.question, /\b(?:spent|spend|paid|earned|scored|most|total)\b/i) !== null },
    },
  ];
}

/** The reverse: ORDER BY SUM(t.cost) over groups. */
function single(scope: Scope, input: OperatorInput): Edit[] {
  const { orders, groups, limit, having, items } = scope.query;
  const [order] = orders;
  const [argument] = order !== undefined && isAggregate(order.by) ? order.by.args : [];
  if (order === undefined || orders.length > 1 || groups.length === 0 || limit === null || having !== null)
    return [];
  if (!isAggregate(order.by) || order.by.name !== "SUM" || argument?.kind !== "column") return [];
  if (items.some(({ expression }) => isAggregate(expression))) return [];
  const found = findColumn(argument, scope, input.schema);
  if (found === null) return [];
  const superlative = order.descending ? "highest" : "lowest";
  const settled = cue(input.question, /\b(?:total|sum|overall|combined|in all)\b/i);
  return [
    {
      operator: "other-aggregate",
      form: "summed or single",
      touches: [
        [...scope.path, "orders"],
        [...scope.path, "groups"],
      ],
      apply: (query) =>
        replaceAt(
          replaceAt(query, [...scope.path, "groups"], []),
          [...scope.path, "orders"],
          [{ ...order, by: argument }],
        ),
      reference: `the ${superlative} total of the ${found.column.words}`,
      alternative: `the ${superlative} single ${found.column.words} among all ${plural(found.table.words)}`,
      anchor: settled ?? wordsFor(input.question, found.column.words),
      signals: { settled: settled !== null },
    },
  ];
}

/** Another aggregate: the average or the total, the single highest or the highest sum. */
export const otherAggregate: Operator = {
  name: "other-aggregate",
  edits(input) {
    const calls = input.places.flatMap((place) =>
      place.clause === "items" && isAggregate(place.node) ? swapped(place, place.node, input) : [],
    );
    return [...calls, ...input.scopes.flatMap((scope) => [...summed(scope, input), ...single(scope, input)])];
  },
};
