import type { Edit, Operator, OperatorInput } from "../edit.js";
import {
  columnInside,
  comparisonOf,
  countedOf,
  type FoundColumn,
  findColumn,
  plural,
  said,
  withArticle,
} from "../lookup.js";
import { cue, wordsFor } from "../question.js";
import {
  allOf,
  conjuncts,
  type Expression,
  isAggregate,
  type OperationNode,
  operation,
  type Place,
  queryAt,
  replaceAt,
  type Scope,
} from "../tree/index.js";

const MISSING =
  /\b(?:missing|unknown|no|not|without|non|never|lack(?:s|ing)?|empty|blank|un[a-z]+|aren't|isn't|other than|except)\b/i;
const NULL: Expression = { kind: "null" };
const ZERO: Expression = { kind: "number", text: "0" };

function found(node: Expression | undefined, place: Place, input: OperatorInput): FoundColumn | null {
  const column = node === undefined ? null : columnInside(node);
  return column === null ? null : findColumn(column, place.scope, input.schema);
}

/** x <> v is never true of a missing x: do those without one belong to "not v"? */
function ofUnequal(place: Place, node: OperationNode, input: OperatorInput): Edit[] {
  const comparison = comparisonOf(node);
  const about = comparison === null ? null : found(comparison.subject, place, input);
  if (comparison === null || about === null || comparison.operator !== "<>" || about.column.primary)
    return [];
  const made = operation("OR", node, operation("IS", comparison.subject, NULL));
  const value = `the ${about.column.words} is something other than ${said(comparison.value)}`;
  return [
    {
      operator: "null-treatment",
      form: "unequal",
      touches: [place.path],
      apply: (query) => replaceAt(query, place.path, made),
      reference: `${value}, and is known`,
      alternative: `${value}, or is not recorded at all`,
      anchor:
        cue(input.question, /\b(?:non-?\w+|not \w+|other than \w+|except \w+|\w+n't \w+)/i) ??
        wordsFor(input.question, about.column.words),
      signals: { open: true },
    },
  ];
}

/** x IS NULL: does a nought or an empty text stand for a missing value, too? */
function ofMissing(place: Place, node: OperationNode, input: OperatorInput): Edit[] {
  const about = node.right.kind === "null" ? found(node.left, place, input) : null;
  if (about === null || (node.operator !== "IS" && node.operator !== "IS NOT")) return [];
  const isNumber = about.column.kind === "number" || about.column.kind === "key";
  const empty: Expression = isNumber ? ZERO : { kind: "text", value: "" };
  const already = place.around.some(
    (outer) =>
      outer.kind === "operation" &&
      ["AND", "OR"].includes(outer.operator) &&
      JSON.stringify(outer).includes(JSON.stringify(empty)),
  );
  if (already) return [];
  const words = `the ${about.column.words}`;
  const made =
    node.operator === "IS"
      ? operation("OR", node, operation("=", node.left, empty))
      : operation("AND", node, operation("<>", node.left, empty));
  const blank = isNumber ? "is 0" : "is an empty text";
  const [reference, alternative] =
    node.operator === "IS"
      ? [`${words} is not recorded`, `${words} is not recorded or ${blank}`]
      : [`${words} is recorded, whatever it is`, `${words} is recorded and not ${isNumber ? "0" : "empty"}`];
  return [
    {
      operator: "null-treatment",
      form: "empty",
      touches: [place.path],
      apply: (query) => replaceAt(query, place.path, made),
      reference,
      alternative,
      anchor: cue(input.question, MISSING) ?? wordsFor(input.question, about.column.words),
      signals: { open: cue(input.question, MISSING) !== null },
    },
  ];
}

/** `x IS NULL OR x = 0`: or only what is not recorded? */
function ofEither(place: Place, node: OperationNode, input: OperatorInput): Edit[] {
  if (node.operator !== "OR") return [];
  const sides = [node.left, node.right];
  const isNull = sides.find(
    (side) => side.kind === "operation" && side.operator === "IS" && side.right.kind === "null",
  );
  const isZero = sides.find(
    (side) =>
      side.kind === "operation" &&
      side.operator === "=" &&
      side.right.kind === "number" &&
      Number(side.right.text) === 0,
  );
  if (isNull?.kind !== "operation" || isZero === undefined) return [];
  const about = found(isNull.left, place, input);
  if (about === null) return [];
  const words = `the ${about.column.words}`;
  return [
    {
      operator: "null-treatment",
      form: "nought",
      touches: [place.path],
      apply: (query) => replaceAt(query, place.path, isNull),
      reference: `${words} is not recorded or is 0`,
      alternative: `${words} is not recorded; a 0 counts as a value`,
      anchor: cue(input.question, MISSING) ?? wordsFor(input.question, about.column.words),
      signals: { open: cue(input.question, MISSING) !== null },
    },
  ];
}

/** AVG(x), where a nought may stand for a value that is not known. */
function ofNoughts(place: Place, input: OperatorInput): Edit[] {
  const { node } = place;
  if (!isAggregate(node) || !["AVG", "MIN"].includes(node.name) || node.distinct) return [];
  const [argument] = node.args;
  const about = found(argument, place, input);
  if (about === null || argument?.kind !== "column" || about.column.kind !== "number") return [];
  const words = about.column.words;
  return [
    {
      operator: "null-treatment",
      form: "nought in the aggregate",
      touches: [place.path],
      apply: (query) =>
        replaceAt(query, place.path, {
          ...node,
          args: [{ kind: "call", name: "NULLIF", distinct: false, args: [argument, ZERO] }],
        }),
      reference: `${withArticle(words)} of 0 is a value like any other`,
      alternative: `${withArticle(words)} of 0 means that it is not known, and is left out`,
      anchor:
        cue(input.question, /\b(?:average|lowest|least|smallest) [a-z]+/i) ?? wordsFor(input.question, words),
      signals: {},
    },
  ];
}

/** COUNT(x) leaves out rows without x, and AVG(x) divides by the others only. */
function ofAggregate(place: Place, input: OperatorInput): Edit[] {
  const { node } = place;
  if (!isAggregate(node) || node.distinct || place.around.length > 3) return [];
  const [argument] = node.args;
  const about = found(argument, place, input);
  if (about === null || argument?.kind !== "column" || about.column.primary || about.column.refers !== null)
    return [];
  const words = about.column.words;
  const isAverage = node.name === "AVG" && about.column.kind === "number";
  if (!isAverage && (node.name !== "COUNT" || about.column.kind === "key")) return [];
  const made: Expression = isAverage
    ? { ...node, args: [{ kind: "call", name: "COALESCE", distinct: false, args: [argument, ZERO] }] }
    : { ...node, args: [{ kind: "star", table: null }] };
  const things = countedOf(undefined, place.scope, input);
  return [
    {
      operator: "null-treatment",
      form: isAverage ? "average" : "count",
      touches: [place.path],
      apply: (query) => replaceAt(query, place.path, made),
      reference: isAverage
        ? `only ${things} whose ${words} is recorded enter the average`
        : `only ${things} that have ${withArticle(words)} are counted`,
      alternative: isAverage
        ? `${withArticle(words)} that is not recorded counts as 0 in the average`
        : `all ${things} are counted, with or without ${withArticle(words)}`,
      anchor: cue(input.question, /\baverage [a-z]+/i) ?? wordsFor(input.question, words),
      signals: {},
    },
  ];
}

/** ORDER BY x LIMIT k puts missing values first: is nothing the lowest? */
function ofOrder(scope: Scope, input: OperatorInput): Edit[] {
  const [order] = scope.query.orders;
  if (order === undefined || order.descending || scope.query.limit === null || scope.query.groups.length > 0)
    return [];
  const column = columnInside(order.by);
  const about = column === null ? null : findColumn(column, scope, input.schema);
  if (column === null || about === null || about.column.primary) return [];
  const tested = conjuncts(scope.query.where).some(
    (node) =>
      node.kind === "operation" &&
      /^IS/.test(node.operator) &&
      node.left.kind === "column" &&
      node.left.name === column.name,
  );
  if (tested) return [];
  const isNumber = about.column.kind === "number";
  const words = about.column.words;
  const less = isNumber
    ? `with ${withArticle(words)} of 0, or none recorded,`
    : `without a recorded ${words}`;
  const known = operation("IS NOT", column, NULL);
  const kept = isNumber ? [known, operation("<>", column, ZERO)] : [known];
  return [
    {
      operator: "null-treatment",
      form: "order",
      touches: [[...scope.path, "orders"]],
      structural: true,
      apply: (query) => {
        const made = queryAt(query, scope.path);
        return replaceAt(query, [...scope.path, "where"], allOf([...conjuncts(made.where), ...kept]));
      },
      reference: `${plural(about.table.words)} ${less} come first`,
      alternative: `${plural(about.table.words)} ${less} are left out`,
      anchor: cue(
        input.question,
        /\b(?:lowest|least|smallest|earliest|fewest|youngest|shortest|oldest|first|cheapest|lightest|fastest)\b/i,
      ),
      signals: { open: true },
    },
  ];
}

/** What a value that is not recorded counts as. */
export const nullTreatment: Operator = {
  name: "null-treatment",
  edits: (input) => [
    ...input.places.flatMap((place) => {
      const { node } = place;
      if (node.kind === "call") return [...ofNoughts(place, input), ...ofAggregate(place, input)];
      if (node.kind !== "operation" || place.clause === "on") return [];
      return [
        ...ofUnequal(place, node, input),
        ...ofMissing(place, node, input),
        ...ofEither(place, node, input),
      ];
    }),
    ...input.scopes.flatMap((scope) => ofOrder(scope, input)),
  ],
};
