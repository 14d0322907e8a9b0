import type { Edit, Operator, OperatorInput } from "../edit.js";
import { subjectOf } from "../lookup.js";
import { cue } from "../question.js";
import {
  allOf,
  conjuncts,
  type Expression,
  isAggregate,
  operation,
  type Query,
  queryAt,
  replaceAt,
  type Scope,
} from "../tree/index.js";

const SUPERLATIVE =
  /\b(?:most|least|highest|lowest|tallest|shortest|oldest|youngest|heaviest|lightest|biggest|largest|smallest|longest|earliest|latest|newest|cheapest|fewest|maximum|minimum|best|worst|top|fastest|slowest|strongest|weakest|greatest|recent|expensive|richest|popular)\b/i;
/** The question asks for one, by its grammar. */
const JUST_ONE =
  /\b(?:who|which|what) (?:is|was|has|had)\b|\b(?:which|what) (?!are|were)[a-z]+(?<!s) |\bthe one\b|\bonly one\b/i;
const SEVERAL = /\b(?:are|were|all|any|those|list)\b/i;

/** The SELECT without what orders, cuts and shows, to find the value at the cut. */
function valueAtCut(query: Query): Expression {
  const [order] = query.orders;
  if (order === undefined) throw new Error("a statement without order has no ties");
  const limited: Query = {
    ...query,
    distinct: false,
    items: [{ expression: order.by, alias: null }],
    orders: [order],
    limit: 1,
    offset: query.offset + (query.limit ?? 1) - 1,
  };
  return { kind: "nested", exists: false, query: limited };
}

/** All rows up to the value at the cut, in the clause where that value may stand. */
function withTies(query: Query): Query {
  const [order] = query.orders;
  if (order === undefined) return query;
  const operator = query.limit === 1 ? "=" : order.descending ? ">=" : "<=";
  const kept = operation(operator, order.by, valueAtCut(query));
  const clause = query.groups.length > 0 ? "having" : "where";
  return { ...query, [clause]: allOf([...conjuncts(query[clause]), kept]), orders: [], limit: null };
}

function fitsTies({ query }: Scope): boolean {
  const { limit, offset, orders, groups } = query;
  if (limit === null || offset !== 0 || orders.length !== 1 || orders[0] === undefined) return false;
  const { by } = orders[0];
  // A name of a result, or a position, cannot stand in WHERE.
  if (by.kind === "number" || by.kind === "opaque") return false;
  const named = query.items.some(
    ({ alias }) => by.kind === "column" && by.table === null && alias === by.name,
  );
  if (named) return false;
  return isAggregate(by) ? groups.length > 0 : !query.items.some(({ expression }) => isAggregate(expression));
}

/** ORDER BY … LIMIT 1 gives one of several equals; a person may want them all. */
function allThatShare(scope: Scope, input: OperatorInput): Edit[] {
  const { orders, limit } = scope.query;
  const [order] = orders;
  if (order === undefined || limit === null || !fitsTies(scope)) return [];
  const words = subjectOf(order.by, scope, input);
  const superlative = cue(input.question, SUPERLATIVE);
  const end = order.descending ? "highest" : "lowest";
  const count = limit === 1 ? "just one" : `just ${limit}`;
  return [
    {
      operator: "ties",
      form: limit === 1 ? "one or all" : "cut or all",
      touches: [
        [...scope.path, "orders"],
        [...scope.path, "limit"],
      ],
      structural: true,
      apply: (query) => replaceAt(query, scope.path, withTies(queryAt(query, scope.path))),
      reference: `${count}, even if others share the ${end} ${words.replace(/^the /, "")}`,
      alternative: `all that share the ${end} ${words.replace(/^the /, "")}`,
      anchor: superlative,
      signals: {
        open: cue(input.question, SEVERAL) !== null,
        settled:
          limit > 1 || (cue(input.question, JUST_ONE) !== null && cue(input.question, SEVERAL) === null),
      },
    },
  ];
}

/** x = (SELECT MAX(x) …) gives all that share it; a person may want one. */
function justOne(scope: Scope, input: OperatorInput): Edit[] {
  const { query } = scope;
  if (query.limit !== null || query.orders.length > 0 || query.groups.length > 0) return [];
  if (query.items.some(({ expression }) => isAggregate(expression))) return [];
  const conditions = conjuncts(query.where);
  const at = conditions.findIndex(
    (node) =>
      node.kind === "operation" &&
      node.operator === "=" &&
      node.right.kind === "nested" &&
      node.right.query.items.every(
        ({ expression }) => isAggregate(expression) && /^M(?:AX|IN)$/.test(expression.name),
      ),
  );
  const condition = conditions[at];
  if (condition?.kind !== "operation" || condition.right.kind !== "nested") return [];
  const [item] = condition.right.query.items;
  const descending = item !== undefined && isAggregate(item.expression) && item.expression.name === "MAX";
  const words = subjectOf(condition.left, scope, input).replace(/^the /, "");
  const end = descending ? "highest" : "lowest";
  const orders = [{ by: condition.left, descending }];
  return [
    {
      operator: "ties",
      form: "all or one",
      touches: [
        [...scope.path, "orders"],
        [...scope.path, "limit"],
      ],
      apply: (made) =>
        replaceAt(replaceAt(made, [...scope.path, "orders"], orders), [...scope.path, "limit"], 1),
      reference: `all that share the ${end} ${words}`,
      alternative: `just one, even if others share the ${end} ${words}`,
      anchor: cue(input.question, SUPERLATIVE),
      signals: { open: cue(input.question, SEVERAL) === null },
    },
  ];
}

/** One of those that share the first place, or all of them. */
export const ties: Operator = {
  name: "ties",
  edits: (input) =>
    input.scopes.flatMap((scope) => [...allThatShare(scope, input), ...justOne(scope, input)]),
};
