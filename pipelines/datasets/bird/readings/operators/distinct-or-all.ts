import type { Edit, Operator, OperatorInput } from "../edit.js";
import { columnInside, countedOf, findColumn, plural } from "../lookup.js";
import { cue, wordsFor } from "../question.js";
import { tableOf } from "../schema.js";
import {
  type CallNode,
  type ColumnNode,
  isAggregate,
  nameInScope,
  type Place,
  replaceAt,
  type Scope,
} from "../tree/index.js";

const SETTLED = /\b(?:different|distinct|unique|each|separate|how many times|entries|records|occurrences)\b/i;

/** The column that a COUNT counts: its own, or the one that each branch of a CASE in it gives. */
function countedColumn(call: CallNode): ColumnNode | null {
  const [argument] = call.args;
  if (argument?.kind === "column") return argument;
  // COUNT(CASE … THEN 1 END) has nothing to count once.
  const results = argument?.kind === "case" ? argument.branches.map(({ result }) => result) : [];
  const [first] = results;
  return results.length === 1 && first?.kind === "column" ? first : null;
}

/** COUNT(*) over a join counts pairs; what might be counted instead is the first table's rows. */
function counted(call: CallNode, scope: Scope, input: OperatorInput): CallNode | null {
  if (countedColumn(call) !== null) return { ...call, distinct: !call.distinct };
  if (call.args[0]?.kind !== "star") return null;
  const [first] = scope.query.from;
  const table = first?.source.kind === "table" ? tableOf(input.schema, first.source.name) : undefined;
  const key = table?.columns.find(({ primary }) => primary);
  if (first === undefined || key === undefined) return null;
  return { ...call, distinct: true, args: [{ kind: "column", table: nameInScope(first), name: key.name }] };
}

/** Whether a row of the result can hold the same value twice at all. */
function mayRepeat(call: CallNode, scope: Scope, input: OperatorInput): boolean {
  if (scope.query.from.length > 1) return true;
  const column = countedColumn(call);
  const found = column === null ? null : findColumn(column, scope, input.schema);
  return found !== null && !found.column.primary;
}

/** All counts of one result: both sides of a share change together, or the share would mix what it counts. */
function together(place: Place, input: OperatorInput): [Place, CallNode][] {
  if (place.clause !== "items") return place.node.kind === "call" ? [[place, place.node]] : [];
  const item = place.scope.path.length + 2;
  const same = ({ path, clause, scope }: Place): boolean =>
    clause === "items" && scope === place.scope && path[item - 1] === place.path[item - 1];
  return input.places
    .filter((other) => same(other))
    .flatMap((other): [Place, CallNode][] =>
      other.node.kind === "call" && other.node.name === "COUNT" ? [[other, other.node]] : [],
    );
}

function ofCount(place: Place, call: CallNode, input: OperatorInput): Edit[] {
  const calls = together(place, input);
  if (call.name !== "COUNT" || calls[0]?.[0] !== place || !mayRepeat(call, place.scope, input)) return [];
  const changes = calls.map(([{ path }, one]) => ({ path, node: counted(one, place.scope, input) }));
  const [first] = changes;
  if (first?.node === null || first === undefined || changes.some(({ node }) => node === null)) return [];
  const column = countedColumn(first.node);
  const things = countedOf(column ?? undefined, place.scope, input);
  const once = `different ${things}, each counted once`;
  const often = `every matching row, so that one of the ${things} may count more than once`;
  const found = column === null ? null : findColumn(column, place.scope, input.schema);
  return [
    {
      operator: "distinct-or-all",
      form: place.clause === "items" ? "count" : "count in a condition",
      touches: changes.map(({ path }) => path),
      apply: (query) => changes.reduce((made, { path, node }) => replaceAt(made, path, node), query),
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
