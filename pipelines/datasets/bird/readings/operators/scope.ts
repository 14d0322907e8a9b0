import type { Edit, Operator, OperatorInput } from "../edit.js";
import { columnInside, comparisonOf, findColumn, plural, said, subjectOf, withArticle } from "../lookup.js";
import { cue, wordsFor } from "../question.js";
import { tableOf } from "../schema.js";
import {
  allOf,
  conjuncts,
  type Expression,
  isAggregate,
  nameInScope,
  type OperationNode,
  operation,
  type Place,
  placesOf,
  type Query,
  queryAt,
  replaceAt,
  type Scope,
} from "../tree/index.js";

const PERCENT = /\b(?:percent(?:age)?s?|proportion|ratio|share|rate)\b/i;
const AVERAGE = /\b(?:average|mean|overall|maximum|minimum|highest|lowest|most|least|tallest|oldest)\b/i;

/** A filter in words: "publisher name Marvel Comics", "weight under 100". */
function filterWords(node: Expression, scope: Scope, input: OperatorInput): string | null {
  const comparison = comparisonOf(node);
  if (comparison === null) return null;
  const subject = subjectOf(comparison.subject, scope, input);
  const how = {
    "=": "is",
    "<>": "is not",
    ">": "is over",
    "<": "is under",
    ">=": "is at least",
    "<=": "is at most",
    LIKE: "is like",
  }[comparison.operator];
  return how === undefined ? null : `${subject} ${how} ${said(comparison.value).replaceAll("%", "")}`;
}

function rowsOf(scope: Scope, input: OperatorInput): string {
  const [first] = scope.query.from;
  const table = first?.source.kind === "table" ? tableOf(input.schema, first.source.name) : undefined;
  return table === undefined ? "rows" : plural(table.words);
}

/** A count of some of the rows, so that the quotient is a share; SUM(x) / COUNT(x) is an average. */
const isConditional = (node: Expression): boolean => /"kind":"case"|"name":"IIF"/.test(JSON.stringify(node));

/** A share of the filtered rows, or of all rows: the filter leaves the denominator. */
function ofDenominator(place: Place, node: OperationNode, input: OperatorInput): Edit[] {
  const denominator = node.right;
  const { query } = place.scope;
  if (
    node.operator !== "/" ||
    place.clause !== "items" ||
    !isAggregate(denominator) ||
    denominator.name !== "COUNT"
  )
    return [];
  if (query.groups.length > 0 || query.where === null || !isConditional(node.left)) return [];
  const words = conjuncts(query.where).map((condition) => filterWords(condition, place.scope, input));
  const said = words.filter((one) => one !== null).join(" and ");
  if (said === "") return [];
  const path = [...place.path, "right"];
  const things = rowsOf(place.scope, input);
  return [
    {
      operator: "scope",
      form: "share of",
      touches: [path],
      structural: true,
      apply: (made) => {
        const whole: Query = {
          ...queryAt(made, place.scope.path),
          where: null,
          orders: [],
          limit: null,
          items: [{ expression: denominator, alias: null }],
        };
        return replaceAt(made, path, { kind: "nested", exists: false, query: whole });
      },
      reference: `a share of only those ${things} of which ${said}`,
      alternative: `a share of all ${things}`,
      anchor: cue(input.question, PERCENT),
      signals: {
        settled: cue(input.question, /\b(?:among|out of|of all|in the|within)\b/i) !== null,
        open: cue(input.question, PERCENT) !== null,
      },
    },
  ];
}

/** Column references of a condition, under the aliases of another SELECT over the same tables; null where one is missing. */
function moved(condition: Expression, from: Query, to: Query): Expression | null {
  const holder: Query = {
    ...to,
    tables: [],
    from: [],
    items: [{ expression: condition, alias: null }],
    where: null,
    groups: [],
    having: null,
    orders: [],
  };
  let made = holder;
  for (const place of placesOf(holder)) {
    if (place.node.kind !== "column") continue;
    const { table } = place.node;
    const here = table === null ? from.from[0] : from.from.find((item) => nameInScope(item) === table);
    const there =
      here?.source.kind === "table"
        ? to.from.find(
            ({ source }) =>
              source.kind === "table" && here.source.kind === "table" && source.name === here.source.name,
          )
        : undefined;
    if (there === undefined) return null;
    made = replaceAt(made, place.path, { ...place.node, table: nameInScope(there) });
  }
  return made.items[0]?.expression ?? null;
}

/** x > (SELECT AVG(x) FROM t): the average, or the highest, of all or of the rows that the question is about. */
function ofComparedWith(place: Place, input: OperatorInput): Edit[] {
  const { node, scope } = place;
  if (node.kind !== "nested" || node.exists || place.clause !== "where") return [];
  const inner = node.query;
  const [item] = inner.items;
  if (item === undefined || !isAggregate(item.expression) || inner.groups.length > 0 || inner.limit !== null)
    return [];
  const others = conjuncts(scope.query.where).filter(
    (condition) =>
      filterWords(condition, scope, input) !== null && !JSON.stringify(condition).includes('"nested"'),
  );
  if (others.length > 0 && inner.where === null) {
    const shifted = others.map((condition) => moved(condition, scope.query, inner));
    if (shifted.some((condition) => condition === null)) return [];
    return [
      compared(place, { ...inner, where: allOf(shifted.filter((one) => one !== null)) }, others, true, input),
    ];
  }
  return inner.where === null
    ? []
    : [compared(place, { ...inner, where: null }, conjuncts(inner.where), false, input)];
}

function compared(
  place: Place,
  query: Query,
  conditions: Expression[],
  narrowing: boolean,
  input: OperatorInput,
): Edit {
  const inner = place.node.kind === "nested" ? place.node.query : query;
  const scope: Scope = narrowing ? place.scope : { query: inner, path: place.path, outer: place.scope };
  const [item] = inner.items;
  const names: Readonly<Record<string, string>> = {
    AVG: "average",
    MAX: "highest",
    MIN: "lowest",
    SUM: "total",
    COUNT: "count",
  };
  const what =
    item !== undefined && isAggregate(item.expression) ? (names[item.expression.name] ?? "value") : "value";
  const words = conditions
    .map((condition) => filterWords(condition, scope, input) ?? "the rest holds")
    .join(" and ");
  const all = `the ${what} is taken over all ${rowsOf({ query: inner, path: [], outer: null }, input)}`;
  const some = `the ${what} is taken only over those of which ${words}`;
  return {
    operator: "scope",
    form: "compared with",
    touches: [place.path],
    apply: (made) => replaceAt(made, [...place.path, "query"], query),
    reference: narrowing ? all : some,
    alternative: narrowing ? some : all,
    anchor: cue(input.question, AVERAGE),
    signals: {
      settled: narrowing && cue(input.question, /\b(?:of all|overall|all)\b/i) !== null,
      open: cue(input.question, AVERAGE) !== null,
    },
  };
}

/** A and (B or C), or (A and B) or C. */
function ofAttachment(place: Place, node: OperationNode, input: OperatorInput): Edit[] {
  if (node.operator !== "AND" || place.clause !== "where") return [];
  if (place.around.some((outer) => outer.kind === "operation" && outer.operator === "AND")) return [];
  const parts = conjuncts(node);
  const open = parts.find(
    (part): part is OperationNode => part.kind === "operation" && part.operator === "OR",
  );
  const rest = parts.filter((part) => part !== open);
  if (
    open === undefined ||
    parts.filter((part) => part.kind === "operation" && part.operator === "OR").length > 1
  )
    return [];
  const [first, second] = [open.left, open.right].map((side) => filterWords(side, place.scope, input));
  const common = rest.map((part) => filterWords(part, place.scope, input));
  if (
    first === null ||
    second === null ||
    first === undefined ||
    second === undefined ||
    common.some((words) => words === null)
  )
    return [];
  const also = common.join(" and ");
  const narrowed = allOf([...rest, open.left]);
  return narrowed === null
    ? []
    : [
        {
          operator: "scope",
          form: "and, or",
          touches: [place.path],
          apply: (query) => replaceAt(query, place.path, operation("OR", narrowed, open.right)),
          reference: `${also} in either case, whether ${first} or ${second}`,
          alternative: `${also} is asked only of those of which ${first}, not of those of which ${second}`,
          anchor: cue(input.question, /\b[\w'-]+ or [\w'-]+/i),
          signals: { open: cue(input.question, /\bor\b/i) !== null },
        },
      ];
}

/** An inner join leaves out rows without a partner; under an average or a count for each, they may belong. */
function ofJoin(scope: Scope, input: OperatorInput): Edit[] {
  const { query } = scope;
  const [first, second] = query.from;
  const counts = query.items.some(({ expression }) => isAggregate(expression) && expression.name === "COUNT");
  if (first?.source.kind !== "table" || second?.source.kind !== "table" || query.from.length !== 2) return [];
  if (second.join === null || !/^(?:INNER )?JOIN$/.test(second.join) || query.groups.length === 0 || !counts)
    return [];
  const used = placesOf({ ...query, from: [] }).some(({ node, clause }) => {
    const column = node.kind === "column" && clause === "where" ? columnInside(node) : null;
    return column !== null && findColumn(column, scope, input.schema)?.source === second;
  });
  if (used) return [];
  const [one, other] = [first.source.name, second.source.name].map(
    (name) => tableOf(input.schema, name)?.words ?? name,
  );
  return [
    {
      operator: "scope",
      form: "join",
      touches: [[...scope.path, "from", 1, "join"]],
      apply: (made) => replaceAt(made, [...scope.path, "from", 1, "join"], "LEFT JOIN"),
      reference: `only ${plural(one ?? "")} that have ${withArticle(other ?? "")}`,
      alternative: `every ${one}, also one without any ${other}`,
      anchor: wordsFor(input.question, one ?? "") ?? cue(input.question, /\b(?:each|every|all|per)\b/i),
      signals: { open: cue(input.question, /\b(?:each|every|all|per)\b/i) !== null },
    },
  ];
}

/** How far a filter or a join reaches. */
export const scope: Operator = {
  name: "scope",
  edits: (input) => [
    ...input.places.flatMap((place) => {
      if (place.node.kind === "nested") return ofComparedWith(place, input);
      if (place.node.kind !== "operation") return [];
      return [...ofDenominator(place, place.node, input), ...ofAttachment(place, place.node, input)];
    }),
    ...input.scopes.flatMap((one) => ofJoin(one, input)),
  ],
};
