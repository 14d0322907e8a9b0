import type { Edit, Operator, OperatorInput } from "../edit.js";
import { columnInside, countedOf, findColumn, plural } from "../lookup.js";
import { cue, wordsFor } from "../question.js";
import { tableOf } from "../schema.js";
import { type CallNode, isAggregate, nameInScope, type Place, replaceAt, type Scope } from "../tree/index.js";

const SETTLED = /\b(?:different|distinct|unique|each|separate|how many times|entries|records|occurrences)\b/i;

/** COUNT(*) over a join counts pairs; what might be counted instead is the first table's rows. */
function counted(call: CallNode, scope: Scope, input: OperatorInput): CallNode | null {
  const [argument] = call.args;
  if (argument !== undefined && argument.kind !== "star") return { ...call, distinct: !call.distinct };
  const [first] = scope.query.from;
  const table = first?.source.kind === "table" ? tableOf(input.schema, first.source.name) : undefined;
  const key = table?.columns.find(({ primary }) => primary);
  if (first === undefined || key === undefined) return null;
  return { ...call, distinct: true, args: [{ kind: "column", table: nameInScope(first), name: key.name }] };
}

/** Whether a row of the result can hold the same value twice at all. */
function mayRepeat(call: CallNode, scope: Scope, input: OperatorInput): boolean {
  if (scope.query.from.length > 1) return true;
  const column = call.args[0] === undefined ? null : columnInside(call.args[0]);
  const found = column === null ? null : findColumn(column, scope, input.schema);
  return found !== null && !found.column.primary;
}

function ofCount(place: Place, call: CallNode, input: OperatorInput): Edit[] {
  if (call.name !== "COUNT" || !mayRepeat(call, place.scope, input)) return [];
  const other = counted(call, place.scope, input);
  if (other === null) return [];
  const [argument] = other.args;
  const things = countedOf(argument, place.scope, input);
  const once = `different ${things}, each counted once`;
  const often = `every matching row, so that one of the ${things} may count more than once`;
  const column = argument === undefined ? null : columnInside(argument);
  const found = column === null ? null : findColumn(column, place.scope, input.schema);
  return [
    {
      operator: "distinct-or-all",
      form: place.clause === "items" ? "count" : "count in a condition",
      touches: [place.path],
      apply: (query) => replaceAt(query, place.path, other),
      reference: call.distinct ? once : often,
      alternative: call.distinct ? often : once,
      anchor:
        cue(input.question, /\b(?:how many|number of|count(?: of)?)\s+[a-z-]+/i) ??
        wordsFor(input.question, things),
      signals: {
        settled: cue(input.question, SETTLED) !== null,
        open: found?.column.primary === false && found.column.kind !== "key",
      },
    },
  ];
}

/** Under a LIMIT it matters whether equal rows are shown once; elsewhere the comparison does not see it. */
function ofRows(scope: Scope, input: OperatorInput): Edit[] {
  const { query } = scope;
  if (query.limit === null || query.limit < 2 || query.groups.length > 0) return [];
  if (query.items.some(({ expression }) => isAggregate(expression))) return [];
  const [first] = query.items;
  const column = first === undefined ? null : columnInside(first.expression);
  const found = column === null ? null : findColumn(column, scope, input.schema);
  const things = found === null ? "results" : plural(found.column.words);
  const [once, often] = [`each of the ${things} once`, `the ${things} as they come, repeats included`];
  return [
    {
      operator: "distinct-or-all",
      form: "rows",
      touches: [[...scope.path, "distinct"]],
      apply: (made) => replaceAt(made, [...scope.path, "distinct"], !query.distinct),
      reference: query.distinct ? once : often,
      alternative: query.distinct ? often : once,
      anchor: wordsFor(input.question, things),
      signals: { settled: cue(input.question, SETTLED) !== null },
    },
  ];
}

/** Each thing once, or every row. */
export const distinctOrAll: Operator = {
  name: "distinct-or-all",
  edits: (input) => [
    ...input.places.flatMap((place) => (isAggregate(place.node) ? ofCount(place, place.node, input) : [])),
    ...input.scopes.flatMap((scope) => ofRows(scope, input)),
  ],
};
