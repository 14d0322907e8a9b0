import type { Edit, Operator, OperatorInput } from "../edit.js";
import { columnInside, findColumn, subjectOf } from "../lookup.js";
import { cue } from "../question.js";
import { isAggregate, type OrderTerm, type Place, replaceAt, type Scope } from "../tree/index.js";

/** Superlatives that may point to either end of a scale: a rank of 1 is the best, an old birthday is an early one. */
const EITHER_END =
  /\b(?:best|worst|top|bottom|first|last|leading|lead|rank(?:ed|ing|s)?|strongest|weakest|fastest|slowest|champion|winner|good|bad|position|leader)\b/i;
/** Scales on which a small number is the better one. */
const RANK =
  /\b(?:position|rank|ranking|place|order|standing|grade|round|lap|time|milliseconds|seconds|age|birthday|birth)\b/i;
/** Words that say which end is meant, whatever the scale. */
const OUTRIGHT =
  /\b(?:highest|lowest|most|least|fewest|largest|smallest|fastest|slowest|strongest|weakest|oldest|youngest|earliest|latest|higher|lower|older|younger)\b/i;
const SUPERLATIVE =
  /\b(?:most|least|highest|lowest|tallest|shortest|oldest|youngest|heaviest|lightest|biggest|largest|smallest|longest|earliest|latest|newest|cheapest|dearest|fewest|maximum|minimum|descending|ascending|best|worst|top|fastest|slowest|strongest|weakest|greatest|first|last|recent|expensive|richest|poorest|popular)\b/i;
const NUMBER_WORD = /\b(?:\d+|one|two|three|four|five|six|seven|eight|nine|ten)\b/i;
/** Without a number of their own. */
const SOME = /\b(?:top|some|few|several|leading|best)\s+(?!\d)[a-z]+s\b/i;
const A_FEW = 3;

function ends(order: OrderTerm, scope: Scope, input: OperatorInput): { here: string; there: string } {
  const words = subjectOf(order.by, scope, input).replace(/^the /, "");
  const column = columnInside(order.by);
  const found = column === null ? null : findColumn(column, scope, input.schema);
  const time = found?.column.kind === "date";
  const high = time ? `the latest ${words}` : `the highest ${words}`;
  const low = time ? `the earliest ${words}` : `the lowest ${words}`;
  return order.descending ? { here: high, there: low } : { here: low, there: high };
}

function flipped(scope: Scope, input: OperatorInput): Edit[] {
  const [order] = scope.query.orders;
  if (order === undefined || scope.query.limit === null) return [];
  const { here, there } = ends(order, scope, input);
  if (cue(input.question, OUTRIGHT) !== null && !RANK.test(here)) return [];
  const path = [...scope.path, "orders", 0, "descending"];
  const open = cue(input.question, EITHER_END);
  // Nobody takes the tallest for the shortest.
  if (open === null && cue(input.question, SUPERLATIVE) !== null) return [];
  return [
    {
      operator: "top-k-or-direction",
      form: "direction",
      touches: [[...scope.path, "orders"]],
      apply: (query) => replaceAt(query, path, !order.descending),
      reference: `those with ${here}`,
      alternative: `those with ${there}`,
      anchor: open,
      signals: { open: open !== null },
    },
  ];
}

/** How many, where the question gives no number. */
function counted(scope: Scope, input: OperatorInput): Edit[] {
  const { limit, orders } = scope.query;
  if (limit === null || orders.length === 0 || cue(input.question, NUMBER_WORD) !== null) return [];
  const other = limit === 1 ? A_FEW : 1;
  const how = (count: number): string => (count === 1 ? "only the first one" : `the first ${count}`);
  const open = cue(input.question, SOME);
  if (open === null) return [];
  return [
    {
      operator: "top-k-or-direction",
      form: "how many",
      touches: [[...scope.path, "limit"]],
      apply: (query) => replaceAt(query, [...scope.path, "limit"], other),
      reference: how(limit),
      alternative: how(other),
      anchor: open,
      signals: { open: true },
    },
  ];
}

/** MAX(x) or MIN(x), in what is shown or compared with. */
function extreme(place: Place, input: OperatorInput): Edit[] {
  const { node } = place;
  if (!isAggregate(node) || (node.name !== "MAX" && node.name !== "MIN")) return [];
  const [argument] = node.args;
  if (argument === undefined) return [];
  const words = subjectOf(argument, place.scope, input).replace(/^the /, "");
  const [here, there] = node.name === "MAX" ? ["highest", "lowest"] : ["lowest", "highest"];
  const open = cue(input.question, EITHER_END);
  if (open === null && cue(input.question, SUPERLATIVE) !== null) return [];
  return [
    {
      operator: "top-k-or-direction",
      form: "extreme",
      touches: [place.path],
      apply: (query) => replaceAt(query, place.path, { ...node, name: node.name === "MAX" ? "MIN" : "MAX" }),
      reference: `the ${here} ${words}`,
      alternative: `the ${there} ${words}`,
      anchor: open,
      signals: { open: open !== null },
    },
  ];
}

/** Which end of the scale, and how many of it. */
export const topKOrDirection: Operator = {
  name: "top-k-or-direction",
  edits: (input) => [
    ...input.scopes.flatMap((scope) => [...flipped(scope, input), ...counted(scope, input)]),
    ...input.places.flatMap((place) => extreme(place, input)),
  ],
};
