import type { Edit, Operator, OperatorInput } from "../edit.js";
import { cue } from "../question.js";
import { type Expression, isAggregate, operation, type Place, replaceAt } from "../tree/index.js";

const OPEN = /\b(?:ratio|rate|proportion|share|fraction|how many times|part|portion)\b/i;
const PERCENT = /\b(?:percent(?:age)?s?|per cent)\b|%/i;

const isHundred = (node: Expression): boolean => node.kind === "number" && Number(node.text) === 100;
const HUNDRED: Expression = { kind: "number", text: "100" };

/** The expression without its factor of 100, wherever in the product or quotient it stands; null where it has none. */
function withoutHundred(node: Expression): Expression | null {
  if (node.kind !== "operation") return null;
  const { operator, left, right } = node;
  if (operator === "*" && isHundred(right)) return left;
  // 100 * a / b is a division of whole numbers without it.
  if (operator === "*" && isHundred(left)) return { kind: "cast", operand: right, type: "REAL" };
  if (operator !== "*" && operator !== "/") return null;
  const made = withoutHundred(left);
  return made === null ? null : operation(operator, made, right);
}

/** A quotient of numbers that come from many rows, or of two columns cast to REAL. */
function isShare(node: Expression): boolean {
  if (node.kind !== "operation" || node.operator !== "/") return false;
  const { left, right } = node;
  const real = left.kind === "cast" && /REAL|FLOAT|DOUBLE/i.test(left.type);
  const number = (side: Expression): Expression => (side.kind === "cast" ? side.operand : side);
  return real && (isAggregate(number(left)) || right.kind === "column" || isAggregate(number(right)));
}

function ofResult(place: Place, input: OperatorInput): Edit[] {
  const outermost = place.clause === "items" && place.around.length === 0 && place.scope.outer === null;
  if (!outermost || place.scope.path.length > 0) return [];
  const reduced = withoutHundred(place.node);
  const raised = reduced === null && isShare(place.node) ? operation("*", place.node, HUNDRED) : null;
  const made = reduced ?? raised;
  if (made === null || (raised !== null && cue(input.question, OPEN) === null)) return [];
  const [percentage, ratio] = ["a percentage, from 0 to 100", "a plain ratio, not multiplied by 100"];
  const percent = cue(input.question, PERCENT);
  const open = cue(input.question, OPEN);
  return [
    {
      operator: "ratio-or-percentage",
      form: reduced !== null ? "percentage or ratio" : "ratio or percentage",
      touches: [place.path],
      apply: (query) => replaceAt(query, place.path, made),
      reference: reduced !== null ? percentage : ratio,
      alternative: reduced !== null ? ratio : percentage,
      anchor: percent ?? open,
      signals: {
        open: open !== null && percent === null,
        settled: reduced !== null && percent !== null,
        contradicted: reduced === null && percent !== null,
      },
    },
  ];
}

/** 0.25 or 25. */
export const ratioOrPercentage: Operator = {
  name: "ratio-or-percentage",
  edits: (input) => input.places.flatMap((place) => ofResult(place, input)),
};
